// The cost page: its tables are what the committed counts and prices come to, for the resources that the stack has.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  ASSUMED_MS,
  attestMs,
  billOfCalls,
  billOfMonth,
  billOfStorage,
  RESOURCES,
  totalOf,
  type UnitPrice,
} from "../../bench/cost/bill.ts";
import { noCounts } from "../../bench/cost/counters.ts";
import { itemBytes } from "../../bench/cost/item-bytes.ts";
import { ACCESS_LINES } from "../../bench/cost/log-lines.ts";
import { fillPage } from "../../bench/cost/markdown.ts";
import { type CountedRun, renderTables } from "../../bench/cost/tables.ts";
import { variantCounts } from "../../bench/cost/variant-tables.ts";
import { variantsOf } from "../../bench/cost/variants.ts";
import list from "../../bench/prices.json" with { type: "json" };
import type { MeasuredRun } from "../../bench/throughput/page.ts";
import { Synthesized, VARIANTS } from "./synthesis.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");
const run: CountedRun = JSON.parse(read("bench/cost/counts.json"));
const rows: MeasuredRun = JSON.parse(read("bench/throughput/results.json"));
const { prices } = list;

describe("the page", () => {
  test("has the tables that the committed counts and prices come to", () => {
    const page = read("docs/cost.md");
    expect(fillPage(page, renderTables(prices, run, rows))).toBe(page);
  });

  test("shows another sum as soon as one price changes", () => {
    const dearer = { ...prices, writeUnit: { ...prices.writeUnit, usd: 1 } };
    expect(renderTables(dearer, run, rows).calls).not.toBe(renderTables(prices, run, rows).calls);
  });

  test("a table without a place in it is not left out silently", () => {
    expect(() => fillPage("# Cost\n", { calls: "| |" })).toThrow("the page has no place for calls");
  });
});

describe("a bill", () => {
  /** Two calls, which wrote 20 units together. */
  const counts = {
    ...noCounts(),
    calls: 2,
    authorizations: 1,
    writeUnits: 20,
    macs: 4,
    storedBytes: 2 ** 31,
  };
  const lineOf = (item: RegExp) => {
    const lines = billOfCalls(prices, counts, { ms: 100, isBusy: true });
    return lines.find((line) => item.test(line.item)) ?? expect.fail(`no line ${item}`);
  };

  test("is for a million calls like those that were counted", () => {
    expect(lineOf(/write units/)).toMatchObject({ quantity: 10_000_000, usd: 7.625 });
    expect(lineOf(/GenerateMac/)).toMatchObject({ quantity: 2_000_000, usd: 6 });
    expect(lineOf(/runs/)).toMatchObject({ quantity: 1_500_000, usd: 0.3 });
    expect(lineOf(/API Gateway/)).toMatchObject({ quantity: 1_000_000, usd: 3.7 });
  });

  test("counts time at the memory that functions have: 100 ms a call and 20 ms for every second one's authorizer", () => {
    expect(lineOf(/GB-seconds/).quantity).toBeCloseTo(110_000);
  });

  test("keeps what is kept, in the table and for its recovery", () => {
    const lines = billOfStorage(prices, counts);
    expect(lines.map(({ quantity }) => quantity)).toEqual([1_000_000, 1_000_000]);
    expect(totalOf(lines)).toBeCloseTo(306_000 + 244_800);
  });

  test("of a month has a run of the sealer for each minute", () => {
    const quantities = billOfMonth(prices, { ...counts, s3Puts: 4, signatures: 4 }, 0).map(
      ({ item, quantity }) => [item, quantity],
    );
    expect(quantities).toContainEqual(["Sealer: runs", 43_800]);
    expect(quantities).toContainEqual(["Sealer: S3 PUT", 87_600]);
    expect(quantities).toContainEqual(["Sealer: KMS Sign", 87_600]);
  });

  test("of a month has four metrics more for each plan that is called, whoever is on it", () => {
    const metricsOf = (plans: number) =>
      billOfMonth(prices, counts, plans).find(({ item }) => item === "Own metrics")?.quantity ?? Number.NaN;
    expect(metricsOf(3) - metricsOf(0)).toBe(12);
  });
});

describe("what is counted and priced", () => {
  const trial = new Synthesized();
  const firewall = new Synthesized(VARIANTS.firewall);

  test("is what the stack has", () => {
    expect(trial.all("AWS::KMS::Key")).toHaveLength(RESOURCES.keys);
    expect(trial.all("AWS::CloudWatch::Alarm")).toHaveLength(RESOURCES.alarms);
    expect(trial.all("AWS::CloudWatch::Dashboard")).toHaveLength(RESOURCES.dashboards);
    expect(firewall.one("AWS::WAFv2::WebACL").Properties.Rules).toHaveLength(RESOURCES.firewallRules);
    const { TracingConfig } = trial.one("AWS::Lambda::Function", /attestFunction/).Properties;
    expect(TracingConfig?.Mode === "Active").toBe(RESOURCES.isTraced);
    expect(trial.one("AWS::Scheduler::Schedule", /Sealer/).Properties.ScheduleExpression).toBe(
      "rate(1 minute)",
    );
    for (const name of ["attest", "authorize", "report", "Sealerseal"]) {
      const { MemorySize } = trial.one(
        "AWS::Lambda::Function",
        new RegExp(`(?:Handlers|Attestation)${name}Function`),
      ).Properties;
      expect(MemorySize).toBe(RESOURCES.functionMiB);
    }
  });

  test("takes an access log line with the members that the stage has", () => {
    const { Format } = trial.one("AWS::ApiGateway::Stage").Properties.AccessLogSetting;
    expect(ACCESS_LINES.map((line) => Object.keys(JSON.parse(line)))).toEqual([
      Object.keys(JSON.parse(Format)),
    ]);
  });

  test("comes from a run of some hundred attestations of each kind", () => {
    const { apart, following, together } = run.counts;
    for (const { calls, macs } of [apart, following, together]) {
      expect(calls).toBeGreaterThanOrEqual(300);
      expect(macs).toBeLessThanOrEqual(2 * calls);
    }
    expect(apart.authorizations).toBe(apart.calls);
  });

  test("shows that a warm process does not ask for what `recorded_after` names at every call", () => {
    const { apart, following, together } = run.counts;
    for (const { calls, requests, sealQueries } of [apart, following, together]) {
      expect(requests).toBeGreaterThanOrEqual(calls);
      expect(sealQueries / calls).toBeLessThan(0.05);
    }
  });

  test.each(Object.entries<UnitPrice>(prices))(
    "%s has a price, a page of AWS, and says where and when it was seen",
    (_, price) => {
      expect(price.usd).toBeGreaterThan(0);
      expect(["price list", "page", "memory", "assumed"]).toContain(price.source);
      expect(price.source === "price list").toBe(price.seen !== null);
      expect(price.page).toMatch(/^https:\/\/aws\.amazon\.com\/[a-z0-9/-]+\/pricing\//);
      expect(price.seen ?? "2026-01-01").toMatch(/^\d{4}-\d{2}-\d{2}$/);
    },
  );
});

describe("other settings", () => {
  const variants = variantsOf(prices, variantCounts(run.counts, rows));
  const sumOf = (parts: object): number =>
    Object.values(parts).reduce((sum: number, usd: number) => sum + usd, 0);
  const found = (name: RegExp) =>
    variants.find((variant) => name.test(variant.name)) ?? expect.fail(`no ${name}`);

  test("begin with the default, which costs what its bill comes to", () => {
    const bill = billOfCalls(prices, run.counts.following, {
      ms: attestMs(run.counts.following),
      isBusy: true,
    });
    expect(sumOf(found(/one warm process/).low)).toBeCloseTo(totalOf(bill), 9);
  });

  test("that leave the wait for an authority out pay for nothing else less", () => {
    const [stamped, sealed] = [found(/one warm process/).low, found(/inlineTimestamps/).low];
    const saved = (ASSUMED_MS.authority * prices.lambdaSecond.usd * 1_000_000) / 1_000;
    expect(stamped.compute - sealed.compute).toBeCloseTo(saved, 9);
    expect({ ...sealed, compute: 0 }).toEqual({ ...stamped, compute: 0 });
  });

  test("of assumed prices are a bracket, and no others are", () => {
    for (const { name, low, high } of variants) {
      expect(sumOf(high) > sumOf(low)).toBe(name.includes('runtime: "web"'));
    }
  });

  test("that race pay for what the race asked", () => {
    const { functions } = variantCounts(run.counts, rows);
    expect(functions.writeUnits).toBeGreaterThan(run.counts.following.writeUnits);
    expect(found(/standard plan/).low.table).toBeGreaterThan(found(/one warm process/).low.table);
  });

  test("need the row that they are computed from", () => {
    expect(() => variantCounts(run.counts, { rows: [] })).toThrow("measured no such row");
  });
});

test("receipts as text take the bytes that packing saves", () => {
  const counts = { ...noCounts(), calls: 1, storedBytes: 2_000, storedCoreBytes: 300, coreTextBytes: 900 };
  const [asText, asStored] = (["text", "stored"] as const).map((form) =>
    totalOf(billOfStorage(prices, counts, form)),
  );
  expect((asText ?? 0) / (asStored ?? 1)).toBeCloseTo(2_600 / 2_000, 9);
});

test.each([
  [{ pk: { S: "chain" }, sk: { S: "leaf" } }, 13],
  [{ n: { N: "1234" } }, 4],
  [{ b: { B: Buffer.from([1, 2, 3]).toString("base64") } }, 4],
  [{ l: { L: [{ S: "ab" }, { S: "c" }] } }, 9],
  [{ f: { BOOL: true } }, 2],
  [{ ü: { S: "ü" } }, 4],
])("%j takes %d bytes by DynamoDB's rule", (item, bytes) => {
  expect(itemBytes(item)).toBe(bytes);
});
