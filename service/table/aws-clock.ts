// The one clock of a process, held against the Date header of every answer of AWS's (RFC 9110 section 6.6.1).
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { MINUTE_MS } from "../../contract/time.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";

/**
 * How far our clock may be from AWS's. Readers allow five minutes, in which an authority and another process of ours may
 * be off as well.
 */
const MAX_OFFSET_MS = MINUTE_MS;
/** The header says whole seconds. */
const RESOLUTION_MS = 1_000;

/** When the clock that nobody sets began, by the one that is set: it changes where that one is. */
const timeOrigin = (): number => Date.now() - performance.now();

/** When one call to AWS was sent and answered, by our clock. */
interface AnswerTimes {
  readonly sent: number;
  readonly origin: number;
  readonly received: number;
}

export class AwsClock {
  readonly #ask: () => Promise<unknown>;
  #isAsking = false;
  /** How far our clock is ahead of AWS's at least, by its newest answer; negative where it is behind. */
  #aheadMs = 0;
  /** As of when that answer was asked for: where the clock was set since, it says nothing. Null before the first. */
  #timeOrigin: number | null = null;

  /** A clock that learns from every answer to these clients. `ask` makes a call of one of them. */
  constructor(clients: readonly DynamoDBClient[], ask: () => Promise<unknown>) {
    this.#ask = ask;
    for (const client of clients) this.#watch(client);
  }

  /**
   * The time. Throws `clock_off` where AWS's answers say another: a receipt or a seal with such a time could never be
   * proved, and nothing that follows it may be dated earlier.
   */
  readonly now = (): Date => {
    if (!this.#isOff) return new Date();
    void this.#askAnew();
    const evidence = { aheadMs: this.#aheadMs };
    throw new DisclosureError("clock_off", "our clock is more than a minute from AWS's", evidence);
  };

  /**
   * The time, by which something is dated for good. AWS is asked first where our clock was set since its newest answer,
   * which says nothing of what it shows now. Throws `clock_off`, and what `ask` throws.
   */
  readonly confirmed = async (): Promise<Date> => {
    if (this.#isOff || this.#wasSet) await this.#ask();
    // The answer to an older call may have come since.
    if (this.#wasSet)
      throw new DisclosureError("clock_off", "our clock was set, and AWS has not confirmed it");
    return this.now();
  };

  get #isOff(): boolean {
    return Math.abs(this.#aheadMs) > MAX_OFFSET_MS;
  }

  get #wasSet(): boolean {
    return this.#timeOrigin !== null && Math.abs(timeOrigin() - this.#timeOrigin) > RESOLUTION_MS;
  }

  /** Most calls ask for the time before anything else: where nobody asked AWS, a clock that was set right would stay off. */
  async #askAnew(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    // Without an answer our clock stays off, and the next call asks again.
    await this.#ask().catch(() => {});
    this.#isAsking = false;
  }

  #watch(client: DynamoDBClient): void {
    client.middlewareStack.add(
      (next) => async (args) => {
        const [sent, origin] = [Date.now(), timeOrigin()];
        const answer = await next(args);
        this.#learn(dateOf(answer.response), { sent, origin, received: Date.now() });
        return answer;
      },
      // The innermost of this step sees refusals too, before they become errors.
      { step: "deserialize", priority: "low" },
    );
  }

  /** The answer was dated after we sent and before we received: a process that is frozen meanwhile is not off. */
  #learn(date: number, { sent, origin, received }: AnswerTimes): void {
    if (Number.isNaN(date)) return;
    this.#timeOrigin = origin;
    this.#aheadMs = Math.max(0, sent - date - RESOLUTION_MS) + Math.min(0, received - date);
  }
}

/** NaN for an answer without a date. */
function dateOf(response: unknown): number {
  const { headers } = response as { readonly headers?: Readonly<Record<string, string>> };
  return Date.parse(headers?.date ?? "");
}
