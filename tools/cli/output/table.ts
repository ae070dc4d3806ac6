// Columns of text, as wide as their widest cell; on a terminal the last one is broken into lines that fit.

import { printable } from "../../../evidence/core/printable.ts";
import { count } from "../../../evidence/core/verify/count.ts";
import { red, type StyledText, type Terminal } from "./terminal.ts";

const INDENT = "  ";
const GAP = 2;
/** Columns are padded to at most this width: a wider cell would push the next column out of sight. */
const MAX_WIDTH = 40;
/** With less room than this, the terminal itself breaks lines better. */
const MIN_ROOM = 24;

/** Prints each row, indented. */
export function printTable(terminal: Terminal, rows: readonly (readonly StyledText[])[]): void {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, i) => widthOf(rows, i));
  for (const row of rows) {
    const [last = "", ...before] = row.toReversed();
    const cells = before.toReversed().flatMap((cell, i) => [cell, padding(cell, widths[i] ?? 0)]);
    const start = INDENT.length + cells.reduce((sum, cell) => sum + lengthOf(cell), 0);
    const [first = "", ...more] = linesOf(last, terminal.columns - start);
    terminal.print(INDENT, ...cells, first);
    for (const line of more) terminal.print(" ".repeat(start), line);
  }
}

/** Prints a row for each listed fault and how many there are in all; nothing where there is no fault. */
export function printFaults(
  terminal: Terminal,
  rows: readonly (readonly StyledText[])[],
  total: number,
): void {
  if (total === 0) return;
  terminal.print(red(count(total, "fault")));
  printTable(terminal, rows);
  if (total > rows.length) terminal.print(`${INDENT}and ${total - rows.length} more`);
}

/** The text in lines of at most `room` characters, broken at spaces alone: a hash stays whole. */
function linesOf(text: StyledText, room: number): StyledText[] {
  if (lengthOf(text) <= room || room < MIN_ROOM) return [text];
  const lines: string[] = [];
  for (const word of printable(textOf(text)).split(" ")) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && lengthOf(longer) > room) lines.push(word);
    else lines[Math.max(0, lines.length - 1)] = longer;
  }
  return lines.map((line) => (typeof text === "string" ? line : { ...text, text: line }));
}

const widthOf = (rows: readonly (readonly StyledText[])[], column: number): number =>
  Math.min(MAX_WIDTH, Math.max(...rows.map((row) => lengthOf(row[column] ?? ""))));

const padding = (cell: StyledText, width: number): string =>
  " ".repeat(Math.max(0, width - lengthOf(cell)) + GAP);

const textOf = (cell: StyledText): string => (typeof cell === "string" ? cell : cell.text);

const lengthOf = (cell: StyledText): number => [...printable(textOf(cell))].length;
