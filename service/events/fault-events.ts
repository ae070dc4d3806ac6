// Faults become events where they are counted: whoever meets one counts it, and needs to know nothing of the bus.
import type { FaultKind } from "../../contract/events.ts";
import type { Meter, MetricName } from "../../contract/metric-names.ts";
import type { SendEvent } from "./send-event.ts";

const KINDS: Partial<Record<MetricName, FaultKind>> = {
  publicationConflicts: "publication_conflict",
  unclaimedEntries: "unclaimed_entry",
  damagedChains: "damaged_chains",
  policyFailures: "policy_failure",
  checkpointFailures: "checkpoint_failure",
  largerTrees: "larger_tree",
  webhookDeadLetters: "webhook_dead_letter",
};
/** Each run counts all that there are; only a larger number is news. */
const STANDING: ReadonlySet<MetricName> = new Set(["damagedChains"]);

export class FaultEvents {
  readonly #meter: Meter;
  readonly #send: SendEvent;
  readonly #standing = new Map<MetricName, number>();
  readonly #sending = new Set<Promise<void>>();

  constructor(meter: Meter, send: SendEvent) {
    this.#meter = meter;
    this.#send = send;
  }

  /** Counts as the meter does. */
  readonly meter: Meter = (metric, value) => {
    this.#meter(metric, value);
    const kind = KINDS[metric];
    if (kind === undefined || !this.#isNews(metric, value)) return;
    const sending = this.#send("Fault", { kind, count: value }).finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  };

  /** Resolves when no event is on its way: a function is frozen once it has answered. */
  async settled(): Promise<void> {
    await Promise.all(this.#sending);
  }

  #isNews(metric: MetricName, value: number): boolean {
    if (!STANDING.has(metric)) return value > 0;
    const before = this.#standing.get(metric) ?? 0;
    this.#standing.set(metric, value);
    return value > before;
  }
}
