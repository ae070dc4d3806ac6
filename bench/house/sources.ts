// The repository's sources, by folder: files in TypeScript, and those in Python.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path/posix";

const ROOT = join(import.meta.dirname, "../..");
/** Folders that are fetched or built, and the tests, which obey other rules. */
const NOT_SOURCES = new Set(["test", "node_modules", "dist", "cdk.out", "coverage"]);

const filesNamed =
  (extension: string) =>
  (folder: string): string[] =>
    existsSync(join(ROOT, folder))
      ? readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
          .filter((name) => name.endsWith(extension) && !name.includes("node_modules/"))
          .sort()
          .map((name) => `${folder}${name}`)
      : [];

/** The files of a folder and of the folders in it; a folder that does not exist has none. */
export const filesIn = filesNamed(".ts");
export const pythonFilesIn = filesNamed(".py");

export const readSource = (file: string): string => readFileSync(join(ROOT, file), "utf8");

export const lineCount = (source: string): number => source.trimEnd().split("\n").length;

/** Every folder at the top that has sources, its name with a slash at the end. */
export const sourceFolders = (): string[] =>
  readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NOT_SOURCES.has(entry.name) && !entry.name.startsWith("."))
    .map((entry) => `${entry.name}/`)
    .filter((folder) => filesIn(folder).length > 0);
