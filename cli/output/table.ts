// Columns of text, as wide as their widest cell.
import { printable } from "./printable.ts";
import type { Terminal, Text } from "./terminal.ts";

const INDENT = "  ";
/** A wider cell is not padded to: it would push the next column out of sight. */
const MAX_WIDTH = 40;

/** Prints each row on a line of its own, indented. */
export function printTable(terminal: Terminal, rows: readonly (readonly Text[])[]): void {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, i) => widthOf(rows, i));
  for (const row of rows) {
    const cells = row.flatMap((cell, i) =>
      i === row.length - 1 ? [cell] : [cell, padding(cell, widths[i] ?? 0)],
    );
    terminal.print(INDENT, ...cells);
  }
}

const widthOf = (rows: readonly (readonly Text[])[], column: number): number =>
  Math.min(MAX_WIDTH, Math.max(...rows.map((row) => lengthOf(row[column] ?? ""))));

const padding = (cell: Text, width: number): string => " ".repeat(Math.max(0, width - lengthOf(cell)) + 2);

const lengthOf = (cell: Text): number => [...printable(typeof cell === "string" ? cell : cell.text)].length;
