// The parts of a report of `verify` that are the same for one file and for many.
import { fullName, type PlacedCheck } from "../../../evidence/core/verify/check.ts";
import type { FileFinding, SessionFindings } from "../../../evidence/reader/session/findings.ts";
import type { Text } from "../../../evidence/reader/text/text.ts";
import type { Problem } from "../../../evidence/reader/unreadable.ts";
import type { Outcome } from "../../../evidence/reader/verdict.ts";
import { printTable } from "../output/table.ts";
import { dim, green, red, type StyledText, type Terminal, yellow } from "../output/terminal.ts";
import type { ShownFile } from "./shown.ts";

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
  readonly text: Text;
  /** Every check of every file, and not only those that failed. */
  readonly isVerbose: boolean;
}

export const kindOf = ({ kind }: FileFinding<ShownFile>, text: Text): string =>
  kind === null ? "" : ` (${text.overview.kinds[kind]})`;

/** Why the file, or the list of published roots, could not be read; null where both could. */
export function reasonOf({ problem, unavailable }: FileFinding<ShownFile>, text: Text): string | null {
  if (problem !== null) return explain(problem, text);
  return unavailable === null ? null : uncompared(unavailable, text);
}

/** English names the very place that can't be read; other languages have the sentence of the page. */
const explain = ({ reason, detail }: Problem, { locale, problems }: Text): string =>
  locale.startsWith("en") ? detail : problems[reason];

export const uncompared = (reason: string, { open }: Text): string => `${open.unavailable} (${reason})`;

/** The two trees that a log signed. */
export function printFork({ fork }: FileFinding<ShownFile>, { terminal, text }: PrintedReport): void {
  if (fork === null) return;
  terminal.print("  ", red(text.fork.signed(fork.origin)));
  for (const { size, root } of fork.trees) terminal.print("  ", text.fork.tree(size, root));
  terminal.print("  ", text.fork.keep);
}

/** The rows of what failed, which are shown whether the reader asked for rows or not. */
export function printFailedChecks(failed: readonly PlacedCheck[], report: PrintedReport): void {
  printChecks(failed.slice(0, MAX_LISTED), report);
  const more = failed.length - MAX_LISTED;
  if (more > 0) report.terminal.print("  ", `+ ${more} (--verbose)`);
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

export function printOpenPoints(points: readonly string[], { terminal, text }: PrintedReport): void {
  if (points.length === 0) return;
  terminal.print(text.open.heading);
  printTable(
    terminal,
    points.map((point) => ["–", point]),
  );
}

/** Names the certificates that the shown times rest on. */
export function printAnchors(
  { files, usedAnchors }: SessionFindings<ShownFile>,
  { terminal, text }: PrintedReport,
): void {
  const shown = new Set(files.flatMap((file) => file.shown?.anchors ?? []));
  printTable(
    terminal,
    usedAnchors
      .filter(({ fingerprint }) => shown.has(fingerprint))
      .map(({ subject, fingerprint, source }) => {
        const from = source.kind === "reader" ? text.anchor.reader(source.file) : text.anchor.known;
        return [`${text.anchor.heading}: ${subject}. ${text.anchor.fingerprint}: ${fingerprint}. ${from}`];
      }),
  );
}

export function markOf(ok: boolean | null): StyledText {
  if (ok === null) return dim("–");
  return ok ? green("✓") : red("✗");
}
