// The repository's sources in TypeScript by folder, and the modules and types that each names, found by pattern: the
// formatter leaves few ways to write an import or a declaration.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path/posix";

const ROOT = join(import.meta.dirname, "../..");
/** Folders that are fetched or built, and the tests, which obey other rules. */
const NOT_SOURCES = new Set(["test", "node_modules", "dist", "cdk.out", "coverage"]);

const STATIC_IMPORT = /^\s*(?:import|export)\s(?:[^"'`;]*?\sfrom\s*)?["']([^"']+)["']/gm;
// A name that is partly computed is known by the folder that it begins with.
const DYNAMIC_IMPORT = /\bimport\(\s*(?:["']([^"']+)["']\s*[,)]|`([^`$]+\/)\$\{)?/g;
const COMMENT = /^\s*\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const TYPE = /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:type|interface|class|enum) (\w+)/gm;

/** The files of a folder and of the folders in it; a folder that does not exist has none. */
export const filesIn = (folder: string): string[] =>
  existsSync(join(ROOT, folder))
    ? readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts") && !name.includes("node_modules/"))
        .sort()
        .map((name) => `${folder}${name}`)
    : [];

/** Every folder at the top that has sources, its name with a slash at the end. */
export const sourceFolders = (): string[] =>
  readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NOT_SOURCES.has(entry.name) && !entry.name.startsWith("."))
    .map((entry) => `${entry.name}/`)
    .filter((folder) => filesIn(folder).length > 0);

export const readSource = (file: string): string => readFileSync(join(ROOT, file), "utf8");

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

/** The names of the types that a source declares at its top level. */
export const typesOf = (source: string): string[] =>
  [...codeOf(source).matchAll(TYPE)].map(([, name = ""]) => name);
