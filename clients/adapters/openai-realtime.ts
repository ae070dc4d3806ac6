// The adapter for realtime sessions of the OpenAI Agents SDK: has the model say the texts, and attests what was played to
// its end in these very words. A model may say something else, so its transcript is compared with the text, here, and goes
// nowhere. It names no type of the SDK: what it needs of a session is stated here, and compiled against it in a test.
import type { Disclosure } from "./core.ts";
import { Utterance } from "./openai-utterance.ts";
import type { Playback } from "./playback.ts";
import { type Heard, Speaker } from "./speaker.ts";

export * from "./public.ts";

/** The part of a RealtimeSession that is used. */
export interface RealtimeSessionPart {
  readonly transport: {
    sendEvent(event: { type: "response.create"; [field: string]: unknown }): void;
    on(event: "connection_change", listener: (status: string) => void): unknown;
  };
  on(event: string, listener: (...args: unknown[]) => void): unknown;
}

interface Audio {
  readonly data: ArrayBuffer;
  readonly responseId: string;
}

export interface RealtimeOptions {
  /** Keeps the caller's audio from the model while this is true: called around a text that nobody may interrupt. */
  readonly hold?: (isOn: boolean) => void;
  /** The program calls `playedOut` itself, for it knows when its loudspeaker or its telephone line has played all. */
  readonly reportsPlayback?: boolean;
  /** How many bytes of audio a millisecond has: 48 for PCM at 24 kHz (default), 8 for G.711. */
  readonly bytesPerMs?: number;
}

const DEFAULT_BYTES_PER_MS = 48;
const INSTRUCTION =
  "Say the following text word for word, in its own language. Add nothing, leave nothing out, and say nothing else:\n\n";

export class RealtimeDisclosure extends Speaker {
  readonly #session: RealtimeSessionPart;
  readonly #options: RealtimeOptions;
  /** The texts that are being said. */
  readonly #utterances = new Set<Utterance>();
  /** When all audio that came so far will have been played: each response's is played after that of those before. */
  #playsUntil = 0;

  constructor(session: RealtimeSessionPart, disclosure: Disclosure, options: RealtimeOptions = {}) {
    super(disclosure);
    this.#session = session;
    this.#options = options;
    session.on("transport_event", (event) => this.#tell((utterance) => utterance.event(event)));
    session.on("audio", (event) => this.#play(event as Audio));
    session.on("audio_interrupted", () => {
      this.#playsUntil = 0;
      this.#tell((utterance) => utterance.interrupt());
    });
    session.transport.on("connection_change", (status) => {
      if (status === "disconnected") this.#tell((utterance) => utterance.settle("ended"));
    });
    session.on("agent_handoff", (_context, _from, to) => void this.handedOff((to as { name: string }).name));
  }

  /** Has the introduction said. Have nothing said before it. */
  introduce(): Promise<boolean> {
    return this.say(this.disclosure.introduce());
  }

  /** All audio that came so far was heard. */
  playedOut(): void {
    this.#tell((utterance) => utterance.playedOut());
  }

  /** At the end of the session: what is being said was not heard to its end, and the queue is drained. */
  override close(timeoutMs?: number): Promise<boolean> {
    this.#tell((utterance) => utterance.settle("ended"));
    return super.close(timeoutMs);
  }

  protected async play({ text, interruptible }: Playback): Promise<Heard> {
    const utterance = new Utterance(text, this.#options.reportsPlayback ?? false);
    this.#utterances.add(utterance);
    if (!interruptible) this.#hold(true);
    try {
      const { key } = utterance;
      const response = {
        instructions: INSTRUCTION + text,
        metadata: { disclosure: key },
        tool_choice: "none",
      };
      this.#session.transport.sendEvent({ type: "response.create", event_id: key, response });
      return await utterance.end;
    } finally {
      this.#utterances.delete(utterance);
      if (!interruptible) this.#hold(false);
    }
  }

  #play({ data, responseId }: Audio): void {
    const { bytesPerMs = DEFAULT_BYTES_PER_MS } = this.#options;
    this.#playsUntil = Math.max(this.#playsUntil, performance.now()) + data.byteLength / bytesPerMs;
    this.#tell((utterance) => utterance.audio(responseId, this.#playsUntil));
  }

  #tell(tell: (utterance: Utterance) => void): void {
    this.disclosure.guard(() => {
      for (const utterance of this.#utterances) tell(utterance);
    });
  }

  #hold(isOn: boolean): void {
    this.disclosure.guard(() => this.#options.hold?.(isOn));
  }
}
