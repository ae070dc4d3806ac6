// The entries of the metachain as an audit walks them: every leaf and tile recomputed, the root at every seal's size, and
// no label twice. With a state file, an audit goes on at the last tile that an earlier one walked to the end.
import { equalBytes } from "../../../evidence/core/bytes.ts";
import { isDisclosureError } from "../../../evidence/core/errors.ts";
import type { Metachain, Seal } from "../../../evidence/core/formats/metachain.ts";
import { SEED_WORDS } from "../../../evidence/core/log/label-set.ts";
import { parseNode } from "../../../evidence/core/merkle/hash.ts";
import { type WalkableEnd, walkableEnd } from "../../../evidence/reader/log-bundles.ts";
import { LogReader, type Walked } from "../../../evidence/reader/log-reader.ts";
import type { LogSource, MetachainSource } from "../../../evidence/reader/metachain.ts";
import { type AuditFault, addFaultOnce, type Tally } from "./audit-tally.ts";

export class AuditedLog {
  readonly #reader: LogReader;
  readonly #tally: Tally;
  /** The root that the walk is on its way to. */
  #index: number | null = null;
  #isOver = false;
  /** When the first seal was made whose entries are not published yet, as it states; null where there is none. */
  readonly waitingSince: string | null;

  private constructor(
    source: LogSource,
    { end, waitingSince }: WalkableEnd,
    walked: Walked | undefined,
    tally: Tally,
  ) {
    this.#tally = tally;
    this.waitingSince = waitingSince;
    this.#reader = new LogReader({
      read: source.logFile.bind(source),
      end,
      seed: crypto.getRandomValues(new Uint32Array(SEED_WORDS)),
      ...(walked !== undefined && { walked }),
      onDouble: (earlier, later) => {
        this.#addFault(
          "labels",
          `entries ${earlier} and ${later} have one label: a chain has two heads of one number`,
        );
      },
    });
  }

  /** `walked` is how far an earlier audit came. */
  static async open(
    source: MetachainSource & LogSource,
    { latest }: Metachain,
    walked: Walked | undefined,
    tally: Tally,
  ): Promise<AuditedLog> {
    const end = await walkableEnd(latest, source, (path) => source.logFile(path));
    return new AuditedLog(source, end, walked, tally);
  }

  get reader(): LogReader {
    return this.#reader;
  }

  /** Walks the entries under a root. After a file that is missing or wrong, no further one is walked. */
  async check({ index, tree_size, merkle_root }: Seal): Promise<void> {
    // The files of the newest roots may not be published yet: the next audit walks them.
    if (this.#isOver || tree_size > this.#reader.end || tree_size <= this.#tally.entries) return;
    this.#index = index;
    try {
      const root = await this.#reader.rootAt(tree_size);
      if (root !== null && equalBytes(root, parseNode(merkle_root))) this.#tally.entries = tree_size;
      else this.#addFault("entries", "the entries do not lead to this root");
    } catch (error) {
      if (!isDisclosureError(error, "proof_invalid")) throw error;
      this.#isOver = true;
      this.#addFault("entries", `${error.message}; no entry behind it was walked`);
    }
  }

  /** An audit that goes on behind a fault meets it again. */
  #addFault(check: AuditFault["check"], detail: string): void {
    addFaultOnce(this.#tally, { index: this.#index, check, detail });
  }
}
