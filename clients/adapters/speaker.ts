// The adapters for voices share this: a text is said, once more where it was cut off, and attested once it was heard.
import type { Disclosure } from "./core.ts";
import type { MissedReason, Playback, PlayedDetails } from "./playback.ts";
import { beginSpan } from "./spans.ts";

/** A text was heard to its end, or says why not. */
export type Heard = PlayedDetails | MissedReason;

/** Each of its promises resolves with whether a text was heard to its end, the second time included; none rejects. */
export abstract class Speaker {
  protected readonly disclosure: Disclosure;

  constructor(disclosure: Disclosure) {
    this.disclosure = disclosure;
  }

  /** Says the text for a new topic, a key step, or a person who could have forgotten. */
  remind(): Promise<boolean> {
    return this.say(this.disclosure.remind());
  }

  /** Says the reminder of the agent that takes over. */
  handedOff(to: string): Promise<boolean> {
    return this.say(this.disclosure.handedOff(to));
  }

  /** At the end of the conversation: what is being said counts as missed, and the queue is drained. */
  close(timeoutMs?: number): Promise<boolean> {
    return this.disclosure.close(timeoutMs);
  }

  /** Says it once. Resolves when that ended; rejects where the stack fails. */
  protected abstract play(playback: Playback): Promise<Heard>;

  protected async say(playback: Playback, playing = this.play(playback)): Promise<boolean> {
    const heard = await playing.catch((error: unknown): Heard => {
      this.disclosure.report(error);
      return "failed";
    });
    if (typeof heard !== "string") return attest(playback, heard);
    const again = playback.missed(heard);
    return again !== null && this.say(again);
  }
}

function attest(playback: Playback, heard: PlayedDetails): boolean {
  const endSpan = beginSpan();
  return playback.played({
    ...heard,
    onReceipt: (eventId) => {
      endSpan(eventId);
      heard.onReceipt?.(eventId);
    },
  });
}
