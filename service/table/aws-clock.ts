// The one clock of a process, held against the Date header of every answer of AWS's (RFC 9110 section 6.6.1).
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DisclosureError } from "../../core/errors.ts";

/**
 * How far our clock may be from AWS's. Readers allow five minutes, in which an authority and another process of ours may
 * be off as well.
 */
const MAX_OFFSET_MS = 60_000;
/** The header says whole seconds. */
const RESOLUTION_MS = 1_000;

export class AwsClock {
  /** How far our clock is ahead of AWS's at least, by its newest answer; negative where it is behind. */
  #aheadMs = 0;

  /** A clock that learns from every answer to these clients. */
  static watching(...clients: readonly DynamoDBClient[]): AwsClock {
    const clock = new AwsClock();
    for (const client of clients) clock.#watch(client);
    return clock;
  }

  /**
   * The time. Throws `clock_off` where AWS's answers say another: a receipt or a seal with such a time could never be
   * proved, and nothing that follows it may be dated earlier.
   */
  readonly now = (): Date => {
    if (Math.abs(this.#aheadMs) > MAX_OFFSET_MS) {
      const evidence = { aheadMs: this.#aheadMs };
      throw new DisclosureError("clock_off", "our clock is more than a minute from AWS's", evidence);
    }
    return new Date();
  };

  #watch(client: DynamoDBClient): void {
    client.middlewareStack.add(
      (next) => async (args) => {
        const sent = Date.now();
        const answer = await next(args);
        this.#learn(dateOf(answer.response), sent, Date.now());
        return answer;
      },
      // The innermost of this step sees refusals too, before they become errors.
      { step: "deserialize", priority: "low" },
    );
  }

  /** The answer was dated after we sent and before we received: a process that is frozen meanwhile is not off. */
  #learn(date: number, sent: number, received: number): void {
    if (Number.isNaN(date)) return;
    this.#aheadMs = Math.max(0, sent - date - RESOLUTION_MS) + Math.min(0, received - date);
  }
}

/** NaN for an answer without a date. */
function dateOf(response: unknown): number {
  const { headers } = response as { readonly headers?: Readonly<Record<string, string>> };
  return Date.parse(headers?.date ?? "");
}
