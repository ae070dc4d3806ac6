// The measures of a run, taken while callers call: how long each kind of call took, and what became of it, second by second.
import { SECOND_MS } from "../../../contract/time.ts";
import { Histogram } from "./histogram.ts";

export const CALL_KINDS = [
  "attest",
  "report",
  "bundle",
  "list",
  "history",
  "roots",
  "checkpoint",
  "policy",
] as const;
export type CallKind = (typeof CALL_KINDS)[number];

/** One second of the run. */
interface Moment {
  readonly attestations: Histogram;
  faults: number;
}

export interface MomentFigures {
  readonly second: number;
  readonly attestations: number;
  readonly p50: number | null;
  readonly p99: number | null;
  readonly faults: number;
}

export class Measures {
  readonly byKind: Readonly<Record<CallKind, Histogram>> = Object.fromEntries(
    CALL_KINDS.map((kind) => [kind, new Histogram()]),
  ) as Record<CallKind, Histogram>;
  /** Answers by status, `0` for none: of every try. */
  readonly statuses: Record<string, number> = {};
  /** Tries of attestations after the first. */
  retries = 0;
  readonly #start = performance.now();
  readonly #moments: Moment[] = [];

  get seconds(): number {
    return (performance.now() - this.#start) / SECOND_MS;
  }

  /** A call that came to its answer, with all its tries. */
  took(kind: CallKind, ms: number): void {
    this.byKind[kind].add(ms);
    if (kind === "attest") this.#now().attestations.add(ms);
  }

  answered(status: number): void {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
  }

  faultsMade(count: number): void {
    this.#now().faults += count;
  }

  get moments(): readonly MomentFigures[] {
    return Array.from(this.#moments, (moment, second) => ({
      second,
      attestations: moment?.attestations.count ?? 0,
      p50: moment?.attestations.quantile(1 / 2) ?? null,
      p99: moment?.attestations.quantile(0.99) ?? null,
      faults: moment?.faults ?? 0,
    }));
  }

  #now(): Moment {
    const second = Math.floor(this.seconds);
    const moment = this.#moments[second] ?? { attestations: new Histogram(), faults: 0 };
    this.#moments[second] = moment;
    return moment;
  }
}
