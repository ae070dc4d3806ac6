// The report on many files: a headline, a line for each file, the worst first, and what they show together.
import type { FileFinding, SessionFindings } from "../../../evidence/reader/session/findings.ts";
import { withHistory } from "../../../evidence/reader/text/sentence.ts";
import type { Outcome } from "../../../evidence/reader/verdict.ts";
import { bold } from "../output/terminal.ts";
import { printCaveats } from "./caveats.ts";
import {
  kindOf,
  MAX_LISTED,
  type PrintedReport,
  printAnchors,
  printChecks,
  printFailedChecks,
  printFork,
  printOpenPoints,
  reasonOf,
  STYLES,
} from "./rows.ts";
import type { ShownFile } from "./shown.ts";

const WORST_FIRST: readonly Outcome[] = ["does_not_hold", "unreadable", "holds_so_far", "holds"];

export function printMany(findings: SessionFindings<ShownFile>, report: PrintedReport): void {
  const { files } = findings;
  const { terminal, text, isVerbose } = report;
  terminal.print(STYLES[findings.outcome](headlineOf(findings, report)));
  const isListed = ({ outcome, unavailable }: FileFinding<ShownFile>) =>
    isVerbose || files.length <= MAX_LISTED || unavailable !== null || !outcome.startsWith("holds");
  const sorted = WORST_FIRST.flatMap((outcome) => files.filter((file) => file.outcome === outcome));
  for (const file of sorted.filter(isListed)) printLine(file, report);
  printTogether(findings, report);
  printCaveats(findings, report);
  printAnchors(findings, report);
  printOpenPoints([...new Set(files.flatMap(({ shown }) => shown?.openPoints ?? []))], report);
  const counts = WORST_FIRST.flatMap((outcome) => {
    const count = files.filter((file) => file.outcome === outcome).length;
    return count === 0 ? [] : [`${count} × ${text.overview.state[outcome]}`];
  });
  terminal.print(`${text.overview.inAll}: `, bold(counts.join(", ")));
}

function headlineOf({ files, outcome }: SessionFindings<ShownFile>, { text }: PrintedReport): string {
  const count = files.filter((file) => file.outcome === outcome).length;
  const { overview } = text;
  // Every file holds by itself, and yet the whole does not.
  if (outcome === "does_not_hold" && count === 0) return overview.contradiction;
  const sentence = overview[outcome](count, files.length);
  const checks = files.flatMap((file) => file.checks);
  return outcome === "holds_so_far" ? withHistory(text, sentence, checks) : sentence;
}

function printLine(file: FileFinding<ShownFile>, report: PrintedReport): void {
  const { terminal, text, isVerbose } = report;
  const { outcome, checks } = file;
  const state = text.overview.state[outcome];
  const verdict = STYLES[outcome](outcome === "holds_so_far" ? withHistory(text, state, checks) : state);
  const reason = reasonOf(file, text);
  terminal.print(bold(file.file), kindOf(file, text), ": ", verdict, reason === null ? "" : `: ${reason}`);
  printFork(file, report);
  if (isVerbose) printChecks(file.checks, report);
  else
    printFailedChecks(
      file.checks.filter(({ ok }) => ok === false),
      report,
    );
}

function printTogether({ together, pages }: SessionFindings<ShownFile>, report: PrintedReport): void {
  if (together === null) return;
  const { terminal, text } = report;
  const { overview } = text;
  terminal.print(bold(overview.together), ": ", STYLES[together.outcome](overview.state[together.outcome]));
  printChecks(together.checks, report);
  for (const { interactionId, first, last, files } of pages)
    terminal.print(overview.pages(interactionId, first, last, files.join(", ")));
}
