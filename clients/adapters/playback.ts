// One saying of a registered text, from its beginning to its one end.
import type { Statement } from "./statements.ts";

/** Why nobody heard the text to its end: it was talked over, the stack failed, or the conversation ended. */
export type MissedReason = "interrupted" | "failed" | "ended";

/** The moment at which a playback ended, where the stack says it, and who wants to know of this receipt. */
export interface PlayedDetails {
  readonly at?: Date;
  readonly onReceipt?: (eventId: string) => void | Promise<void>;
}

/** A registered text and the agent that says it. */
export interface Said {
  readonly statement: Statement;
  /** The registered text, its gap filled: it is to be said or shown as it is. */
  readonly text: string;
  readonly interruptible: boolean;
  readonly isRepetition: boolean;
  /** The agent that says it. */
  readonly agentIdentity: string;
}

/** The owner of a playback is told how it ended. */
interface Ends {
  readonly played: (playback: Playback, details: PlayedDetails) => void;
  readonly missed: (playback: Playback, reason: MissedReason) => Playback | null;
}

/** It ends once: the first end counts. */
export class Playback implements Said {
  readonly statement: Statement;
  readonly text: string;
  readonly interruptible: boolean;
  readonly isRepetition: boolean;
  readonly agentIdentity: string;
  readonly #ends: Ends;
  #isOver = false;

  constructor({ statement, text, interruptible, isRepetition, agentIdentity }: Said, ends: Ends) {
    this.statement = statement;
    this.text = text;
    this.interruptible = interruptible;
    this.isRepetition = isRepetition;
    this.agentIdentity = agentIdentity;
    this.#ends = ends;
  }

  /** The playback ended uninterrupted, or the message was sent: it is attested. False where it had ended before. */
  played(details: PlayedDetails = {}): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#ends.played(this, details);
    return true;
  }

  /** It was cut off or failed: nothing is attested. Returns what to play now, or null after the second time. */
  missed(reason: MissedReason): Playback | null {
    if (this.#isOver) return null;
    this.#isOver = true;
    return this.#ends.missed(this, reason);
  }
}
