// The report of `verify` for people: the verdict first, then what failed, what the evidence says, and what was not
// checked.
import type { PlacedCheck } from "../../../evidence/core/verify/check.ts";
import type { FileFinding, SessionFindings } from "../../../evidence/reader/session/findings.ts";
import { withHistory, wordOf } from "../../../evidence/reader/text/sentence.ts";
import type { Text } from "../../../evidence/reader/text/text.ts";
import { printTable } from "../output/table.ts";
import { bold, red, type StyledText, yellow } from "../output/terminal.ts";
import { printCaveats } from "./caveats.ts";
import { printMany } from "./many-files.ts";
import {
  kindOf,
  MAX_LISTED,
  markOf,
  type PrintedReport,
  printAnchors,
  printChecks,
  printFailedChecks,
  printFork,
  printOpenPoints,
  reasonOf,
  STYLES,
  uncompared,
} from "./rows.ts";
import type { ShownFile } from "./shown.ts";

/** Failed checks that are explained in a sentence; the table lists the others. */
const MAX_EXPLAINED = 3;

export function printReport(findings: SessionFindings<ShownFile>, report: PrintedReport): void {
  const [only, ...others] = findings.files;
  if (only !== undefined && others.length === 0) printOne(only, findings, report);
  else printMany(findings, report);
}

function printOne(
  file: FileFinding<ShownFile>,
  findings: SessionFindings<ShownFile>,
  report: PrintedReport,
): void {
  const { terminal, text } = report;
  terminal.print(bold(file.file), kindOf(file, text), ": ", sentenceOf(file, findings, text));
  printFork(file, report);
  const { shown } = file;
  if (shown === null) return;
  if (file.unavailable !== null) terminal.print(yellow(uncompared(file.unavailable, text)));
  printFailures(file, shown, report);
  printTable(
    terminal,
    shown.sentences.map((sentence) => [sentence]),
  );
  const rows = shown.turnRows.slice(0, report.isVerbose ? undefined : MAX_LISTED);
  printTable(
    terminal,
    rows.map(({ isSound, cells }) => [markOf(isSound), ...cells]),
  );
  printAnchors(findings, report);
  printOpenPoints(shown.openPoints, report);
  // The checks of one file have already said what holds between its receipts.
  if (findings.together?.outcome === "does_not_hold") printChecks(findings.together.checks, report);
  printCaveats(findings, report);
  if (report.isVerbose) printChecks(file.checks, report);
}

/** The page's sentence; of some pages of a conversation it names the turns. */
function sentenceOf(
  file: FileFinding<ShownFile>,
  { summary }: SessionFindings<ShownFile>,
  text: Text,
): StyledText {
  const { kind, outcome, shown } = file;
  const { overview, verdict } = text;
  if (kind === null || kind === "fork" || outcome === "unreadable") {
    const reason = reasonOf(file, text);
    return red(reason === null ? overview.state[outcome] : `${overview.state[outcome]}: ${reason}`);
  }
  const texts = verdict[outcome];
  const turns = kind === "bundle" && summary.missingTurns.length > 0 ? (shown?.turns ?? null) : null;
  const sentence = turns === null ? texts[wordOf(kind)] : texts.turns(...turns);
  return STYLES[outcome](outcome === "holds_so_far" ? withHistory(text, sentence, file.checks) : sentence);
}

function printFailures(file: FileFinding<ShownFile>, { made }: ShownFile, report: PrintedReport): void {
  const { terminal, text } = report;
  const failed = file.checks.filter(({ ok }) => ok === false);
  if (failed.length === 0) return;
  const { verdict } = text;
  const explained = failed.slice(0, MAX_EXPLAINED).map((check) => explain(check, text));
  printTable(terminal, [[verdict.failedReason(failed.length, made)], ...explained.map((text) => [text])]);
  if (!report.isVerbose) printFailedChecks(failed, report);
}

/** Where it failed, the check's name for people, and what its failure means. */
function explain({ name, place }: PlacedCheck, text: Text): string {
  const meaning = `${text.checkTexts[name].name}: ${text.checkTexts[name].broken}`;
  const [list, index] = place.split("/");
  if (index === undefined) return meaning;
  const part = list === "seals" ? text.verdict.inRoot(index) : text.verdict.inTurn(String(Number(index) + 1));
  return `${part}: ${meaning}`;
}
