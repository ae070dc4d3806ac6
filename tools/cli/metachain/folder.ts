// A metachain in a folder, in the form in which `mirror` leaves it.
import { join } from "node:path";
import { MAX_ROOT_BYTES } from "../../../contract/limits.ts";
import {
  HEAD_FILE,
  HEAD_PATH,
  logFilePath,
  rootPath,
  timestampPath,
} from "../../../contract/metachain-paths.ts";
import { layerPath, POLICY_FILE, POLICY_PATH } from "../../../contract/policy-paths.ts";
import type { LogSource, MetachainSource } from "../../../evidence/reader/metachain.ts";
import { exists, readBytes } from "../files/read-file.ts";
import { unavailable } from "./http-reader.ts";
import type { PolicySource } from "./policy-source.ts";

export class FolderMetachain implements MetachainSource, LogSource, PolicySource {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  async head(): Promise<Uint8Array> {
    const bytes = await this.read(HEAD_FILE);
    if (bytes === null) throw unavailable(`there is no ${HEAD_FILE} in ${this.name}`);
    return bytes;
  }

  async root(index: number): Promise<Uint8Array | null> {
    const bytes = await this.read(rootPath(index));
    // A folder that is not a mirror must not be taken for a mirror in which this root is not published.
    if (bytes === null && !(await exists(join(this.name, HEAD_PATH)))) {
      throw unavailable(`there is no ${HEAD_PATH} in ${this.name}`);
    }
    return bytes;
  }

  timestamp(index: number, n: number): Promise<Uint8Array | null> {
    return this.read(timestampPath(index, n));
  }

  layer(digest: string): Promise<Uint8Array | null> {
    return this.read(layerPath(digest));
  }

  logFile(path: string): Promise<Uint8Array | null> {
    return this.read(logFilePath(path));
  }

  policyList(path: string): Promise<Uint8Array | null> {
    return this.read(policyFileName(path));
  }

  /** The bytes of one of its files, or null. Throws `publication_unavailable` for a file that can't be read. */
  async read(path: string): Promise<Uint8Array | null> {
    const file = join(this.name, path);
    if (!(await exists(file))) return null;
    try {
      return await readBytes(file, MAX_ROOT_BYTES);
    } catch (cause) {
      throw unavailable(`${file} can't be read`, cause);
    }
  }
}

/** Where a folder has a file of the wording policy: its index has a name of its own. */
export const policyFileName = (path: string): string => (path === POLICY_PATH ? POLICY_FILE : path);
