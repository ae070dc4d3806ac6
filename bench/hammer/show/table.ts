// The final table of a run, in plain text.
import type { OracleVerdict } from "../ask-oracle.ts";
import type { RunFinding } from "../load/findings.ts";
import type { RunFigures } from "./figures.ts";

const MAX_FINDINGS = 20;
const NAME_WIDTH = 12;
const CELL_WIDTH = 10;
const COUNT_WIDTH = 28;

export interface TableParts {
  readonly figures: RunFigures;
  readonly findings: readonly RunFinding[];
  readonly verdict: OracleVerdict | null;
  readonly holds: boolean;
}

export function renderTable({ figures, findings, verdict, holds }: TableParts): string {
  return [
    ...callLines(figures),
    "",
    ...totalLines(figures),
    "",
    ...countLines("requests to AWS", figures.requests),
    ...countLines("faults", figures.faults),
    ...findingLines(findings),
    ...verdictLines(verdict),
    holds ? "nothing was found" : "SOMETHING WAS FOUND, or could not be judged",
  ].join("\n");
}

function callLines({ kinds }: RunFigures): string[] {
  const row = (name: string, cells: readonly string[]): string =>
    name.padEnd(NAME_WIDTH) + cells.map((cell) => cell.padStart(CELL_WIDTH)).join("");
  return [
    row("ms", ["calls", "p50", "p95", "p99", "max"]),
    ...kinds.map(({ kind, calls, p50, p95, p99, max }) =>
      row(kind, [String(calls), ...[p50, p95, p99, max].map(formatMs)]),
    ),
  ];
}

const formatMs = (ms: number | null): string => (ms === null ? "–" : ms.toFixed(ms < CELL_WIDTH ? 1 : 0));

function totalLines(figures: RunFigures): string[] {
  const { attestations, seconds, perSecond, openCalls, retries, statuses, lostRaces } = figures;
  const answers = Object.entries(statuses).map(
    ([status, count]) => `${status === "0" ? "none" : status}: ${count}`,
  );
  return [
    `${attestations} receipts in ${seconds.toFixed(0)} s, ${perSecond.toFixed(0)} a second; ${openCalls} calls without an answer`,
    `${retries} tries were repeated; answers by status: ${answers.join(", ")}`,
    ...(lostRaces === null ? [] : [`lost races: ${lostRaces}, ${per(lostRaces, attestations)} a receipt`]),
    ...unitLines(figures),
  ];
}

function unitLines({ requestsPerReceipt, writeUnitsPerReceipt, readUnitsPerReceipt }: RunFigures): string[] {
  if (requestsPerReceipt === null || writeUnitsPerReceipt === null || readUnitsPerReceipt === null) return [];
  return [
    `a receipt: ${requestsPerReceipt.toFixed(2)} requests, ${writeUnitsPerReceipt.toFixed(2)} write units, ${readUnitsPerReceipt.toFixed(2)} read units`,
  ];
}

const per = (count: number, of: number): string => (of === 0 ? "–" : (count / of).toFixed(3));

function countLines(title: string, counts: Readonly<Record<string, number>>): string[] {
  const entries = Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) return [];
  return [title, ...entries.map(([name, count]) => `  ${name.padEnd(COUNT_WIDTH)}${count}`), ""];
}

function findingLines(findings: readonly RunFinding[]): string[] {
  if (findings.length === 0) return [];
  const shown = findings.slice(0, MAX_FINDINGS).map(({ at, by, what }) => `  ${at} ${by}: ${what}`);
  const more = findings.length - shown.length;
  return [
    `found during the run: ${findings.length}`,
    ...shown,
    ...(more > 0 ? [`  and ${more} more`] : []),
    "",
  ];
}

function verdictLines(verdict: OracleVerdict | null): string[] {
  if (verdict === null) return ["the oracle: no verdict"];
  const rows = verdict.checks.map(({ name, count, findings, unmade }) => {
    const found = findings.length === 0 ? "" : `, ${findings.length} found`;
    return `  ${name.padEnd(COUNT_WIDTH)}${count}${found}${unmade ? `, not made: ${unmade}` : ""}`;
  });
  return ["the oracle", ...rows, ""];
}
