// The lists that should be empty: each names the places in the sources that break one rule of style.
import { basename, dirname } from "node:path/posix";
import { circlesOf } from "./circles.ts";
import { type ImportGraph, importGraphOf } from "./imports.ts";
import type { MeasuredFile } from "./measured-file.ts";
import type { CommentedFile } from "./python-comments.ts";

const MAX_FUNCTION_LINES = 40;
const SMALL_FILE_LINES = 20;
/** A comment that opens with one of these is most often a clause without a sentence around it. */
const HEADLESS = /^(?:What|Whatever|Whose|Which|Whichever|Who|Whoever|Whom|Whether|Of|Not|Nor)\b/;

export interface List {
  readonly title: string;
  readonly entries: readonly string[];
  /** An entry fails the run; the other lists are advice. */
  readonly mustBeEmpty: boolean;
}

/** `python` are looked at for their comments alone. */
export function listsOf(files: readonly MeasuredFile[], python: readonly CommentedFile[] = []): List[] {
  const graph = importGraphOf(new Map(files.map(({ file, source }) => [file, source])));
  const commented = [...files.map(({ file, syntax: { comments } }) => ({ file, comments })), ...python];
  const rule = (title: string, entries: readonly string[]): List => ({ title, entries, mustBeEmpty: true });
  const advice = (title: string, entries: readonly string[]): List => ({
    title,
    entries,
    mustBeEmpty: false,
  });
  return [
    rule(`functions over ${MAX_FUNCTION_LINES} lines`, longFunctions(files)),
    rule("type names declared in more than one file", repeatedTypes(files)),
    rule(
      "import circles, imports of types included",
      circlesOf(graph).map((circle) => circle.join(", ")),
    ),
    advice("files of one folder that differ by a plural", pluralPairs(files)),
    advice("comments that open headless", headlessComments(commented)),
    advice(`files of at most ${SMALL_FILE_LINES} lines with one importer`, filesOfOneImporter(files, graph)),
  ];
}

const longFunctions = (files: readonly MeasuredFile[]): string[] =>
  files.flatMap(({ file, syntax }) =>
    syntax.functions
      .filter(({ lines }) => lines > MAX_FUNCTION_LINES)
      .map(({ name, lines }) => `${file}: ${name}, ${lines} lines`),
  );

function repeatedTypes(files: readonly MeasuredFile[]): string[] {
  const declarations = files.flatMap(({ file, syntax }) => syntax.types.map((name) => ({ name, file })));
  return [...Map.groupBy(declarations, ({ name }) => name)]
    .map(([name, places]) => ({ name, in: [...new Set(places.map(({ file }) => file))] }))
    .filter((type) => type.in.length > 1)
    .map((type) => `${type.name}: ${type.in.join(", ")}`)
    .sort();
}

function pluralPairs(files: readonly MeasuredFile[]): string[] {
  const names = new Set(files.map(({ file }) => file));
  return [...names].flatMap((file) =>
    pluralsOf(basename(file, ".ts"))
      .map((plural) => `${dirname(file)}/${plural}.ts`)
      .filter((plural) => names.has(plural))
      .map((plural) => `${file}, ${plural}`),
  );
}

const pluralsOf = (name: string): string[] => [...new Set([`${name}s`, `${name.replace(/y$/, "ie")}s`])];

const headlessComments = (files: readonly CommentedFile[]): string[] =>
  files.flatMap(({ file, comments }) =>
    comments
      .filter(({ text }) => HEADLESS.test(text))
      .map(({ text, line }) => `${file}:${line}: ${text.split("\n")[0]}`),
  );

/** Files so small that their only importer could hold them. */
function filesOfOneImporter(files: readonly MeasuredFile[], graph: ImportGraph): string[] {
  const importersOf = (file: string): string[] =>
    [...graph].filter(([, targets]) => targets.includes(file)).map(([importer]) => importer);
  return files
    .filter(({ lines }) => lines <= SMALL_FILE_LINES)
    .map(({ file }) => ({ file, importers: importersOf(file) }))
    .filter(({ importers }) => importers.length === 1)
    .map(({ file, importers }) => `${file}, imported by ${importers.join()}`);
}
