// The tables of costs in docs/performance.md, computed from the results of the benches `cost` and `throughput`. Pure.
import { describeRun } from "../figures/render.ts";
import type { BenchResult, Cell } from "../figures/result.ts";
import { amount, bracket, money, table } from "../markdown.ts";
import {
  ASSUMED_MS,
  attestMs,
  billOfCalls,
  billOfMonth,
  type CostLine,
  GB,
  lineOf,
  lostRaceUsd,
  MILLION,
  type Prices,
  totalOf,
} from "./bill.ts";
import { COUNTED, type Counts } from "./counters.ts";
import { SCENARIOS, type Scenario } from "./scenarios.ts";
import { type Parts, type Variant, variantsOf } from "./variants.ts";

/** The rows of `throughput` that say what racing environments and one web process ask for. */
const RACING = ["functions", 8, "50/s arrive"];
const WEB = ["web × 1", 1, "250/s arrive"];

/** Each table by its name in the page. */
export function costTables(
  prices: Prices,
  counted: BenchResult,
  measured: BenchResult,
): Record<string, string> {
  const of = (scenario: Scenario): Counts => countsOf(counted, SCENARIOS[scenario]);
  const [apart, following, together] = [of("apart"), of("following"), of("together")];
  const racing = { ...following, ...unitsOf(measured, RACING) };
  const web = { ...together, ...unitsOf(measured, WEB) };
  const bills = {
    "far apart": billOfCalls(prices, apart, attestMs(apart)),
    "following each other": billOfCalls(prices, following, attestMs(following)),
    "busy, many environments": billOfCalls(prices, racing, attestMs(racing)),
    reports: billOfCalls(prices, of("report"), ASSUMED_MS.report),
  };
  const months = {
    "nobody calls": billOfMonth(prices, of("sealWithout"), 0),
    "news every minute": billOfMonth(prices, of("sealWithNews"), 1),
  };
  const webCpuMs = cellOf(measured, WEB, "computing");
  const hundredMs = lineOf(prices, MILLION)("", "lambdaSecond", 0.1).usd;
  return {
    "cost summary": [
      `${describeRun(counted)} Races: ${describeRun(measured)}\n`,
      `- Every 100 ms that a call is billed longer than assumed: $${money(hundredMs)} a million.`,
      `- Every lost race (two processes on one chain): $${money(lostRaceUsd(prices, following, apart) * MILLION)} a million of them.`,
    ].join("\n"),
    "cost calls": billTable(bills),
    "cost month": billTable(months),
    "cost storage": storageTable(prices, following),
    "cost variants": variantsTable(variantsOf(prices, { following, racing, web, webCpuMs })),
  };
}

/** The counts of one call or run. */
function countsOf({ columns, rows }: BenchResult, scenario: string): Counts {
  const place = columns.findIndex(({ name }) => name === scenario);
  const value = (words: string): number => Number(rows.find(([name]) => name === words)?.[place]);
  return Object.fromEntries(Object.entries(COUNTED).map(([name, words]) => [name, value(words)])) as Counts;
}

const unitsOf = (measured: BenchResult, row: readonly Cell[]) => ({
  writeUnits: cellOf(measured, row, "write units"),
  readUnits: cellOf(measured, row, "read units"),
  macs: cellOf(measured, row, "requests to KMS"),
});

function cellOf({ columns, rows }: BenchResult, names: readonly Cell[], column: string): number {
  const row = rows.find((cells) => names.every((name, i) => cells[i] === name));
  const cell = row?.[columns.findIndex(({ name }) => name === column)];
  if (typeof cell !== "number") throw new Error(`throughput has no ${column} of ${names.join(", ")}`);
  return cell;
}

/** In dollars, one row a service, which is what stands before the colon of an item. */
function billTable(bills: Readonly<Record<string, readonly CostLine[]>>): string {
  const all = Object.values(bills);
  const serviceOf = ({ item }: CostLine): string => item.replace(/:.*/, "");
  const services = [...new Set(all.flatMap((bill) => bill.map(serviceOf)))];
  const rows = services.map((service) => [
    service,
    ...all.map((bill) => money(totalOf(bill.filter((line) => serviceOf(line) === service)))),
  ]);
  const total = ["**Total**", ...all.map((bill) => `**${money(totalOf(bill))}**`)];
  return table(["", ...Object.keys(bills)], [...rows, total], all.length);
}

/** A million attestations in the table. */
function storageTable(prices: Prices, counts: Counts): string {
  const line = lineOf(prices, MILLION / GB);
  const items = line("", "tableMonth", counts.storedBytes);
  const recovery = line("", "recoveryMonth", counts.storedBytes);
  const infrequent = line("", "tableMonthInfrequent", counts.storedBytes);
  const rowOf = (kind: string, lines: readonly CostLine[]): string[] => [
    kind,
    amount(items.quantity),
    money(totalOf(lines)),
  ];
  const rows = [
    rowOf("with point-in-time recovery", [items, recovery]),
    rowOf("the same in Standard-IA", [infrequent, recovery]),
    rowOf("without recovery", [items]),
  ];
  return table(["a million attestations", "GB", "$ a month"], rows, 2);
}

/** The parts in which the variants differ most. */
const PARTS: readonly (readonly [keyof Parts, string])[] = [
  ["compute", "compute"],
  ["table", "DynamoDB"],
];

function variantsTable(variants: readonly Variant[]): string {
  const sumOf = (parts: Parts): number =>
    Object.values(parts).reduce((sum: number, usd: number) => sum + usd, 0);
  const rows = variants.map(({ name, note, low, high }) => [
    name,
    ...PARTS.map(([part]) => bracket(low[part], high[part])),
    `**${bracket(sumOf(low), sumOf(high))}**`,
    note,
  ]);
  const heads = ["a million", ...PARTS.map(([, words]) => words), "total", "given up"];
  return table(heads, rows, PARTS.length + 1);
}
