// The options of a conversation's disclosures: a program gives the texts, and is told which were not heard.
import { requireFunction, requireOptions } from "../client/options.ts";
import type { DurableQueue } from "../client/queue/durable-queue.ts";
import type { MissedReason } from "./playback.ts";
import type { Statement, Wordings } from "./statements.ts";

/** A text that was not heard to its end. There is no receipt for it. */
export interface Missed {
  readonly statement: Statement;
  readonly reason: MissedReason;
  /** True where it is said once more now. Where it is not, nobody was told, and the operator has to know. */
  readonly willRepeat: boolean;
  readonly interactionId: string;
  readonly agentIdentity: string;
}

/** A receipt that came. */
export interface Recorded {
  readonly eventId: string;
  readonly statement: Statement;
  readonly interactionId: string;
}

export interface DisclosureOptions {
  /** The program's queue. One serves all conversations of a process. */
  readonly queue: Pick<DurableQueue, "add" | "flush">;
  /** The conversation's id, which names no person. A name that the service does not take becomes a digest. */
  readonly interactionId: string;
  readonly agentIdentity: string;
  readonly wordings: Wordings;
  /** The name of the one for whom the agent speaks. It fills `{operator}` in what is said, and is in no digest. */
  readonly operator?: string;
  /** True where the first playback of a text may be talked over (default false). The second one never may. */
  readonly interruptible?: boolean;
  readonly onMissed?: (missed: Missed) => void | Promise<void>;
  readonly onReceipt?: (recorded: Recorded) => void | Promise<void>;
  /** For your log: a callback or the voice stack failed. It never holds what was said. */
  readonly onError?: (error: unknown) => void | Promise<void>;
}

const OPTIONS: Readonly<Record<keyof DisclosureOptions, true>> = {
  queue: true,
  interactionId: true,
  agentIdentity: true,
  wordings: true,
  operator: true,
  interruptible: true,
  onMissed: true,
  onReceipt: true,
  onError: true,
};

/** Throws `invalid_options` for an option that does not exist, and for a callback that is no function. */
export function checkOptions(options: DisclosureOptions): void {
  requireOptions(options, OPTIONS);
  for (const name of ["onMissed", "onReceipt", "onError"] as const) requireFunction(name, options[name]);
}
