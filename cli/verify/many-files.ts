// The report on many files: a headline, a line for each file, the worst first, and what they show together.
import type { Outcome } from "../../reader/verdict.ts";
import { bold } from "../output/terminal.ts";
import { printCaveats } from "./caveats.ts";
import type { FileResult, Results } from "./results.ts";
import {
  kindOf,
  MAX_LISTED,
  type PrintedReport,
  printAnchors,
  printChecks,
  printFailedChecks,
  printOpenPoints,
  STYLES,
} from "./rows.ts";

const WORST_FIRST: readonly Outcome[] = ["does_not_hold", "unreadable", "holds_so_far", "holds"];

export function printMany(results: Results, report: PrintedReport): void {
  const { files } = results;
  const { terminal, words, isVerbose } = report;
  terminal.print(STYLES[results.outcome](headlineOf(results, report)));
  const isListed = (file: FileResult) =>
    isVerbose || files.length <= MAX_LISTED || !file.outcome.startsWith("holds");
  const sorted = WORST_FIRST.flatMap((outcome) => files.filter((file) => file.outcome === outcome));
  for (const file of sorted.filter(isListed)) printLine(file, report);
  printTogether(results, report);
  printCaveats(results, report);
  printAnchors([...new Set(files.flatMap(({ anchors }) => anchors))], report);
  printOpenPoints([...new Set(files.flatMap(({ openPoints }) => openPoints))], report);
  const counts = WORST_FIRST.flatMap((outcome) => {
    const count = files.filter((file) => file.outcome === outcome).length;
    return count === 0 ? [] : [`${count} × ${words.summary.outcome[outcome]}`];
  });
  terminal.print(`${words.summary.counts}: `, bold(counts.join(", ")));
}

function headlineOf({ files, outcome, together }: Results, { words: { summary } }: PrintedReport): string {
  const count = files.filter((file) => file.outcome === outcome).length;
  if (outcome === "does_not_hold" && count === 0 && together !== null)
    return summary.headline.contradiction(files.filter(({ kind }) => kind !== null).length);
  if (outcome === "does_not_hold") return summary.headline.doNotHold(count, files.length);
  if (outcome === "unreadable") return summary.headline.unreadable(count, files.length);
  return outcome === "holds"
    ? summary.headline.allHold(files.length)
    : summary.headline.allHoldSoFar(files.length);
}

function printLine(file: FileResult, report: PrintedReport): void {
  const { terminal, words, isVerbose } = report;
  const verdict = STYLES[file.outcome](words.summary.outcome[file.outcome]);
  // A file that was read, but whose metachain was not.
  const isCutOff = file.kind !== null && file.outcome === "unreadable";
  const reason = file.reason ?? "";
  if (isCutOff)
    terminal.print(bold(file.file), kindOf(file, words), ": ", words.summary.metachainUnavailable(reason));
  else
    terminal.print(bold(file.file), kindOf(file, words), ": ", verdict, reason === "" ? "" : `: ${reason}`);
  if (isVerbose) printChecks(file.checks, report);
  else
    printFailedChecks(
      file.checks.filter(({ ok }) => ok === false),
      report,
    );
}

function printTogether({ together, conversations }: Results, report: PrintedReport): void {
  if (together === null) return;
  const { terminal, words } = report;
  const outcome = STYLES[together.outcome](words.summary.outcome[together.outcome]);
  terminal.print(bold(words.summary.together), ": ", outcome);
  printChecks(together.checks, report);
  for (const { interactionId, first, last, files } of conversations)
    terminal.print(words.summary.pages(interactionId, first, last, files));
}
