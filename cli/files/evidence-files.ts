// The files that a command line names: each by itself, and of a folder every file of evidence in it.
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { HEAD_FILE } from "../../contract/metachain-paths.ts";
import { LAYERS_FOLDER, POLICY_FILE } from "../../contract/policy-paths.ts";
import { INDEX_FILE } from "../../reader/history-files.ts";
import { UsageError } from "../command.ts";
import { STANDARD_INPUT } from "./read-file.ts";

/** Evidence, and what goes with it: certificates and policies of a folder are told, and not believed. */
const EXTENSIONS = [".json", ".tlog-proof", ".cose", ".pem", ".policy"] as const;

export interface NamedFile {
  readonly path: string;
  /** True where the reader named this file itself, and not a folder that it happens to be in. */
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

/** A published policy layer in a mirror, which is named by its digest. */
const isLayer = (path: string): boolean => join("/", dirname(path)).endsWith(join("/", LAYERS_FOLDER));

/** A history may lie in the same folder: its index, and the heads beside it, are no evidence either. */
function withoutHistories(paths: readonly string[]): string[] {
  const isIn = (path: string, index: string): boolean => path.startsWith(join(dirname(index), "chains/"));
  const indices = paths
    .filter((path) => basename(path) === INDEX_FILE)
    .filter((index) => paths.some((path) => isIn(path, index)));
  return paths.filter((path) => !indices.some((index) => path === index || isIn(path, index)));
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
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => EXTENSIONS.some((extension) => path.endsWith(extension)) || isLayer(path))
    // The indices of a mirror, which may lie in the same folder, are no evidence.
    .filter((path) => ![HEAD_FILE, POLICY_FILE].some((index) => join("/", path).endsWith(join("/", index))));
  const evidence = withoutHistories(paths);
  if (evidence.length === 0) throw new UsageError(`there is no ${EXTENSIONS.join(", ")} file in ${folder}`);
  return evidence.sort().map((path) => ({ path, isNamed: false }));
}
