// The report of `verify` for people: the verdict first, then whatever is wrong, then what could not be checked.
import type { Check } from "../../core/verify/check.ts";
import { plainName, type Verdict } from "../evidence/verdict.ts";
import { printTable } from "../output/table.ts";
import { bold, dim, green, red, type Terminal, type Text, yellow } from "../output/terminal.ts";
import type { FileResult, VerifyReport } from "./verify.ts";

/** With more files than this, those that hold are counted and not listed. */
const MAX_LISTED = 20;

const VERDICTS: Readonly<Record<Verdict, Text>> = {
  holds: green("holds"),
  holds_so_far: yellow("holds as far as could be checked"),
  does_not_hold: red("does not hold"),
  unreadable: red("could not be read"),
};

export function printReport(report: VerifyReport, terminal: Terminal, isVerbose: boolean): void {
  const [only] = report.files;
  if (report.files.length === 1 && only !== undefined) {
    printFile(only, terminal, only.checks);
    // What holds between the receipts of one file, the file's own checks have said.
    if (report.together?.verdict === "does_not_hold") printTogether(report, terminal);
    printCaveats(report, terminal);
  } else printMany(report, terminal, isVerbose);
}

function printMany(report: VerifyReport, terminal: Terminal, isVerbose: boolean): void {
  const { verdict, files } = report;
  const isListed = (file: FileResult) => files.length <= MAX_LISTED || !file.verdict.startsWith("holds");
  for (const file of files.filter((candidate) => isVerbose || isListed(candidate))) {
    printFile(
      file,
      terminal,
      file.checks.filter(({ ok }) => isVerbose || ok === false),
    );
  }
  printTogether(report, terminal);
  printCaveats(report, terminal);
  printSummary(verdict, files, terminal);
}

function printTogether({ together }: VerifyReport, terminal: Terminal): void {
  if (together === null) return;
  terminal.print(bold("the receipts together"), ": ", VERDICTS[together.verdict]);
  printChecks(together.checks, terminal);
}

function printCaveats({ missing, remarks }: VerifyReport, terminal: Terminal): void {
  if (remarks !== null) terminal.print(yellow(remarks));
  for (const sentence of missing.slice(0, MAX_LISTED)) terminal.print(yellow(sentence));
  if (missing.length > MAX_LISTED)
    terminal.print(yellow(`${missing.length - MAX_LISTED} more conversations are not all here`));
}

function printFile(file: FileResult, terminal: Terminal, checks: readonly Check[]): void {
  const kind = file.kind === null ? "" : ` (${file.kind})`;
  const reason = file.reason === null ? "" : `: ${file.reason}`;
  // Read it was, only not compared with what is published.
  const isCutOff = file.kind !== null && file.verdict === "unreadable";
  const verdict = isCutOff ? red("the metachain could not be read") : VERDICTS[file.verdict];
  terminal.print(bold(file.file), `${kind}: `, verdict, reason);
  printChecks(checks, terminal);
}

function printChecks(checks: readonly Check[], terminal: Terminal): void {
  printTable(
    terminal,
    checks.map(({ name, ok, detail }) => [markOf(ok), name, ok === null ? dim(detail) : detail]),
  );
}

function markOf(ok: boolean | null): Text {
  if (ok === null) return dim("–");
  return ok ? green("✓") : red("✗");
}

function printSummary(verdict: Verdict, files: readonly FileResult[], terminal: Terminal): void {
  const counts = Object.keys(VERDICTS).flatMap((name) => {
    const count = files.filter((file) => file.verdict === name).length;
    return count === 0 ? [] : [`${count} × ${textOf(VERDICTS[name as Verdict])}`];
  });
  terminal.print(`${files.length} files: `, bold(counts.join(", ")));
  const unmade = countUnmade(files);
  if (unmade.length > 0) terminal.print("not checked: ", dim(unmade.join(", ")));
  terminal.print("verdict: ", VERDICTS[verdict]);
}

function countUnmade(files: readonly FileResult[]): string[] {
  const counts = new Map<string, number>();
  for (const check of files.flatMap(({ checks }) => checks)) {
    const name = plainName(check);
    if (check.ok === null) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${name} ×${count}`);
}

const textOf = (text: Text): string => (typeof text === "string" ? text : text.text);
