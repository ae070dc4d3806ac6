// Tells that a tenant has reached a limit of its plan: once in a process for each tenant and each window of the limit.
import { setTimeout as sleep } from "node:timers/promises";
import type { ReachedLimit } from "../../contract/problem-details.ts";
import { BoundedMap } from "../../evidence/core/bounded-map.ts";
import type { SendEvent } from "./send-event.ts";

/** Windows that are remembered. One that is dropped may be told again. */
const MAX_WINDOWS = 10_000;
/** The call that met the limit waits no longer for the event. */
const BUDGET_MS = 300;
/** A rate is free again after a moment. Its window is the hour (UTC). */
const HOUR = "YYYY-MM-DDThh".length;

export class LimitEvents {
  readonly #send: SendEvent;
  readonly #told = new BoundedMap<string, true>(MAX_WINDOWS);
  readonly #budgetMs: number;

  constructor(send: SendEvent, budgetMs = BUDGET_MS) {
    this.#send = send;
    this.#budgetMs = budgetMs;
  }

  /** Never throws, and takes no longer than its budget. */
  async tell(
    { tenantId, plan }: { readonly tenantId: string; readonly plan: string },
    { limit, endsAt }: ReachedLimit,
  ): Promise<void> {
    const window = [tenantId, limit, limit === "rate" ? endsAt.slice(0, HOUR) : endsAt].join("\n");
    if (this.#told.has(window)) return;
    this.#told.set(window, true);
    const detail = { tenant_id: tenantId, plan, limit, ends_at: endsAt };
    await Promise.race([
      this.#send("LimitReached", detail),
      sleep(this.#budgetMs, undefined, { ref: false }),
    ]);
  }
}
