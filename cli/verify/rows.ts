// The parts of a report of `verify` that are the same for one file and for many.
import { fullName, type PlacedCheck } from "../../reader/examination.ts";
import type { Outcome } from "../../reader/verdict.ts";
import { printTable } from "../output/table.ts";
import { dim, green, red, type StyledText, type Terminal, yellow } from "../output/terminal.ts";
import type { NamedAnchor } from "./context.ts";
import type { FileResult } from "./results.ts";
import type { Words } from "./words.ts";

/** With more rows than this, the rest is counted and not listed. */
export const MAX_LISTED = 20;

export const STYLES: Readonly<Record<Outcome, (text: string) => StyledText>> = {
  holds: green,
  holds_so_far: yellow,
  does_not_hold: red,
  unreadable: red,
};

export interface PrintedReport {
  readonly terminal: Terminal;
  readonly words: Words;
  /** Every check of every file, and not only those that failed. */
  readonly isVerbose: boolean;
}

export const kindOf = ({ kind }: FileResult, { summary }: Words): string =>
  kind === null ? "" : ` (${summary.kind[kind]})`;

/** The rows of what failed, which are shown whether the reader asked for rows or not. */
export function printFailedChecks(failed: readonly PlacedCheck[], report: PrintedReport): void {
  printChecks(failed.slice(0, MAX_LISTED), report);
  const more = failed.length - MAX_LISTED;
  if (more > 0) report.terminal.print("  ", report.words.summary.failedRows(more));
}

export function printChecks(checks: readonly PlacedCheck[], { terminal }: PrintedReport): void {
  printTable(
    terminal,
    checks.map((check) => [
      markOf(check.ok),
      fullName(check),
      check.ok === null ? dim(check.detail) : check.detail,
    ]),
  );
}

export function printOpenPoints(points: readonly string[], { terminal, words }: PrintedReport): void {
  if (points.length === 0) return;
  terminal.print(words.summary.open.heading);
  printTable(
    terminal,
    points.map((point) => ["–", point]),
  );
}

/** Names the certificates that the timestamps rest on. */
export function printAnchors(anchors: readonly NamedAnchor[], { terminal, words }: PrintedReport): void {
  printTable(
    terminal,
    anchors.map(({ subject, fingerprint, file }) => [words.summary.anchor(subject, fingerprint, file)]),
  );
}

export function markOf(ok: boolean | null): StyledText {
  if (ok === null) return dim("–");
  return ok ? green("✓") : red("✗");
}
