// The tables of docs/cost.md, as Markdown. Pure.
import {
  ASSUMED_MS,
  type BillLine,
  billOfCalls,
  billOfFirewall,
  billOfMonth,
  billOfStorage,
  lostRaceUsd,
  MILLION,
  type Prices,
  RESOURCES,
  totalOf,
} from "./bill.ts";
import type { Counts } from "./counters.ts";
import type { Measurement, Scenario } from "./scenarios.ts";

/** The counts, and when and on which machine they were taken. */
export interface CountedRun {
  readonly day: string;
  readonly node: string;
  readonly counts: Measurement;
}

/** Each table by its name in the page. */
export function renderTables(prices: Prices, run: CountedRun): Record<string, string> {
  const { counts } = run;
  const apart = billOfCalls(prices, counts.apart, { ms: ASSUMED_MS.attest, isBusy: false });
  const following = billOfCalls(prices, counts.following, { ms: ASSUMED_MS.attest, isBusy: true });
  const report = billOfCalls(prices, counts.report, { ms: ASSUMED_MS.report, isBusy: true });
  return {
    summary: summary(prices, counts, totalOf(following), totalOf(apart)),
    assumed: assumed(),
    calls: billTable(["far apart", "following each other", "reports"], [apart, following, report]),
    storage: billTable(["GB"], [billOfStorage(prices, counts.following)]),
    month: billTable(
      ["nobody calls", "news every minute"],
      [billOfMonth(prices, counts.sealWithout), billOfMonth(prices, counts.sealWithNews)],
    ),
    firewall: billTable(["quantity"], [billOfFirewall(prices)]),
    counts: countsTable(run),
    prices: pricesTable(prices),
  };
}

function summary(prices: Prices, counts: Measurement, low: number, high: number): string {
  const perTenth = billOfCalls(prices, counts.following, { ms: ASSUMED_MS.attest + 100, isBusy: true });
  return [
    `- A million attestations: **$${money(low)}** where calls follow each other, up to **$${money(high)}** where each comes alone.`,
    `- A deployment that nobody calls: **$${money(totalOf(billOfMonth(prices, counts.sealWithout)))}** a month.`,
    `- Every million attestations kept: **$${money(totalOf(billOfStorage(prices, counts.following)))}** a month, for good.`,
    `- Every 100 ms that a call is billed longer than assumed: $${money(totalOf(perTenth) - low)} a million.`,
    `- Every lost race (two processes on one chain): $${money(lostRaceUsd(prices, counts) * MILLION)} a million of them.`,
  ].join("\n");
}

const assumed = (): string =>
  [
    `An attestation ${ASSUMED_MS.attest} ms, the authorizer ${ASSUMED_MS.authorize} ms, a report ${ASSUMED_MS.report} ms,`,
    `a run of the sealer ${ASSUMED_MS.seal.toLocaleString("en-US")} ms; each with ${RESOURCES.functionMiB.toLocaleString("en-US")} MB.`,
  ].join(" ");

/** One row an item; bills have the same items in the same order. */
function billTable(heads: readonly string[], bills: readonly (readonly BillLine[])[]): string {
  const [first = []] = bills;
  const cells = ({ quantity, usd }: BillLine): string => `${amount(quantity)} | ${money(usd)}`;
  const rows = first.map(({ item }, i) => [
    item,
    ...bills.flatMap((bill) => bill.slice(i, i + 1).map(cells)),
  ]);
  const total = ["**Total**", ...bills.map((bill) => ` | **${money(totalOf(bill))}**`)];
  return table(["", ...heads.map((head) => `${head} | $`)], [...rows, total], heads.length * 2);
}

const COUNTED: readonly (readonly [keyof Counts, string])[] = [
  ["authorizations", "authorizer runs"],
  ["writeUnits", "write units"],
  ["readUnits", "read units"],
  ["storedBytes", "bytes kept"],
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
  const rows = Object.values(prices).map(({ usd, per, unit, seen, page }) => [
    unit,
    `${usd}`,
    per.toLocaleString("en-US"),
    seen ?? "undated",
    `[page](${page})`,
  ]);
  return table(["unit", "$", "for", "seen", "source"], rows, 2);
}

/** `numbers`: how many columns after the first are set to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[], numbers: number): string {
  const columns = head.join(" | ").split(" | ").length;
  const marks = Array.from({ length: columns }, (_, i) => (i > 0 && i <= numbers ? "---:" : "---"));
  return [head, marks, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

const money = (usd: number): string => usd.toFixed(2);

/** Three digits that mean something, or whole. */
const amount = (quantity: number): string =>
  quantity.toLocaleString(
    "en-US",
    quantity >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 },
  );

/** Puts each table between its markers. Throws for a table that the page has no place for. */
export function fillPage(page: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce((text, [name, table]) => {
    const [before, after] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [start, end] = [text.indexOf(before), text.indexOf(after)];
    if (start < 0 || end < start) throw new Error(`the page has no place for ${name}`);
    return `${text.slice(0, start + before.length)}\n\n${table}\n\n${text.slice(end)}`;
  }, page);
}
