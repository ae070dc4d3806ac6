// The figures of a run, as result.json keeps them and the table shows them.
import type { Histogram } from "../load/histogram.ts";
import { CALL_KINDS, type CallKind, type Measures, type MomentFigures } from "../load/measures.ts";
import type { ProxyCounts } from "../proxy/messages.ts";

const P50 = 0.5;
const P95 = 0.95;
const P99 = 0.99;

export interface KindFigures {
  readonly kind: CallKind;
  readonly calls: number;
  /** Milliseconds; null without a call. */
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly max: number | null;
}

export interface RunFigures {
  readonly seconds: number;
  readonly attestations: number;
  readonly perSecond: number;
  readonly openCalls: number;
  readonly kinds: readonly KindFigures[];
  readonly retries: number;
  /** Tries of attestations by the status of their answer, 0 for none. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Races that appenders lost, as their metrics say; null where the run doesn't see them. */
  readonly lostRaces: number | null;
  /** Requests of the service to AWS by role and operation, and those of the attest servers for each receipt. */
  readonly requests: Readonly<Record<string, number>>;
  readonly requestsPerReceipt: number | null;
  readonly writeUnitsPerReceipt: number | null;
  readonly readUnitsPerReceipt: number | null;
  /** By name. */
  readonly faults: Readonly<Record<string, number>>;
  readonly moments: readonly MomentFigures[];
}

export interface FigureSources {
  readonly measures: Measures;
  /** When the load ended: calls that were under way by then count as receipts, and in no rate. */
  readonly inTime: { readonly seconds: number; readonly receipts: number };
  readonly receipts: number;
  readonly openCalls: number;
  readonly lostRaces: number | null;
  /** Null for a deployment, before which there is no proxy. */
  readonly counts: ProxyCounts | null;
  /** Faults that the driver made, by name. */
  readonly driverFaults: Readonly<Record<string, number>>;
}

export function figuresOf(sources: FigureSources): RunFigures {
  const { measures, inTime, receipts, openCalls, lostRaces, counts, driverFaults } = sources;
  const aReceipt = (total: number): number | null =>
    counts === null || receipts === 0 ? null : total / receipts;
  return {
    seconds: inTime.seconds,
    attestations: receipts,
    perSecond: inTime.receipts / inTime.seconds,
    openCalls,
    kinds: CALL_KINDS.map((kind) => kindFigures(kind, measures.byKind[kind])),
    retries: measures.retries,
    statuses: measures.statuses,
    lostRaces,
    requests: counts?.requests ?? {},
    requestsPerReceipt: aReceipt(sumOf(counts?.requests ?? {}, "attest ")),
    writeUnitsPerReceipt: aReceipt(counts?.units["attest write"] ?? 0),
    readUnitsPerReceipt: aReceipt(counts?.units["attest read"] ?? 0),
    faults: { ...byName(counts?.faults ?? {}), ...driverFaults },
    moments: measures.moments.slice(0, Math.ceil(inTime.seconds)),
  };
}

const kindFigures = (kind: CallKind, histogram: Histogram): KindFigures => ({
  kind,
  calls: histogram.count,
  p50: histogram.quantile(P50),
  p95: histogram.quantile(P95),
  p99: histogram.quantile(P99),
  max: histogram.count === 0 ? null : histogram.max,
});

const sumOf = (counts: Readonly<Record<string, number>>, prefix: string): number =>
  Object.entries(counts)
    .filter(([name]) => name.startsWith(prefix))
    .reduce((sum, [, count]) => sum + count, 0);

/** The proxy counts faults by name, role and operation. */
export function byName(faults: Readonly<Record<string, number>>): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [place, count] of Object.entries(faults)) {
    const [name = place] = place.split(" ");
    sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
}
