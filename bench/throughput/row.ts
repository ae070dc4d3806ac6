// A row of the bench: which runtime, how many chains, and which load; and what was measured in it.

export type Runtime = "functions" | "web";

/** Closed: so many callers, each of which sends its next call when it has the answer. Open: so many calls a second. */
export type Load =
  | { readonly kind: "closed"; readonly callers: number }
  | { readonly kind: "open"; readonly perSecond: number };

export interface LoadRow {
  readonly runtime: Runtime;
  /** Processes of the web runtime; null for functions, which have as many environments as calls under way. */
  readonly processes: number | null;
  readonly chains: number;
  readonly load: Load;
  /** Injected mean latencies are multiplied by it. */
  readonly slowness: number;
  /** How long a timestamp authority takes, in milliseconds; null where attestations are not stamped in the call. */
  readonly authorityMs: number | null;
}

/** Requests to DynamoDB and KMS take this long on average, in milliseconds. */
export const LATENCY_MS = { read: 5, kms: 10, transaction: 16 };
/** Calls that one web process serves at once. */
export const WEB_CONCURRENCY = 64;

/** Totals of one row in one process. */
export interface Totals {
  attestations: number;
  lostRaces: number;
  macRequests: number;
  reads: number;
  transactions: number;
  readUnits: number;
  writeUnits: number;
  /** Computing time of the process, in milliseconds. */
  cpuMs: number;
}

export const noTotals = (): Totals => ({
  attestations: 0,
  lostRaces: 0,
  macRequests: 0,
  reads: 0,
  transactions: 0,
  readUnits: 0,
  writeUnits: 0,
  cpuMs: 0,
});

export function addTotals(to: Totals, totals: Totals): void {
  for (const name of Object.keys(to) as (keyof Totals)[]) to[name] += totals[name];
}

/** The callers of a row saw this. */
export interface Seen {
  /** Attestations a second. */
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** The share of calls that were answered 503. */
  readonly unavailable: number;
  readonly lostRacesACall: number;
}

/** The same, with the work behind it. */
export interface Measured extends Seen {
  /** How much slower than life it ran. */
  readonly slowMotion: number;
  /** Environments that were started, or processes. */
  readonly environments: number;
  readonly macsACall: number;
  readonly writeUnitsACall: number;
  readonly readUnitsACall: number;
  /** Milliseconds that the service's processes computed for a call, the SDK's part included. */
  readonly cpuMsACall: number;
  /** Attestations that a transaction held on average. */
  readonly batch: number;
  /** The share of all cores that was busy, with whatever else ran on the machine. */
  readonly machineBusy: number;
  /** The share of its time that the busiest of the service's processes computed, or waited for a core to do so. */
  readonly processBusy: number;
}

export interface MeasuredRow {
  readonly row: LoadRow;
  readonly measured: Measured;
  readonly modelled: Seen;
}

/** Above this share, a row shows the limit of a process on this machine and not the design's. */
const SATURATED = 0.5;
export const isSaturated = ({ processBusy }: Measured): boolean => processBusy > SATURATED;
