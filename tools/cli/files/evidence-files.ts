// The files that a command line names: each by itself, and of a folder every file of evidence in it.
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { HEAD_FILE } from "../../../contract/metachain-paths.ts";
import { LAYERS_FOLDER, POLICY_FILE } from "../../../contract/policy-paths.ts";
import { parseJson } from "../../../evidence/core/canonical-json.ts";
import { isDisclosureError } from "../../../evidence/core/errors.ts";
import { isObject } from "../../../evidence/reader/evidence.ts";
import { INDEX_FILE } from "../../../evidence/reader/history-files.ts";
import { MAX_FILE_BYTES } from "../../../evidence/reader/limits.ts";
import { UsageError } from "../command.ts";
import { readBytes, STANDARD_INPUT } from "./read-file.ts";

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

/** A file of a chain's history: `chains/ID/heads/0.json`. Whatever else lies in a folder of this name is listed. */
const HISTORY_FILE = /^(.*?)chains\/[0-9a-f]{32}\/(?:heads|tile)\//;

/** A history may lie in the same folder: its index, and the heads beside it, are no evidence either. */
async function withoutHistories(paths: readonly string[]): Promise<string[]> {
  const histories = new Set<string>();
  for (const path of paths)
    if (basename(path) === INDEX_FILE && (await isHistoryIndex(path))) histories.add(dirname(path));
  return paths.filter((path) => {
    const [, folder] = HISTORY_FILE.exec(path.replaceAll("\\", "/")) ?? [];
    const isPart = folder !== undefined && histories.has(join(folder, "."));
    return !isPart && !(basename(path) === INDEX_FILE && histories.has(dirname(path)));
  });
}

/** True for the index of a history, and not for evidence that somebody gave this name. */
async function isHistoryIndex(path: string): Promise<boolean> {
  try {
    const value = parseJson(await readBytes(path, MAX_FILE_BYTES));
    return isObject(value) && Array.isArray(value.chains) && Object.hasOwn(value, "tenant_anchor");
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    return false;
  }
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
  const evidence = await withoutHistories(paths);
  if (evidence.length === 0) throw new UsageError(`there is no ${EXTENSIONS.join(", ")} file in ${folder}`);
  return evidence.sort().map((path) => ({ path, isNamed: false }));
}
