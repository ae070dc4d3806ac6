// The modules that a source names, found by pattern: the repository's formatter leaves few ways to write an import.
import { dirname, join, normalize } from "node:path/posix";

const STATIC_IMPORT = /^\s*(?:import|export)\s(?:[^"'`;]*?\sfrom\s*)?["']([^"']+)["']/gm;
// A name that is partly computed is known by the folder that it begins with.
const DYNAMIC_IMPORT = /\bimport\(\s*(?:["']([^"']+)["']\s*[,)]|`([^`$]+\/)\$\{)?/g;
const COMMENT = /^\s*\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** The source without the comments that begin a line. */
export const codeOf = (source: string): string => source.replaceAll(COMMENT, "");

/** Every module that a source names, for types too; a name that is computed comes out as `(computed)`. */
export function importsOf(source: string): string[] {
  const code = codeOf(source);
  return [...code.matchAll(STATIC_IMPORT), ...code.matchAll(DYNAMIC_IMPORT)].map(
    ([, name, folder]) => name ?? folder ?? "(computed)",
  );
}

/** The path from the repository's root of a module that a file names relative to itself. */
export const targetOf = (file: string, imported: string): string => normalize(join(dirname(file), imported));

/** Each file, and the files of the graph that it imports. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

export function importGraphOf(sources: ReadonlyMap<string, string>): ImportGraph {
  const targets = (file: string, source: string): string[] =>
    importsOf(source)
      .filter((imported) => imported.startsWith("."))
      .map((imported) => targetOf(file, imported))
      .filter((target) => sources.has(target));
  return new Map([...sources].map(([file, source]) => [file, [...new Set(targets(file, source))]]));
}
