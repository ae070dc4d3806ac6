// The cost of a million attestations in other settings and on other fronts, from the same counts. Pure.
import { HOUR_MS, HOUR_SECONDS } from "../../contract/time.ts";
import { attestMs, billOfCalls, lineOf, logGigabytes, MILLION, type PriceName, type Prices } from "./bill.ts";
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

/** By published prices; for Web Functions, by the lowest prices that are assumed, and by the highest. */
export interface Variant {
  readonly name: string;
  /** The things that it gives up or needs, in words. */
  readonly note: string;
  readonly low: Parts;
  readonly high: Parts;
}

/** The counts of a call that variants are computed from. */
export interface VariantCounts {
  /** Calls one after the other in one warm process. */
  readonly following: Counts;
  /** Functions on the standard plan at its rate: many environments that race. */
  readonly racing: Counts;
  /** One web process. */
  readonly web: Counts;
  /** Milliseconds that it computes for a call. */
  readonly webCpuMs: number;
}

/** The share of provisioned capacity that a steady service uses. */
const PROVISIONED_USE = 0.7;
/** A transaction takes two units for one. */
const TRANSACTION = 2;
/** The server around `attest` (HTTP, JSON, authorization) is assumed to compute as much again. */
const SERVER_SHARE = 2;

export const variantsOf = (prices: Prices, counts: VariantCounts): Variant[] => [
  ...functionVariants(prices, counts),
  ...webVariants(prices, counts),
];

function functionVariants(prices: Prices, { following, racing }: VariantCounts): Variant[] {
  const usd = priceOf(prices);
  const one = (name: string, note: string, parts: Parts): Variant => ({
    name,
    note,
    low: parts,
    high: parts,
  });
  const whole = partsOf(prices, following, attestMs(following));
  const sealed = partsOf(prices, following, attestMs(following, false));
  const runs = usd("lambdaRequest", MILLION);
  const small = { ...sealed, compute: runs + (sealed.compute - runs) / 2 };
  const http = { ...small, front: usd("httpApiRequest", MILLION) };
  return [
    one("functions, one warm process", "nothing: the default", whole),
    one(
      "functions, the standard plan at 50/s",
      "nothing: the default, with its lost races",
      partsOf(prices, racing, attestMs(racing)),
    ),
    one("functions, `inlineTimestamps` off", "the token comes with the seal", sealed),
    one("and 512 MB", "some speed of a cold start; no setting yet", small),
    one("and an HTTP API", "usage plans, WAF on the API; not built", http),
    one("and a function URL in its place", "a URL that is open to strangers; not built", {
      ...small,
      front: 0,
    }),
  ];
}

function webVariants(prices: Prices, { web, webCpuMs }: VariantCounts): Variant[] {
  const usd = priceOf(prices);
  // A web process writes our own lines, and nobody else writes any.
  const logs = usd("logIngest", MILLION * logGigabytes(web));
  const base = { ...partsOf(prices, web, 0), front: 0, logs };
  const hours = (MILLION * webCpuMs) / HOUR_MS;
  const least = usd("webRequestLow", MILLION) + usd("webCpuLow", hours);
  const most = usd("webRequestHigh", MILLION) + usd("webCpuHigh", hours * SERVER_SHARE);
  const bracket = (name: string, note: string, changes: Partial<Parts> = {}): Variant => ({
    name,
    note,
    low: { ...base, ...changes, compute: least },
    high: { ...base, ...changes, compute: most },
  });
  const hoursOf = (units: number): number => (MILLION * units) / HOUR_SECONDS / PROVISIONED_USE;
  const provisioned =
    usd("writeCapacity", hoursOf(web.writeUnits)) + usd("readCapacity", hoursOf(web.readUnits));
  const single =
    usd("writeUnit", (MILLION * web.writeUnits) / TRANSACTION) + usd("readUnit", MILLION * web.readUnits);
  return [
    bracket('`runtime: "web"`', "nothing; its prices are assumed"),
    bracket('`runtime: "web"`, provisioned capacity, 70 % used', "bursts are throttled", {
      table: provisioned,
    }),
    bracket('`runtime: "web"`, one item a write', "the transaction; not built", { table: single }),
  ];
}

const priceOf =
  (prices: Prices) =>
  (price: PriceName, quantity: number): number =>
    lineOf(prices)("", price, quantity).usd;

function partsOf(prices: Prices, counts: Counts, ms: number): Parts {
  const bill = billOfCalls(prices, counts, ms);
  const sum = (start: string): number =>
    bill.filter(({ item }) => item.startsWith(start)).reduce((total, { usd }) => total + usd, 0);
  return {
    front: sum("API Gateway"),
    cdn: sum("CloudFront"),
    compute: sum("Lambda"),
    table: sum("DynamoDB"),
    kms: sum("KMS"),
    logs: sum("CloudWatch"),
  };
}
