// A voice and a loudspeaker for LiveKit's AgentSession that need no network and no room. The loudspeaker takes as long as
// the audio is, so that a playback can be cut off.
import { initializeLogger, tts, voice } from "@livekit/agents";
import { AudioFrame } from "@livekit/rtc-node";
import { soundOf } from "./wordings.ts";

initializeLogger({ pretty: false, level: "silent" });

const SAMPLE_RATE = 16_000;
const FRAME_MS = 20;
const SAMPLES_PER_FRAME = (SAMPLE_RATE * FRAME_MS) / 1000;
const BYTES_PER_SAMPLE = 2;
/** How long a text is heard. */
const SPEECH_MS = 200;

type Voice = "speaks" | "is silent" | "fails";

class Speech extends tts.SynthesizeStream {
  readonly label = "test";
  readonly #voice: Voice;

  constructor(owner: TestVoice, voice: Voice) {
    super(owner, { maxRetry: 0, retryIntervalMs: 0, timeoutMs: 10_000 });
    this.#voice = voice;
  }

  protected async run(): Promise<void> {
    for await (const text of this.input)
      if (text !== "" && this.#voice === "fails") throw new Error("the voice failed");
    const frames = this.#voice === "speaks" ? SPEECH_MS / FRAME_MS : 0;
    for (let i = 0; i < frames; i++) {
      const { buffer, byteOffset } = soundOf(SAMPLES_PER_FRAME * BYTES_PER_SAMPLE);
      const sound = new Int16Array(buffer, byteOffset, SAMPLES_PER_FRAME);
      const frame = new AudioFrame(sound, SAMPLE_RATE, 1, SAMPLES_PER_FRAME);
      this.queue.put({ requestId: "1", segmentId: "1", frame, final: i === frames - 1 });
    }
    this.queue.put(tts.SynthesizeStream.END_OF_STREAM);
  }
}

export class TestVoice extends tts.TTS {
  readonly label = "test";
  state: Voice = "speaks";

  constructor() {
    super(SAMPLE_RATE, 1, { streaming: true });
  }

  synthesize(): tts.ChunkedStream {
    throw new Error("this voice streams");
  }

  stream(): tts.SynthesizeStream {
    return new Speech(this, this.state);
  }
}

export class Loudspeaker extends voice.AudioOutput {
  #pushedMs = 0;
  #startedAt = 0;
  #timer: NodeJS.Timeout | null = null;
  /** Called once something is heard. */
  onStart: () => void = () => {};
  /** While it holds, a playback ends only where it is cut off, however long the machine takes for that. */
  isEndless = false;

  constructor() {
    super(SAMPLE_RATE);
  }

  override async captureFrame(frame: AudioFrame): Promise<void> {
    await super.captureFrame(frame);
    if (this.#pushedMs === 0) {
      this.#startedAt = Date.now();
      this.onPlaybackStarted(this.#startedAt);
      this.onStart();
    }
    this.#pushedMs += (frame.samplesPerChannel / frame.sampleRate) * 1000;
  }

  override flush(): void {
    super.flush();
    if (this.#pushedMs === 0 || this.isEndless) return;
    const left = this.#pushedMs - (Date.now() - this.#startedAt);
    this.#timer = setTimeout(() => this.#end(false), Math.max(0, left));
  }

  override clearBuffer(): void {
    if (this.#pushedMs > 0) this.#end(true);
  }

  #end(interrupted: boolean): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    const playbackPosition = Math.min(this.#pushedMs, Date.now() - this.#startedAt) / 1000;
    this.#pushedMs = 0;
    this.onPlaybackFinished({ playbackPosition, interrupted });
  }
}

export interface Call {
  readonly session: voice.AgentSession;
  readonly tts: TestVoice;
  readonly loudspeaker: Loudspeaker;
}

/** A call that is up; with no agent, one that is to be started. */
export async function startCall(
  agent: voice.Agent | null = new voice.Agent({ id: "reception", instructions: "" }),
): Promise<Call> {
  const [tts, loudspeaker] = [new TestVoice(), new Loudspeaker()];
  const session = new voice.AgentSession({ tts });
  session.output.audio = loudspeaker;
  // Without a listener, Node takes the event of a voice that failed for an error that nobody handles.
  session.on(voice.AgentSessionEventTypes.Error, () => {});
  if (agent !== null) await session.start({ agent, record: false });
  return { session, tts, loudspeaker };
}
