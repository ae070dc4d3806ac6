// The newest seals for the time line: their receipts, their tokens with the time that each states, and who cosigned.
import type { ConsoleSeal, ConsoleSeals } from "../../contract/console.ts";
import { BoundedMap } from "../../evidence/core/bounded-map.ts";
import { parseBase64 } from "../../evidence/core/bytes.ts";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import { type TsaTimestamp, timestampsOf } from "../../evidence/core/formats/metachain.ts";
import { parseCheckpoint } from "../../evidence/core/log/checkpoint.ts";
import { sealCheckpoint } from "../../evidence/core/log/log-paths.ts";
import { parseNote } from "../../evidence/core/log/note.ts";
import { parseTimestampToken } from "../../evidence/core/timestamps/timestamp-token.ts";
import type { PublishedRoots } from "../../service/seals/published-roots.ts";
import type { SealRecord } from "../../service/seals/seal-item.ts";
import { SealRecords } from "../../service/seals/seal-records.ts";
import { mapInGroups } from "../../service/table/in-groups.ts";
import type { Table } from "../../service/table/table.ts";

/** Seals of one time line. */
const NEWEST = 40;
const READS_AT_ONCE = 8;
/** Checkpoints that are remembered: they never change. */
const REMEMBERED = 500;

export interface SealServices {
  readonly table: Table;
  readonly roots: Pick<PublishedRoots, "logFile">;
  readonly asksWitnesses: boolean;
}

export class SealLists {
  readonly #services: SealServices;
  readonly #cosigners = new BoundedMap<number, readonly string[]>(REMEMBERED);

  constructor(services: SealServices) {
    this.#services = services;
  }

  async read(): Promise<ConsoleSeals> {
    const { table, asksWitnesses } = this.#services;
    const records = new SealRecords(table);
    const newest = await records.newestFirst(NEWEST);
    const { tokenless, incomplete } = await records.incomplete();
    const lacking = new Set([...tokenless, ...incomplete]);
    const seals = await mapInGroups(newest, READS_AT_ONCE, (record) => this.#describe(record, lacking));
    return { seals: seals.reverse(), asks_witnesses: asksWitnesses };
  }

  async #describe(record: SealRecord, lacking: ReadonlySet<number>): Promise<ConsoleSeal> {
    const { tree, final, later, isPublished } = record;
    const cosigners = isPublished ? await this.#cosignersOf(tree.index) : null;
    return {
      index: tree.index,
      sealed_at: tree.sealed_at,
      receipts: tree.receipt_count,
      is_published: isPublished,
      tokens: final === null ? [] : timestampsOf(final.seal, later).flatMap(describeToken),
      lacks_tokens: lacking.has(tree.previous_tree_size),
      has_checkpoint: cosigners !== null,
      cosigners: [...(cosigners ?? [])],
    };
  }

  /** The names beside the log's own under a seal's checkpoint, none of which is verified here; null where there is none. */
  async #cosignersOf(index: number): Promise<readonly string[] | null> {
    const known = this.#cosigners.get(index);
    if (known !== undefined) return known;
    const file = await this.#services.roots.logFile(sealCheckpoint(index));
    if (file === null) return null;
    const { text, signatures } = parseNote(new TextDecoder().decode(file));
    const names = new Set(signatures.map(({ keyName }) => keyName));
    names.delete(parseCheckpoint(text).origin);
    this.#cosigners.set(index, [...names]);
    return [...names];
  }
}

function describeToken({ timestamp_token, tsa_url }: TsaTimestamp): ConsoleSeal["tokens"] {
  return timestamp_token === null ? [] : [{ authority: tsa_url, time: statedTime(timestamp_token) }];
}

/** Null for a token that can't be read: what does not hold is a finding of its own. */
function statedTime(token: string): string | null {
  try {
    return parseTimestampToken(parseBase64(token)).tstInfo.genTime;
  } catch (error) {
    if (isDisclosureError(error)) return null;
    throw error;
  }
}
