// The files that a command line names: each by itself, and of a folder every file of evidence in it.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { HEAD_FILE } from "../../contract/metachain-paths.ts";
import { UsageError } from "../command.ts";
import { STANDARD_INPUT } from "./read-file.ts";

/** JSON, and what `export` writes. */
const EXTENSIONS = [".json", ".tlog-proof", ".cose"] as const;

export interface NamedFile {
  readonly path: string;
  /** Whether the reader named this file itself, and not a folder that it happens to be in. */
  readonly isNamed: boolean;
}

/**
 * Paths in a fixed order. A file that is not there is listed: it is reported when it is read. Throws `UsageError` for
 * standard input twice, or a folder without a single file.
 */
export async function listEvidenceFiles(named: readonly string[]): Promise<NamedFile[]> {
  if (named.length === 0) throw new UsageError("a file is missing");
  if (named.filter((name) => name === STANDARD_INPUT).length > 1) {
    throw new UsageError("standard input can be read only once");
  }
  const lists: NamedFile[][] = [];
  for (const name of named)
    lists.push((await isFolder(name)) ? await listFolder(name) : [{ path: name, isNamed: true }]);
  return lists.flat();
}

async function isFolder(path: string): Promise<boolean> {
  if (path === STANDARD_INPUT) return false;
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() === true;
}

/** Links to folders are not followed, since they may lead in circles; links to files are. */
async function listFolder(folder: string): Promise<NamedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => !entry.isDirectory() && EXTENSIONS.some((extension) => entry.name.endsWith(extension)))
    .map(({ parentPath, name }) => join(parentPath, name))
    // The head of a mirror, which may lie in the same folder, is no evidence.
    .filter((path) => !join("/", path).endsWith(join("/", HEAD_FILE)));
  if (paths.length === 0) throw new UsageError(`there is no ${EXTENSIONS.join(", ")} file in ${folder}`);
  return paths.sort().map((path) => ({ path, isNamed: false }));
}
