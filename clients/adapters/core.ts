// The core of every adapter: which registered text is said when, and what is attested of it. docs/adapters/README.md says
// the same to integrators.
//
// 1. `introduce`, `remind` and `handedOff` give a Playback: the registered text, ready to be spoken or shown. Nothing is
//    written yet. A crash here leaves nothing, and nothing was heard.
// 2. The stack plays it. `played` is called when the playback ended uninterrupted: the disclosure gets the present time and
//    an Idempotency-Key, and goes into the durable queue. A crash before the queue has it on disk loses it (the flush takes
//    milliseconds); from there on it is sent, by this process or the next, and recorded once.
// 3. `missed` is called when it was cut off or failed: nothing is recorded, `onMissed` is told, and the first time there is
//    a second Playback, to be played at once and uninterruptibly.
// 4. The queue sends in order. `onReceipt` gets each receipt, whenever that is; no conversation waits for it.
// 5. `close` counts as missed what was begun and never ended, and drains the queue with a deadline.
//
// No method throws or waits. What is attested is the digest of the registered text, and never what was heard.
import { randomUUID } from "node:crypto";
import { interactionId } from "../client/interaction-id.ts";
import { settle } from "../client/settle.ts";
import { checkOptions, type DisclosureOptions } from "./disclosure-options.ts";
import { type MissedReason, Playback, type PlayedDetails } from "./playback.ts";
import { agentIdentity, prepare, type Statement, type Statements } from "./statements.ts";

const DEFAULT_DRAIN_MS = 5_000;

/** The disclosures of one conversation. */
export class Disclosure {
  readonly interactionId: string;
  readonly #options: DisclosureOptions;
  readonly #statements: Statements;
  readonly #open = new Set<Playback>();
  #agentIdentity: string;
  #isClosed = false;

  /** Throws `invalid_options`, or `invalid_request` for a wording that there is not: before the conversation. */
  constructor(options: DisclosureOptions) {
    checkOptions(options);
    this.#options = options;
    this.#statements = prepare(options.wordings, options.operator);
    this.interactionId = interactionId(options.interactionId);
    this.#agentIdentity = agentIdentity(options.agentIdentity);
  }

  /** The text that comes first, before anything else is said. */
  introduce(): Playback {
    return this.#begin("introduction", false);
  }

  /** The text for a new topic, a key step, or a person who could have forgotten. */
  remind(): Playback {
    return this.#begin("reminder", false);
  }

  /** The reminder of the agent that takes over; from here on disclosures are in its name. */
  handedOff(to: string): Playback {
    this.guard(() => {
      this.#agentIdentity = agentIdentity(to);
    });
    return this.#begin("handoff", false);
  }

  /** Counts what never ended as missed, and waits for the queue: true once all is sent, false where it goes out later. */
  close(timeoutMs: number = DEFAULT_DRAIN_MS): Promise<boolean> {
    this.#isClosed = true;
    for (const playback of [...this.#open]) playback.missed("ended");
    return this.#options.queue.flush(timeoutMs);
  }

  /** Runs code of the owner's or of the stack's, whose failures must not reach the conversation. */
  guard(call: () => unknown): void {
    void settle(call, (error) => this.report(error));
  }

  report(error: unknown): void {
    // Where this callback fails, there is no other to report it to.
    void settle(
      () => this.#options.onError?.(error),
      () => {},
    );
  }

  #begin(statement: Statement, isRepetition: boolean, agent = this.#agentIdentity): Playback {
    const { text } = this.#statements.of(statement, isRepetition);
    const interruptible = !isRepetition && (this.#options.interruptible ?? false);
    const playback = new Playback(
      { statement, text, interruptible, isRepetition, agentIdentity: agent },
      {
        played: (ended, details) => this.guard(() => this.#played(ended, details)),
        missed: (ended, reason) => this.#missed(ended, reason),
      },
    );
    this.#open.add(playback);
    return playback;
  }

  #played(playback: Playback, { at = new Date(), onReceipt }: PlayedDetails): void {
    this.#open.delete(playback);
    const { statement, isRepetition } = playback;
    const { interactionId } = this;
    const request = {
      interaction_id: interactionId,
      agent_identity: playback.agentIdentity,
      ...this.#statements.of(statement, isRepetition).disclosure,
      disclosed_at: at.toISOString(),
    };
    // The key is made here, once for one playback: whoever sends the entry, and however often, it is recorded once.
    void this.#options.queue.add(request, {
      idempotencyKey: randomUUID(),
      onReceipt: ({ event_id: eventId }) => {
        this.guard(() => onReceipt?.(eventId));
        this.guard(() => this.#options.onReceipt?.({ eventId, statement, interactionId }));
      },
    });
  }

  #missed(playback: Playback, reason: MissedReason): Playback | null {
    this.#open.delete(playback);
    const { statement, isRepetition, agentIdentity } = playback;
    const willRepeat = !isRepetition && !this.#isClosed && reason !== "ended";
    const { interactionId } = this;
    this.guard(() =>
      this.#options.onMissed?.({ statement, reason, willRepeat, interactionId, agentIdentity }),
    );
    return willRepeat ? this.#begin(statement, true, agentIdentity) : null;
  }
}
