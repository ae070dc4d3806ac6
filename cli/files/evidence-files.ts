// The files that a command line names: each by itself, and of a folder every .json file in it.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "../command.ts";
import { STANDARD_INPUT } from "./read-file.ts";

const EXTENSION = ".json";

/**
 * Paths in a fixed order, without what can't be found out yet: that a file is not there shows when it is read.
 * Throws `UsageError` for standard input twice, or a folder without a single file.
 */
export async function listEvidenceFiles(named: readonly string[]): Promise<string[]> {
  if (named.length === 0) throw new UsageError("a file is missing");
  if (named.filter((name) => name === STANDARD_INPUT).length > 1) {
    throw new UsageError("standard input can be read only once");
  }
  const lists: string[][] = [];
  for (const name of named) lists.push((await isFolder(name)) ? await listFolder(name) : [name]);
  return lists.flat();
}

async function isFolder(path: string): Promise<boolean> {
  if (path === STANDARD_INPUT) return false;
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() === true;
}

/** Links to folders are not followed, since they may lead in circles; links to files are. */
async function listFolder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => !entry.isDirectory() && entry.name.endsWith(EXTENSION))
    .map(({ parentPath, name }) => join(parentPath, name));
  if (files.length === 0) throw new UsageError(`there is no ${EXTENSION} file in ${folder}`);
  return files.sort();
}
