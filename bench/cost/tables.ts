// The tables of docs/cost.md, as Markdown. Pure.
import {
  ASSUMED_MS,
  attestMs,
  billOfCalls,
  billOfFirewall,
  billOfMonth,
  billOfStorage,
  type CostLine,
  lostRaceUsd,
  MILLION,
  type Prices,
  RESOURCES,
  totalOf,
} from "./bill.ts";
import type { Counts } from "./counters.ts";
import { amount, MONTHS_OF_TEN_YEARS, money, table } from "./markdown.ts";
import type { Measurement, Scenario } from "./scenarios.ts";
import { type MeasuredRows, variantCounts, variantTables } from "./variant-tables.ts";

/** The counts, and when and on which machine they were taken. */
export interface CountedRun {
  readonly day: string;
  readonly node: string;
  readonly counts: Measurement;
}

/** Each table by its name in the page. */
export function renderTables(prices: Prices, run: CountedRun, rows: MeasuredRows): Record<string, string> {
  const { counts } = run;
  const busyCounts = variantCounts(counts, rows).functions;
  const apart = billOfCalls(prices, counts.apart, { ms: attestMs(counts.apart), isBusy: false });
  const following = billOfCalls(prices, counts.following, { ms: attestMs(counts.following), isBusy: true });
  const busy = billOfCalls(prices, busyCounts, { ms: attestMs(busyCounts), isBusy: true });
  const report = billOfCalls(prices, counts.report, { ms: ASSUMED_MS.report, isBusy: true });
  return {
    summary: summary(prices, counts, { following, apart, busy }),
    assumed: assumed(counts),
    calls: billTable(
      ["far apart", "following each other", "busy, many environments", "reports"],
      [apart, following, busy, report],
    ),
    storage: billTable(["GB"], [billOfStorage(prices, counts.following)]),
    month: billTable(
      ["nobody calls", "news every minute"],
      [billOfMonth(prices, counts.sealWithout, 0), billOfMonth(prices, counts.sealWithNews, 1)],
    ),
    firewall: billTable(["quantity"], [billOfFirewall(prices)]),
    counts: countsTable(run),
    prices: pricesTable(prices),
    ...variantTables(prices, counts, rows),
  };
}

interface MonthCosts {
  readonly following: readonly CostLine[];
  readonly apart: readonly CostLine[];
  readonly busy: readonly CostLine[];
}

function summary(prices: Prices, counts: Measurement, { following, apart, busy }: MonthCosts): string {
  const low = totalOf(following);
  const longer = { ms: attestMs(counts.following) + 100, isBusy: true };
  const perTenth = billOfCalls(prices, counts.following, longer);
  const storage = totalOf(billOfStorage(prices, counts.following));
  return [
    `- A million attestations: **$${money(low)}** where calls follow each other, **$${money(totalOf(busy))}** on the standard plan at its rate, up to **$${money(totalOf(apart))}** where each comes alone.`,
    `- A deployment that nobody calls: **$${money(totalOf(billOfMonth(prices, counts.sealWithout, 0)))}** a month.`,
    `- Every million attestations kept: **$${money(storage)}** a month, **$${money(storage * MONTHS_OF_TEN_YEARS)}** in ten years.`,
    `- Every 100 ms that a call is billed longer than assumed: $${money(totalOf(perTenth) - low)} a million.`,
    `- Every lost race (two processes on one chain): $${money(lostRaceUsd(prices, counts) * MILLION)} a million of them.`,
  ].join("\n");
}

const assumed = ({ following }: Measurement): string =>
  [
    `An attestation ${amount(attestMs(following))} ms, the authorizer ${ASSUMED_MS.authorize} ms, a report ${ASSUMED_MS.report} ms,`,
    `a run of the sealer ${ASSUMED_MS.seal.toLocaleString("en-US")} ms; each with ${RESOURCES.functionMiB.toLocaleString("en-US")} MB.`,
  ].join(" ");

/** One row an item; bills have the same items in the same order. */
function billTable(heads: readonly string[], bills: readonly (readonly CostLine[])[]): string {
  const [first = []] = bills;
  const cells = ({ quantity, usd }: CostLine): string => `${amount(quantity)} | ${money(usd)}`;
  const rows = first.map(({ item }, i) => [
    item,
    ...bills.flatMap((bill) => bill.slice(i, i + 1).map(cells)),
  ]);
  const total = ["**Total**", ...bills.map((bill) => ` | **${money(totalOf(bill))}**`)];
  return table(["", ...heads.map((head) => `${head} | $`)], [...rows, total], heads.length * 2);
}

const COUNTED: readonly (readonly [keyof Counts, string])[] = [
  ["authorizations", "authorizer runs"],
  ["requests", "requests to DynamoDB, KMS, S3"],
  ["sealQueries", "of them for the newest seals"],
  ["writeUnits", "write units"],
  ["readUnits", "read units"],
  ["storedBytes", "bytes kept"],
  ["storedCoreBytes", "of them receipts"],
  ["coreTextBytes", "receipts as text, bytes"],
  ["macs", "GenerateMac"],
  ["signatures", "Sign"],
  ["timestamps", "timestamps"],
  ["s3Puts", "S3 PUT"],
  ["s3Gets", "S3 GET"],
  ["logLines", "log lines"],
  ["logBytes", "log bytes"],
  ["answerBytes", "answer bytes"],
];
const SCENARIOS: readonly (readonly [Scenario, string])[] = [
  ["apart", "far apart"],
  ["following", "following"],
  ["together", "50 at once, one process"],
  ["report", "report"],
  ["sealWithNews", "seal, one chain's news"],
  ["sealWithout", "seal, no news"],
];

function countsTable({ counts }: CountedRun): string {
  const each = (scenario: Scenario, name: keyof Counts): string =>
    amount(counts[scenario][name] / counts[scenario].calls);
  const rows = COUNTED.map(([name, words]) => [
    words,
    ...SCENARIOS.map(([scenario]) => each(scenario, name)),
  ]);
  const calls = ["runs counted", ...SCENARIOS.map(([scenario]) => amount(counts[scenario].calls))];
  return table(["for each", ...SCENARIOS.map(([, words]) => words)], [calls, ...rows], SCENARIOS.length);
}

function pricesTable(prices: Prices): string {
  const rows = Object.values(prices).map(({ usd, per, unit, seen, source, page }) => [
    unit,
    `${usd}`,
    per.toLocaleString("en-US"),
    seen ?? "undated",
    `[${source}](${page})`,
  ]);
  return table(["unit", "$", "for", "seen", "source"], rows, 2);
}
