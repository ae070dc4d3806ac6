// From counted operations and list prices to a bill. Pure.
import { BRIDGE_METRICS, METRIC_NAMES, PLAN_METRICS } from "../../contract/metric-names.ts";
import { SECOND_MS } from "../../contract/time.ts";
import type list from "../prices.json";
import { LATENCY_MS } from "../throughput/row.ts";
import type { Counts } from "./counters.ts";
import { ACCESS_LINES, billedBytes, LINE_OVERHEAD_BYTES } from "./log-lines.ts";

export type PriceName = keyof typeof list.prices;
export type Prices = (typeof list)["prices"];

export interface CostLine {
  readonly item: string;
  readonly quantity: number;
  readonly usd: number;
}

export const MILLION = 1_000_000;
export const GB = 2 ** 30;
const MIB_PER_GB = 1_024;
/** Minutes in an average month, at one run a minute. */
const SEAL_RUNS = 730 * 60;

/**
 * Assumed, for want of an account to measure in: how long a run is billed, its waits included, in milliseconds. Of an
 * attestation, the wait for the timestamp authority and the function's own work; `attestMs` adds the rest.
 */
export const ASSUMED_MS = { authority: 250, own: 10, authorize: 20, report: 100, seal: 1_000 };

/** How long an attestation is billed, with the wait for a timestamp authority or without it. */
export function attestMs(counts: Counts, isStamped = true): number {
  const { read, kms, transaction } = LATENCY_MS;
  const { own, authority } = ASSUMED_MS;
  return read + counts.macs * kms + transaction + own + (isStamped ? authority : 0);
}

/** The resources of a trial deployment. */
const RESOURCES = {
  keys: 3,
  alarms: 22,
  metrics: Object.keys(METRIC_NAMES).length - BRIDGE_METRICS.length,
  /** Each plan whose tenants call has so many; CloudWatch charges none that gets no value. */
  planMetrics: PLAN_METRICS.length,
  dashboards: 1,
  functionMiB: 1_024,
};

const LAMBDA_GB = RESOURCES.functionMiB / MIB_PER_GB;
/** An authorizer reads the key and its tenant. */
const AUTHORIZER_READS = 2;

/** Our own lines of one call or run, in gigabytes. */
export const logGigabytes = ({ logBytes, logLines }: Counts): number =>
  (logBytes + logLines * LINE_OVERHEAD_BYTES) / GB;

/** The bill of a million calls like the counted ones, if each runs the handler for `ms` milliseconds. */
export function billOfCalls(prices: Prices, counts: Counts, ms: number): CostLine[] {
  const seconds = (ms + counts.authorizations * ASSUMED_MS.authorize) / SECOND_MS;
  const accessLog = billedBytes(ACCESS_LINES) / GB;
  const line = lineOf(prices, MILLION);
  return [
    line("API Gateway", "apiRequest", 1),
    line("Lambda: runs, the authorizer's too", "lambdaRequest", 1 + counts.authorizations),
    line("Lambda: GB-seconds (assumed)", "lambdaSecond", seconds * LAMBDA_GB),
    line("DynamoDB: write units", "writeUnit", counts.writeUnits),
    line("DynamoDB: read units", "readUnit", counts.readUnits),
    line("KMS: GenerateMac", "macRequest", counts.macs),
    line("CloudWatch: logs, GB", "logIngest", logGigabytes(counts) + accessLog),
    line("CloudFront: requests", "cdnRequest", 1),
    line("CloudFront: GB out", "cdnOut", counts.answerBytes / GB),
  ];
}

/** A month of a deployment that nobody calls, or whose every minute has news of tenants on `plans` plans. */
export function billOfMonth(prices: Prices, counts: Counts, plans: number): CostLine[] {
  const line = lineOf(prices);
  const run = lineOf(prices, SEAL_RUNS);
  return [
    line("KMS keys", "kmsKey", RESOURCES.keys),
    line("Alarms", "alarm", RESOURCES.alarms),
    line("Own metrics", "metric", RESOURCES.metrics + plans * RESOURCES.planMetrics),
    line("Dashboard", "dashboard", RESOURCES.dashboards),
    run("Sealer's Lambda: schedule", "schedule", 1),
    run("Sealer's Lambda: runs", "lambdaRequest", 1),
    run("Sealer's Lambda: GB-seconds (assumed)", "lambdaSecond", (ASSUMED_MS.seal / SECOND_MS) * LAMBDA_GB),
    run("Sealer's DynamoDB: write units", "writeUnit", counts.writeUnits),
    run("Sealer's DynamoDB: read units", "readUnit", counts.readUnits),
    run("Sealer's KMS: Sign", "signRequest", counts.signatures),
    run("Sealer's S3: PUT", "s3Put", counts.s3Puts),
    run("Sealer's S3: GET", "s3Get", counts.s3Gets),
    run("Sealer's logs: GB", "logIngest", logGigabytes(counts)),
  ];
}

/** The cost of one lost race: the transaction that was refused, and reading and authenticating once more. */
export function lostRaceUsd(prices: Prices, following: Counts, apart: Counts): number {
  const line = lineOf(prices);
  return totalOf([
    line("", "writeUnit", following.writeUnits),
    line("", "readUnit", apart.readUnits - apart.authorizations * AUTHORIZER_READS),
    // Half of an attestation's codes are its answer's.
    line("", "macRequest", following.macs / 2),
  ]);
}

export const totalOf = (lines: readonly CostLine[]): number => lines.reduce((sum, { usd }) => sum + usd, 0);

/** Lines for so many calls or runs, each of which takes a quantity. */
export const lineOf =
  (prices: Prices, times = 1) =>
  (item: string, price: PriceName, each: number): CostLine => ({
    item,
    quantity: each * times,
    usd: (each * times * prices[price].usd) / prices[price].per,
  });
