// The table of sizes: a row for each folder, all of them together, and the tests.
import { medianOf, quantileOf } from "../measuring.ts";
import type { MeasuredFile } from "./measured-file.ts";

const HEADINGS = [
  "folder",
  "files",
  "lines",
  "file median/p90/max",
  "functions",
  "function median/p90/max",
  "exports (a file)",
  "comments",
];

export function sizeTable(groups: ReadonlyMap<string, readonly MeasuredFile[]>): string {
  const rows = [HEADINGS, ...[...groups].map(([name, files]) => sizesOf(name, files))];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => formatRow(row, widths)).join("\n");
}

function sizesOf(name: string, files: readonly MeasuredFile[]): string[] {
  const fileLines = files.map(({ lines }) => lines);
  const functionLines = files.flatMap(({ syntax }) => syntax.functions.map(({ lines }) => lines));
  const exportCount = sum(files.map(({ syntax }) => syntax.exportCount));
  const commentLines = sum(files.flatMap(({ syntax }) => syntax.comments.map(({ ownLines }) => ownLines)));
  return [
    name,
    count(files.length),
    count(sum(fileLines)),
    spread(fileLines),
    count(functionLines.length),
    spread(functionLines),
    `${count(exportCount)} (${(exportCount / files.length).toFixed(1)})`,
    `${((100 * commentLines) / sum(fileLines)).toFixed(0)} %`,
  ];
}

const count = (value: number): string => value.toLocaleString("en-US");

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const spread = (values: readonly number[]): string =>
  values.length === 0 ? "–" : `${medianOf(values)} / ${quantileOf(values, 0.9)} / ${Math.max(...values)}`;

/** The name to the left, numbers to the right. */
const formatRow = (
  [name = "", ...numbers]: readonly string[],
  [first = 0, ...widths]: readonly number[],
): string =>
  [name.padEnd(first), ...numbers.map((text, index) => text.padStart(widths[index] ?? 0))].join("  ");
