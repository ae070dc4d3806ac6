// The files of the log on their way into a mirror's folder: bundles and tiles get their names there once a verified root
// covers them.
import { logFilePath } from "../../../contract/metachain-paths.ts";
import { equalBytes } from "../../../evidence/core/bytes.ts";
import type { Seal } from "../../../evidence/core/formats/metachain.ts";
import { SEED_WORDS } from "../../../evidence/core/log/label-set.ts";
import { parseNode } from "../../../evidence/core/merkle/hash.ts";
import { type WalkableEnd, walkableEnd } from "../../../evidence/reader/log-bundles.ts";
import { LogReader } from "../../../evidence/reader/log-reader.ts";
import type { LogSource, MetachainSource } from "../../../evidence/reader/metachain.ts";
import { type Fetched, invalid, type MirrorFiles } from "./mirror-files.ts";

/** Entries under one root beyond the one before it: far more chains than grow between two seals. They wait in memory. */
export const MAX_ROOT_ENTRIES = 4_194_304;

export class MirroredLog {
  readonly #reader: LogReader;
  readonly #files: MirrorFiles;
  /** Fetched files that no verified root covers yet, by their paths below the log's prefix. */
  readonly #fetched = new Map<string, Fetched>();

  /** When the first seal was made whose entries are not published yet, as it states; null where there is none. */
  readonly waitingSince: string | null;

  private constructor(
    source: LogSource,
    files: MirrorFiles,
    { end, waitingSince }: WalkableEnd,
    compare: boolean,
  ) {
    this.#files = files;
    this.waitingSince = waitingSince;
    this.#reader = new LogReader({
      read: async (path) => {
        const fetched = await files.fetch(logFilePath(path), compare, () => source.logFile(path));
        if (fetched !== null) this.#fetched.set(path, fetched);
        return fetched?.bytes ?? null;
      },
      end,
      seed: crypto.getRandomValues(new Uint32Array(SEED_WORDS)),
      onDouble: (earlier, later) => {
        throw invalid(`entries ${earlier} and ${later} have one label: a chain has two heads of one number`);
      },
    });
  }

  /** Without `compare`, files that the folder has are read from there alone. */
  static async open(
    source: MetachainSource & LogSource,
    latest: Seal | null,
    files: MirrorFiles,
    compare: boolean,
  ): Promise<MirroredLog> {
    const look = (path: string) => files.look(logFilePath(path), () => source.logFile(path));
    return new MirroredLog(source, files, await walkableEnd(latest, source, look), compare);
  }

  /** How many entries are published and walked. */
  get size(): number {
    return this.#reader.size;
  }

  /** Throws `proof_invalid` unless the entries lead to this root. Those of the newest roots may not be published yet. */
  async verify({ index, tree_size, previous_tree_size, merkle_root }: Seal): Promise<void> {
    if (tree_size > this.#reader.end) return;
    // A log states sizes as it likes: before a root is checked, no more is fetched than an honest one can have.
    const added = tree_size - previous_tree_size;
    if (added > MAX_ROOT_ENTRIES)
      throw invalid(
        `root ${index} adds ${added} entries: more than the ${MAX_ROOT_ENTRIES} that any log does`,
      );
    const root = await this.#reader.rootAt(tree_size);
    if (root === null || !equalBytes(root, parseNode(merkle_root))) {
      throw invalid(`the entries do not lead to root ${index}`);
    }
  }

  /** Gives the files that were verified so far their names. */
  async publish(): Promise<void> {
    for (const path of this.#reader.takeWalked()) {
      const fetched = this.#fetched.get(path);
      if (fetched !== undefined) await this.#files.publish(fetched);
      this.#fetched.delete(path);
    }
  }
}
