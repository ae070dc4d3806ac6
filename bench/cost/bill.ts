// From counted operations and list prices to a bill. Pure: the page and its test compute the same.
import { BRIDGE_METRICS, METRIC_NAMES, PLAN_METRICS } from "../../contract/metric-names.ts";
import type list from "../prices.json";
import { LATENCY_MS } from "../throughput/row.ts";
import type { Counts } from "./counters.ts";
import { ACCESS_LINES, billedBytes, LINE_OVERHEAD_BYTES } from "./log-lines.ts";
import type { Measurement } from "./scenarios.ts";

export interface UnitPrice {
  readonly usd: number;
  /** How many units the price is for. */
  readonly per: number;
  readonly unit: string;
  /** The day on which AWS's list had it; null where only an undated copy of the page was at hand. */
  readonly seen: string | null;
  /** Where it was found: assumed prices were found nowhere, for want of a list. */
  readonly source: string;
  readonly page: string;
}
export type PriceName = keyof typeof list.prices;
export type Prices = Readonly<Record<PriceName, UnitPrice>>;

export interface CostLine {
  readonly item: string;
  readonly price: PriceName;
  readonly quantity: number;
  readonly usd: number;
}

export const MILLION = 1_000_000;
const GB = 2 ** 30;
const MS_PER_SECOND = 1_000;
const MIB_PER_GB = 1_024;
/** Minutes in an average month, at one run a minute. */
export const SEAL_RUNS = 730 * 60;

/**
 * Assumed, for want of an account to measure in: how long a run is billed, its waits included, in milliseconds. Of an
 * attestation, the wait for the timestamp authority and the function's own work; `attestMs` adds the rest.
 */
export const ASSUMED_MS = { authority: 250, own: 10, authorize: 20, report: 100, seal: 1_000 };
/** X-Ray's default rule: one call a second, and five in a hundred of the others. */
const TRACED = { apart: 1, busy: 0.05 };

/** The parts of the time for which an attestation's function is billed. */
export function attestParts(counts: Counts): readonly (readonly [string, number])[] {
  return [
    ["reading the chain", LATENCY_MS.read],
    ["KMS", (counts.macs / counts.calls) * LATENCY_MS.kms],
    ["the transaction", LATENCY_MS.transaction],
    ["its own work", ASSUMED_MS.own],
    ["the timestamp authority", ASSUMED_MS.authority],
  ];
}

/** How long an attestation is billed, with the wait for a timestamp authority or without it. */
export function attestMs(counts: Counts, isStamped = true): number {
  const all = attestParts(counts).reduce((sum, [, ms]) => sum + ms, 0);
  return isStamped ? all : all - ASSUMED_MS.authority;
}

/** The resources of a trial deployment; a test compares these with the template. */
export const RESOURCES = {
  keys: 3,
  alarms: 22,
  metrics: Object.keys(METRIC_NAMES).length - BRIDGE_METRICS.length,
  /** Each plan whose tenants call has so many; CloudWatch charges none that gets no value. */
  planMetrics: PLAN_METRICS.length,
  dashboards: 1,
  firewallRules: 4,
  functionMiB: 1_024,
  isTraced: false,
};

const LAMBDA_GB = RESOURCES.functionMiB / MIB_PER_GB;
const ACCESS_BYTES = MILLION * billedBytes(ACCESS_LINES);
/** An authorizer reads the key and its tenant. */
const AUTHORIZER_READS = 2;

const tracedShare = (isBusy: boolean): number => {
  if (!RESOURCES.isTraced) return 0;
  return isBusy ? TRACED.busy : TRACED.apart;
};

const logBytes = (counts: Counts): number => counts.logBytes + counts.logLines * LINE_OVERHEAD_BYTES;

/** Our own lines of a million calls. */
export const ownLogGigabytes = (counts: Counts): number => ((logBytes(counts) / counts.calls) * MILLION) / GB;

export interface Calls {
  /** How long the handler is billed. */
  readonly ms: number;
  /** True where calls follow each other, so that few of them are traced. */
  readonly isBusy: boolean;
}

/** A million calls like those of `counts`. */
export function billOfCalls(prices: Prices, counts: Counts, { ms, isBusy }: Calls): CostLine[] {
  const each = (total: number): number => (total / counts.calls) * MILLION;
  const runs = MILLION + each(counts.authorizations);
  const seconds = (MILLION * ms + each(counts.authorizations) * ASSUMED_MS.authorize) / MS_PER_SECOND;
  const line = lineOf(prices);
  return [
    line("API Gateway", "apiRequest", MILLION),
    line("Lambda: runs, the authorizer's too", "lambdaRequest", runs),
    line("Lambda: GB-seconds (assumed)", "lambdaSecond", seconds * LAMBDA_GB),
    line("DynamoDB: write units", "writeUnit", each(counts.writeUnits)),
    line("DynamoDB: read units", "readUnit", each(counts.readUnits)),
    line("KMS: GenerateMac", "macRequest", each(counts.macs)),
    line("CloudWatch: logs, GB", "logIngest", (each(logBytes(counts)) + ACCESS_BYTES) / GB),
    line("X-Ray: traces", "trace", MILLION * tracedShare(isBusy)),
    line("CloudFront: requests", "cdnRequest", MILLION),
    line("CloudFront: GB out", "cdnOut", each(counts.answerBytes) / GB),
  ];
}

/** How the receipts lie in the table: as they are stored, or as JSON text. */
export type StoredForm = "stored" | "text";

/** A month of what a million attestations left in the table. */
export function billOfStorage(prices: Prices, counts: Counts, form: StoredForm = "stored"): CostLine[] {
  const unpacked = form === "text" ? counts.coreTextBytes - counts.storedCoreBytes : 0;
  const gigabytes = (((counts.storedBytes + unpacked) / counts.calls) * MILLION) / GB;
  const line = lineOf(prices);
  return [
    line("DynamoDB: the table", "tableMonth", gigabytes),
    line("DynamoDB: point-in-time recovery", "recoveryMonth", gigabytes),
  ];
}

/** A month of a deployment that nobody calls, or whose every minute has news of tenants on `plans` plans. */
export function billOfMonth(prices: Prices, counts: Counts, plans: number): CostLine[] {
  const each = (total: number): number => (total / counts.calls) * SEAL_RUNS;
  const line = lineOf(prices);
  const logs = each(logBytes(counts));
  return [
    line("KMS keys", "kmsKey", RESOURCES.keys),
    line("Alarms", "alarm", RESOURCES.alarms),
    line("Own metrics", "metric", RESOURCES.metrics + plans * RESOURCES.planMetrics),
    line("Dashboard", "dashboard", RESOURCES.dashboards),
    line("Sealer: schedule", "schedule", SEAL_RUNS),
    line("Sealer: runs", "lambdaRequest", SEAL_RUNS),
    line(
      "Sealer: GB-seconds (assumed)",
      "lambdaSecond",
      (SEAL_RUNS * ASSUMED_MS.seal * LAMBDA_GB) / MS_PER_SECOND,
    ),
    line("Sealer: write units", "writeUnit", each(counts.writeUnits)),
    line("Sealer: read units", "readUnit", each(counts.readUnits)),
    line("Sealer: KMS Sign", "signRequest", each(counts.signatures)),
    line("Sealer: S3 PUT", "s3Put", each(counts.s3Puts)),
    line("Sealer: S3 GET", "s3Get", each(counts.s3Gets)),
    line("Sealer: logs, GB", "logIngest", logs / GB),
    line("Sealer: traces", "trace", SEAL_RUNS * tracedShare(false)),
  ];
}

/** A month of `waf`, with a million calls. */
export function billOfFirewall(prices: Prices): CostLine[] {
  const line = lineOf(prices);
  return [
    line("WAF: web ACL", "wafAcl", 1),
    line("WAF: rules", "wafRule", RESOURCES.firewallRules),
    line("WAF: a million calls", "wafRequest", MILLION),
  ];
}

/** The cost of one lost race: the transaction that was refused, and reading and authenticating once more. */
export function lostRaceUsd(prices: Prices, { following, apart }: Measurement): number {
  const reads = (apart.readUnits - apart.authorizations * AUTHORIZER_READS) / apart.calls;
  const amounts = [
    ["writeUnit", following.writeUnits / following.calls],
    ["readUnit", reads],
    // Half of an attestation's codes are its answer's.
    ["macRequest", following.macs / following.calls / 2],
  ] as const;
  return totalOf(amounts.map(([price, quantity]) => lineOf(prices)("", price, quantity)));
}

export const totalOf = (lines: readonly CostLine[]): number => lines.reduce((sum, { usd }) => sum + usd, 0);

export const lineOf =
  (prices: Prices) =>
  (item: string, price: PriceName, quantity: number): CostLine => ({
    item,
    price,
    quantity,
    usd: (quantity * prices[price].usd) / prices[price].per,
  });
