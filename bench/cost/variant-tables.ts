// The tables of docs/cost.md that compare: settings and fronts, copies of the trail, years of storage, parts of the
// billed time, and what is up all month. Pure.

import { COST_ROWS, isSameRow } from "../throughput/grid.ts";
import type { MeasuredRow } from "../throughput/row.ts";
import {
  attestMs,
  attestParts,
  billOfStorage,
  lineOf,
  MILLION,
  type PriceName,
  type Prices,
  RESOURCES,
  SEAL_RUNS,
  type StoredForm,
  totalOf,
} from "./bill.ts";
import type { Counts } from "./counters.ts";
import { amount, bracket, MONTHS_OF_TEN_YEARS, money, table } from "./markdown.ts";
import type { Measurement } from "./scenarios.ts";
import { countsOfRow, type Parts, type Variant, type VariantCounts, variantsOf } from "./variants.ts";

/** The rows of the bench of throughput. */
export interface MeasuredRows {
  readonly rows: readonly MeasuredRow[];
}

const PARTS: readonly (readonly [keyof Parts, string])[] = [
  ["front", "front"],
  ["cdn", "CloudFront"],
  ["compute", "compute"],
  ["table", "DynamoDB"],
  ["kms", "KMS"],
  ["logs", "logs, traces"],
];
const HOURS = 730;
/** Two tasks of one vCPU and 2 GB each, behind a balancer with one capacity unit; all have public addresses. */
const CONTAINERS = { tasks: 2, gigabytes: 2, addresses: 4 };
/** Memory that a web process uses, in GB. */
const WEB_GIGABYTES = 0.25;

/** The counts of rows in which environments race, which the counted run has none of. */
export function variantCounts(counts: Measurement, { rows }: MeasuredRows): VariantCounts {
  const [functions, web] = COST_ROWS.map((wanted) => rows.find(({ row }) => isSameRow(row, wanted)));
  if (functions === undefined || web === undefined)
    throw new Error("the throughput bench measured no such row");
  return {
    following: counts.following,
    functions: countsOfRow(counts.following, functions),
    web: countsOfRow(counts.together, web),
    webCpuMs: web.measured.cpuMsACall,
  };
}

export function variantTables(
  prices: Prices,
  counts: Measurement,
  rows: MeasuredRows,
): Record<string, string> {
  const variants = variantsOf(prices, variantCounts(counts, rows));
  return {
    variants: variantsTable(variants),
    cheapest: cheapest(variants),
    month_of_web: webMonthTable(prices),
    trail: trailTable(prices, counts),
    years: yearsTable(prices, counts.following),
    waits: waitsTable(prices, counts.following),
  };
}

const sumOf = (parts: Parts): number =>
  Object.values(parts).reduce((sum: number, usd: number) => sum + usd, 0);

function variantsTable(variants: readonly Variant[]): string {
  const rows = variants.map(({ name, note, low, high }) => [
    name,
    ...PARTS.map(([part]) => bracket(low[part], high[part])),
    `**${bracket(sumOf(low), sumOf(high))}**`,
    note,
  ]);
  return table(
    ["a million", ...PARTS.map(([, words]) => words), "total", "given up"],
    rows,
    PARTS.length + 1,
  );
}

/** The cheapest settings that there are: by published prices alone, and with assumed ones. */
function cheapest(variants: readonly Variant[]): string {
  const settings = variants
    .filter(({ isSetting }) => isSetting)
    .toSorted((a, b) => sumOf(a.high) - sumOf(b.high));
  const isPublished = ({ low, high }: Variant): boolean => sumOf(low) === sumOf(high);
  const lines = [
    ["The cheapest setting", settings[0]],
    ["With published prices alone", settings.find(isPublished)],
  ] as const;
  return lines
    .map(([words, found]) => {
      if (found === undefined) throw new Error("there is no setting");
      const { name, low, high, note } = found;
      return `- ${words}: ${name}, **$${bracket(sumOf(low), sumOf(high))}**. It gives up: ${note}.`;
    })
    .join("\n");
}

function webMonthTable(prices: Prices): string {
  const usd = (price: PriceName, quantity: number): number => lineOf(prices)("", price, quantity).usd;
  const { tasks, gigabytes, addresses } = CONTAINERS;
  const containers =
    usd("containerCpu", HOURS * tasks) +
    usd("containerMemory", HOURS * tasks * gigabytes) +
    usd("balancer", HOURS) +
    usd("balancerUnit", HOURS) +
    usd("publicAddress", HOURS * addresses);
  const [low, high] = (["webMemoryLow", "webMemoryHigh"] as const).map((price) =>
    usd(price, HOURS * WEB_GIGABYTES),
  );
  const rows = [
    [`a Web Function's process, ${WEB_GIGABYTES} GB in use (assumed prices)`, bracket(low ?? 0, high ?? 0)],
    [
      `${tasks} containers of 1 vCPU and ${gigabytes} GB, a balancer, ${addresses} addresses`,
      money(containers),
    ],
  ];
  return table(["up all month", "$"], rows, 1);
}

/** Each copy of the trail after the first records every request to KMS. */
function trailTable(prices: Prices, { following, sealWithNews }: Measurement): string {
  const row = (words: string, events: number) => [
    words,
    amount(events),
    money(lineOf(prices)("", "auditEvent", events).usd),
  ];
  const codes = (following.macs / following.calls) * MILLION;
  const signatures = (sealWithNews.signatures / sealWithNews.calls) * SEAL_RUNS;
  return table(
    ["", "events", "$ for each further copy"],
    [row("a million attestations", codes), row("a month of seals with news every minute", signatures)],
    2,
  );
}

const FORMS: readonly (readonly [StoredForm, string])[] = [
  ["stored", "as they are stored"],
  ["text", "if receipts were stored as text"],
];

function yearsTable(prices: Prices, following: Counts): string {
  const rows = FORMS.flatMap(([form, words]) => {
    const [items, recovery] = billOfStorage(prices, following, form);
    if (items === undefined || recovery === undefined) throw new Error("the bill of storage has two lines");
    const infrequent = lineOf(prices)("", "tableMonthInfrequent", items.quantity);
    const rowOf = (kind: string, month: number) => [
      `${words}${kind}`,
      amount(items.quantity),
      money(month),
      money(month * MONTHS_OF_TEN_YEARS),
    ];
    return [
      rowOf("", totalOf([items, recovery])),
      rowOf(", Standard-IA", totalOf([infrequent, recovery])),
      rowOf(", without recovery", items.usd),
    ];
  });
  return table(["a million attestations", "GB", "$ a month", "$ in ten years"], rows, 3);
}

function waitsTable(prices: Prices, following: Counts): string {
  const gigabytes = RESOURCES.functionMiB / 1_024;
  const usd = (ms: number): string =>
    money(lineOf(prices)("", "lambdaSecond", (MILLION * ms * gigabytes) / 1_000).usd);
  const rows = attestParts(following).map(([words, ms]) => [words, amount(ms), usd(ms)]);
  const total = attestMs(following);
  return table(
    ["waiting for", "ms", "$ a million"],
    [...rows, ["**Total**", amount(total), `**${usd(total)}**`]],
    2,
  );
}
