// The cost of a million attestations in other settings and on other fronts, from the same counts. Pure.
import type { MeasuredRow } from "../throughput/row.ts";
import {
  attestMs,
  billOfCalls,
  lineOf,
  MILLION,
  ownLogGigabytes,
  type PriceName,
  type Prices,
} from "./bill.ts";
import type { Counts } from "./counters.ts";

/** The parts of a sum, in dollars. */
export interface Parts {
  readonly front: number;
  readonly cdn: number;
  readonly compute: number;
  readonly table: number;
  readonly kms: number;
  readonly logs: number;
}

export interface Variant {
  readonly name: string;
  /** The things that it gives up or needs, in words. */
  readonly note: string;
  /** By published prices; for Web Functions, by the lowest price that is assumed. */
  readonly low: Parts;
  /** By the highest; the same where all prices are published. */
  readonly high: Parts;
  /** True where the deployment can be set so. */
  readonly isSetting: boolean;
}

/** The counts that variants are computed from. */
export interface VariantCounts {
  /** Calls one after the other in one warm process. */
  readonly following: Counts;
  /** Functions on the standard plan at its rate: many environments that race. */
  readonly functions: Counts;
  /** One web process. */
  readonly web: Counts;
  /** Milliseconds that it computes for a call. */
  readonly webCpuMs: number;
}

const SECONDS_PER_HOUR = 3_600;
const MS_PER_HOUR = SECONDS_PER_HOUR * 1_000;
/** The share of provisioned capacity that a steady service uses. */
const PROVISIONED_USE = 0.7;
/** A transaction takes two units for one. */
const TRANSACTION = 2;
/** The server around `attest` (HTTP, JSON, authorization) is assumed to compute as much again. */
const SERVER_SHARE = 2;
const HALF = 0.5;

/** The same calls with what a row of the throughput bench asked of the table and of KMS. */
export function countsOfRow(base: Counts, { measured }: MeasuredRow): Counts {
  const { writeUnitsACall, readUnitsACall, macsACall } = measured;
  return {
    ...base,
    writeUnits: writeUnitsACall * base.calls,
    readUnits: readUnitsACall * base.calls,
    macs: macsACall * base.calls,
  };
}

export function variantsOf(prices: Prices, counts: VariantCounts): Variant[] {
  return [...functionVariants(prices, counts), ...webVariants(prices, counts)];
}

function functionVariants(prices: Prices, { following, functions }: VariantCounts): Variant[] {
  const usd = priceOf(prices);
  const sealed = partsOf(prices, following, attestMs(following, false));
  const small = withComputing(sealed, HALF, usd("lambdaRequest", MILLION));
  const httpApi = { ...small, front: usd("httpApiRequest", MILLION) };
  return [
    published(
      "functions, one warm process",
      "nothing: the default",
      partsOf(prices, following, attestMs(following)),
    ),
    published(
      "functions, the standard plan at 50/s",
      "nothing: the default, with its lost races",
      partsOf(prices, functions, attestMs(functions)),
    ),
    published("functions, `inlineTimestamps` off", "the token comes with the seal", sealed),
    idea("and 512 MB", "some speed of a cold start; no setting yet", small),
    idea("and an HTTP API", "usage plans, WAF on the API; not built", httpApi),
    idea("and a function URL in its place", "a URL that is open to strangers; not built", {
      ...small,
      front: 0,
    }),
  ];
}

function webVariants(prices: Prices, { web, webCpuMs }: VariantCounts): Variant[] {
  const usd = priceOf(prices);
  const base = { ...partsOf(prices, web, 0), front: 0, logs: ownLogs(prices, web) };
  const hours = (MILLION * webCpuMs) / MS_PER_HOUR;
  const low = { ...base, compute: usd("webRequestLow", MILLION) + usd("webCpuLow", hours) };
  const high = {
    ...base,
    compute: usd("webRequestHigh", MILLION) + usd("webCpuHigh", hours * SERVER_SHARE),
  };
  const eachMillion = (total: number) => (total / web.calls) * MILLION;
  const hoursOf = (units: number) => units / SECONDS_PER_HOUR / PROVISIONED_USE;
  const provisioned = {
    table:
      usd("writeCapacity", hoursOf(eachMillion(web.writeUnits))) +
      usd("readCapacity", hoursOf(eachMillion(web.readUnits))),
  };
  const single = {
    table:
      usd("writeUnit", eachMillion(web.writeUnits) / TRANSACTION) +
      usd("readUnit", eachMillion(web.readUnits)),
  };
  const bracket = (name: string, note: string, changes: Partial<Parts>, isSetting: boolean): Variant => ({
    name,
    note,
    low: { ...low, ...changes },
    high: { ...high, ...changes },
    isSetting,
  });
  return [
    bracket('`runtime: "web"`', "nothing; its prices are assumed", {}, true),
    bracket('`runtime: "web"`, provisioned capacity, 70 % used', "bursts are throttled", provisioned, false),
    bracket('`runtime: "web"`, one item a write', "the transaction; not built", single, false),
  ];
}

const published = (name: string, note: string, parts: Parts): Variant => ({
  name,
  note,
  low: parts,
  high: parts,
  isSetting: true,
});
const idea = (name: string, note: string, parts: Parts): Variant => ({
  ...published(name, note, parts),
  isSetting: false,
});

const priceOf =
  (prices: Prices) =>
  (price: PriceName, quantity: number): number =>
    lineOf(prices)("", price, quantity).usd;

function partsOf(prices: Prices, counts: Counts, ms: number): Parts {
  const bill = billOfCalls(prices, counts, { ms, isBusy: true });
  const sum = (...starts: string[]): number =>
    bill
      .filter(({ item }) => starts.some((start) => item.startsWith(start)))
      .reduce((total, { usd }) => total + usd, 0);
  return {
    front: sum("API Gateway"),
    cdn: sum("CloudFront"),
    compute: sum("Lambda"),
    table: sum("DynamoDB"),
    kms: sum("KMS"),
    logs: sum("CloudWatch", "X-Ray"),
  };
}

/** Requests cost what they did; the time costs this share. */
const withComputing = (parts: Parts, share: number, requests: number): Parts => ({
  ...parts,
  compute: requests + (parts.compute - requests) * share,
});

/** A web process writes our own lines, and nobody else writes any. */
const ownLogs = (prices: Prices, counts: Counts): number =>
  priceOf(prices)("logIngest", ownLogGigabytes(counts));
