// The report of `verify` for people: the verdict first, then what failed, what the evidence says, and what was not
// checked.
import { isCheckName } from "../../reader/check-names.ts";
import type { PlacedCheck } from "../../reader/examination.ts";
import { printTable } from "../output/table.ts";
import { bold, red, type StyledText } from "../output/terminal.ts";
import { printCaveats } from "./caveats.ts";
import { printMany } from "./many-files.ts";
import type { FileResult, Results } from "./results.ts";
import {
  kindOf,
  MAX_LISTED,
  markOf,
  type PrintedReport,
  printAnchors,
  printChecks,
  printFailedChecks,
  printOpenPoints,
  STYLES,
} from "./rows.ts";
import type { Words } from "./words.ts";

/** Failed checks that are explained in a sentence; the table lists the others. */
const MAX_EXPLAINED = 3;

export function printReport(results: Results, report: PrintedReport): void {
  const [only, ...others] = results.files;
  if (only !== undefined && others.length === 0) printOne(only, results, report);
  else printMany(results, report);
}

function printOne(file: FileResult, results: Results, report: PrintedReport): void {
  const { terminal, words } = report;
  terminal.print(bold(file.file), kindOf(file, words), ": ", sentenceOf(file, results, words));
  if (file.kind === null) return;
  if (file.reason !== null && file.outcome === "unreadable")
    printTable(terminal, [[words.summary.restHolds]]);
  printFailures(file, report);
  printTable(
    terminal,
    file.sentences.map((sentence) => [sentence]),
  );
  const rows = file.turnRows.slice(0, report.isVerbose ? undefined : MAX_LISTED);
  printTable(
    terminal,
    rows.map(({ isSound, cells }) => [markOf(isSound), ...cells]),
  );
  printAnchors(file.anchors, report);
  printOpenPoints(file.openPoints, report);
  // The checks of one file have already said what holds between its receipts.
  if (results.together?.outcome === "does_not_hold") printChecks(results.together.checks, report);
  printCaveats(results, report);
  if (report.isVerbose) printChecks(file.checks, report);
}

/** The page's sentence; of some pages of a conversation it names the turns. */
function sentenceOf({ kind, outcome, reason, page }: FileResult, results: Results, words: Words): StyledText {
  const { summary } = words;
  if (kind === null) return red(`${summary.outcome[outcome]}: ${reason ?? ""}`);
  if (outcome === "unreadable") return red(summary.metachainUnavailable(reason ?? ""));
  const texts = words.text.verdict[outcome];
  const isPart = kind === "bundle" && page !== null && results.missing.length > 0;
  return STYLES[outcome](
    isPart ? texts.turns(page.first, page.last) : texts[kind === "report" ? "receipt" : kind],
  );
}

function printFailures(file: FileResult, report: PrintedReport): void {
  const { terminal, words } = report;
  const failed = file.checks.filter(({ ok }) => ok === false);
  if (failed.length === 0) return;
  const { verdict } = words.text;
  const explained = failed.slice(0, MAX_EXPLAINED).map((check) => explain(check, words));
  printTable(terminal, [
    [verdict.failedReason(failed.length, file.made)],
    ...explained.map((text) => [text]),
  ]);
  if (!report.isVerbose) printFailedChecks(failed, report);
}

/** Where it failed, the check's name for people, and what its failure means. */
function explain({ name, place, detail }: PlacedCheck, { text }: Words): string {
  const meaning = isCheckName(name)
    ? `${text.checkTexts[name].name}: ${text.checkTexts[name].broken}`
    : `${name}: ${detail}`;
  const [list, index] = place.split("/");
  if (index === undefined) return meaning;
  const part = list === "seals" ? text.verdict.inRoot(index) : text.verdict.inTurn(String(Number(index) + 1));
  return `${part}: ${meaning}`;
}
