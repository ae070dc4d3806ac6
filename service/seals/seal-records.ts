// The records of all seals in the table: committed, frozen, marked as published, and completed with later tokens.
import { randomUUID } from "node:crypto";
import { METACHAIN_ID } from "../../contract/table.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import type { Seal, TsaTimestamp } from "../../evidence/core/formats/metachain.ts";
import { formatNode, parseNode } from "../../evidence/core/merkle/hash.ts";
import { rootAt } from "../../evidence/core/merkle/merkle-tree.ts";
import { Log } from "../ledger/log.ts";
import { isAbsent, isEqual } from "../table/condition.ts";
import { readCovering } from "../table/covering.ts";
import type { Item } from "../table/item.ts";
import { incompleteKey, SEALS_PARTITION, spanFrom, spanKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { type MetachainHead, readMetachainHead } from "./metachain-entry.ts";
import {
  type FinalSeal,
  readFinal,
  readSeal,
  type SealedTree,
  type SealRecord,
  sealItem,
  sealKey,
} from "./seal-item.ts";

/** `tokenless` seals were published without any token, `incomplete` ones with fewer than were wanted. */
const MISSING_TOKENS = ["tokenless", "incomplete"] as const;
export type MissingTokens = (typeof MISSING_TOKENS)[number];

/** The newest, which may still be unpublished, and the one before it. */
const NEWEST_SEALS = 2;

export class SealRecords {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** The newest seal, or null before the first. */
  async newest(): Promise<SealRecord | null> {
    return readOrNull(await this.#table.newest(SEALS_PARTITION));
  }

  /** The newest seals, newest first, `limit` at most. */
  async newestFirst(limit: number): Promise<SealRecord[]> {
    const items = await this.#table.query({ partition: SEALS_PARTITION, descending: true, limit });
    return items.map(readSeal);
  }

  /** The newest published seal, or null before the first: no seal is committed before the one before it is published. */
  async newestPublished(): Promise<SealRecord | null> {
    return (await this.newestFirst(NEWEST_SEALS)).find(({ isPublished }) => isPublished) ?? null;
  }

  /** The seals that continue from this size of the metachain's tree on, in order, `limit` at most. */
  async from(size: number, limit: number): Promise<SealRecord[]> {
    const items = await this.#table.query({ partition: SEALS_PARTITION, from: spanFrom(size), limit });
    return items.map(readSeal);
  }

  /** The seal that continues from exactly this size of the metachain's tree, or null. */
  async at(fromSize: number): Promise<SealRecord | null> {
    return readOrNull(await this.#table.get(spanKey(SEALS_PARTITION, fromSize)));
  }

  /** The first seal whose tree holds the metachain entry `leafIndex`, or null where none does yet. */
  async over(leafIndex: number): Promise<SealRecord | null> {
    const recordOver = await this.overAll([leafIndex]);
    return recordOver(leafIndex);
  }

  /** The same for many entries, in few queries. */
  async overAll(leafIndices: readonly number[]): Promise<(leafIndex: number) => SealRecord | null> {
    const itemOver = await readCovering(this.#table, SEALS_PARTITION, leafIndices);
    return (leafIndex) => {
      const record = readOrNull(itemOver(leafIndex));
      return record !== null && record.tree.tree_size > leafIndex ? record : null;
    };
  }

  /** The same as `shownOverAll`, for one entry. */
  async shownOver(leafIndex: number): Promise<SealRecord | null> {
    const recordOver = await this.shownOverAll([leafIndex]);
    return recordOver(leafIndex);
  }

  /**
   * The same for what readers are told: entries without a published seal are not published yet, and none behind them is.
   * Throws `ledger_corrupt` where a later published seal says that one is missing, or is not marked any more.
   */
  async shownOverAll(leafIndices: readonly number[]): Promise<(leafIndex: number) => SealRecord | null> {
    const recordOver = await this.overAll(leafIndices);
    if (leafIndices.every((leafIndex) => recordOver(leafIndex)?.isPublished)) return recordOver;
    const size = (await this.newestPublished())?.tree.tree_size ?? 0;
    const isMissing = (over: typeof recordOver) =>
      leafIndices.some((leafIndex) => leafIndex < size && !over(leafIndex)?.isPublished);
    if (!isMissing(recordOver)) return recordOver;
    // They may have been published between the two reads.
    const again = await this.overAll(leafIndices);
    if (!isMissing(again)) return again;
    throw new DisclosureError("ledger_corrupt", "a published seal is missing from the table");
  }

  /**
   * Seals what the metachain has grown since `previous`. Returns the seal after it: ours, or that of a run which was
   * faster; `previous` itself where there is nothing to seal. Throws `clock_off`, `ledger_unavailable`.
   */
  async commit(previous: SealRecord | null): Promise<SealRecord | null> {
    const head = await readMetachainHead(this.#table);
    // The time is asked for after the head was read: a seal is not older than the receipts under it, however long this
    // process was frozen in between.
    const now = await this.#table.confirmedTime();
    const previousSize = previous?.tree.tree_size ?? 0;
    const size = head === null ? 0 : head.leaf.leafIndex + 1;
    if (size < previousSize)
      throw new DisclosureError("ledger_corrupt", "the metachain is shorter than its seals");
    if (head === null || size === previousSize) return previous;
    const path = previous === null ? [] : await this.#consistencyPath(previous.tree, head);
    const item = sealItem(nextTree(previous, head, path, now), head.receiptsTotal);
    // One seal follows another, as its key is the size that it continues from: of two runs that overlap, one commits
    // and both publish the same.
    const outcome = await this.#table.transact([{ insert: item }], randomUUID());
    return outcome.kind === "committed" ? readSeal(item) : this.at(previousSize);
  }

  /** The path begins at the root that was sealed and not at the table's: the next published root must follow from it. */
  #consistencyPath({ tree_size: size, merkle_root }: SealedTree, { leaf }: MetachainHead) {
    const log = new Log(this.#table, METACHAIN_ID);
    return log.consistencyPath({ size, root: parseNode(merkle_root) }, leaf.leafIndex + 1);
  }

  /** Fixes the bytes to be published, once: returns ours, or those that another run has frozen before. */
  async freeze(tree: SealedTree, seal: Seal): Promise<FinalSeal> {
    const [key, text] = [sealKey(tree), JSON.stringify(seal)];
    const isOurs = await this.#table.update({ key, set: { text: { S: text } }, when: isAbsent("text") });
    return isOurs ? { seal, text } : readFinal((await this.#table.get(key)) ?? {}, tree);
  }

  async markPublished(tree: SealedTree): Promise<void> {
    await this.#table.update({ key: sealKey(tree), set: { published: { BOOL: true } } });
  }

  /** Adds a published token as the next of the seal's later ones. Does nothing where another run has added one. */
  async addLaterToken({ tree, later }: SealRecord, token: TsaTimestamp): Promise<void> {
    const set = { later: { S: JSON.stringify([...later, token]) } };
    const when = later.length === 0 ? isAbsent("later") : isEqual("later", { S: JSON.stringify(later) });
    await this.#table.update({ key: sealKey(tree), set, when });
  }

  /** The published seals that lack tokens, oldest first, each by the size that it continues from. */
  async incomplete(): Promise<Record<MissingTokens, readonly number[]>> {
    const item = await this.#table.get(incompleteKey);
    const sizesOf = (missing: MissingTokens): number[] =>
      (item?.[missing]?.NS ?? []).map(Number).sort((a, b) => a - b);
    return { tokenless: sizesOf("tokenless"), incomplete: sizesOf("incomplete") };
  }

  /** Records which tokens a seal lacks, or that it lacks none. Safe to repeat: sets are changed, never replaced. */
  async recordMissing(fromSize: number, missing: MissingTokens | null): Promise<void> {
    const size = { NS: [String(fromSize)] };
    const takeFromSets: Item = {};
    for (const name of MISSING_TOKENS) if (name !== missing) takeFromSets[name] = size;
    const addToSets: Item = missing === null ? {} : { [missing]: size };
    await this.#table.update({ key: incompleteKey, addToSets, takeFromSets });
  }
}

const readOrNull = (item: Item | null): SealRecord | null => (item === null ? null : readSeal(item));

function nextTree(
  previous: SealRecord | null,
  { leaf, receiptsTotal }: MetachainHead,
  path: Uint8Array[],
  now: Date,
): SealedTree {
  const clock = now.toISOString();
  const previousInstant = previous?.tree.sealed_at ?? clock;
  return {
    index: previous === null ? 0 : previous.tree.index + 1,
    merkle_root: formatNode(rootAt(leaf)),
    tree_size: leaf.leafIndex + 1,
    previous_root: previous?.tree.merkle_root ?? null,
    previous_tree_size: previous?.tree.tree_size ?? 0,
    consistency_path: path.map(formatNode),
    receipt_count: receiptsTotal - (previous?.receiptsTotal ?? 0),
    sealed_at: previousInstant > clock ? previousInstant : clock,
  };
}
