// A seal as it stands in the table: what the metachain's tree was when it was sealed, and how far publishing has come.

import { randomUUID } from "node:crypto";
import { METACHAIN_ID } from "../../contract/table.ts";
import { canonicalize } from "../../core/canonical-json.ts";
import { DisclosureError } from "../../core/errors.ts";
import {
  type Seal,
  sealSchema,
  type TsaTimestamp,
  tsaTimestampSchema,
} from "../../core/formats/metachain.ts";
import { formatNode, parseNode } from "../../core/merkle/hash.ts";
import { rootAt } from "../../core/merkle/merkle-tree.ts";
import { Log } from "../ledger/log.ts";
import { integerOf, jsonOf, textOf } from "../table/attributes.ts";
import { SEALS_PARTITION, spanFrom, spanKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import type { Item } from "../table/transaction-outcome.ts";
import { type MetachainHead, readMetachainHead } from "./metachain-entry.ts";

/** A seal before its timestamps. */
const sealedTreeSchema = sealSchema.omit({ tsa_timestamp: true, additional_timestamps: true });
export type SealedTree = Omit<Seal, "tsa_timestamp" | "additional_timestamps">;
const laterSchema = tsaTimestampSchema.array();

/** A seal with its timestamps, and the exact bytes in which it is published. */
export interface FinalSeal {
  readonly seal: Seal;
  readonly text: string;
}

export interface SealRecord {
  readonly tree: SealedTree;
  readonly receiptsTotal: number;
  /** Null until its tokens were gathered. */
  readonly final: FinalSeal | null;
  /** Tokens that came later, in the order in which they are published beside the seal. */
  readonly later: readonly TsaTimestamp[];
  /** Whether root and head are public. Until then no report may point at this seal. */
  readonly isPublished: boolean;
}

/** The newest seal, or null before the first. */
export async function readNewestSeal(table: Table): Promise<SealRecord | null> {
  const item = await table.newest(SEALS_PARTITION);
  return item === null ? null : readSeal(item);
}

/** The newest seals, newest first, `limit` at most. */
export async function readNewestSeals(table: Table, limit: number): Promise<SealRecord[]> {
  const items = await table.query({ partition: SEALS_PARTITION, descending: true, limit });
  return items.map(readSeal);
}

/** The seal that continues from this size of the metachain's tree, or null. */
export async function readSealFrom(table: Table, fromSize: number): Promise<SealRecord | null> {
  const item = await table.get(spanKey(SEALS_PARTITION, fromSize));
  return item === null ? null : readSeal(item);
}

/** The first seal whose tree holds the metachain entry `leafIndex`, or null where none does yet. */
export async function readSealOver(table: Table, leafIndex: number): Promise<SealRecord | null> {
  const item = await table.newest(SEALS_PARTITION, spanFrom(leafIndex));
  const record = item === null ? null : readSeal(item);
  return record !== null && record.tree.tree_size > leafIndex ? record : null;
}

/**
 * Seals what the metachain has grown since `previous`. Returns the newest seal: ours, or that of a run which was
 * faster; `previous` itself where there is nothing to seal.
 */
export async function commitSeal(
  table: Table,
  previous: SealRecord | null,
  now: Date,
): Promise<SealRecord | null> {
  const head = await readMetachainHead(table);
  const previousSize = previous?.tree.tree_size ?? 0;
  if (head === null || head.leaf.leafIndex < previousSize) return previous;
  const path = previous === null ? [] : await readConsistencyPath(table, previous.tree, head);
  const item = sealItem(nextTree(previous, head, path, now), head.receiptsTotal);
  // The condition makes one seal follow another: of two runs that overlap, one commits and both publish the same.
  const outcome = await table.transact([table.putIf(item, "attribute_not_exists(pk)")], randomUUID());
  return outcome.kind === "committed" ? readSeal(item) : readNewestSeal(table);
}

/** From the root that was sealed, not from what the table says now: what is published must follow from it. */
function readConsistencyPath(
  table: Table,
  { tree_size: size, merkle_root }: SealedTree,
  { leaf }: MetachainHead,
): Promise<Uint8Array[]> {
  const log = new Log(table, METACHAIN_ID);
  return log.consistencyPath({ size, root: parseNode(merkle_root) }, leaf.leafIndex + 1);
}

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

const keyOf = (tree: SealedTree) => spanKey(SEALS_PARTITION, tree.previous_tree_size);

const sealItem = (tree: SealedTree, receiptsTotal: number): Item => ({
  ...keyOf(tree),
  tree: { S: JSON.stringify(tree) },
  receipts_total: { N: String(receiptsTotal) },
});

/** Throws `ledger_corrupt` where the text is not what was sealed. */
export function readSeal(item: Item): SealRecord {
  const tree = jsonOf(item, "tree", sealedTreeSchema);
  const isPublished = item.published?.BOOL === true;
  const isFinal = isPublished || item.text !== undefined;
  const final = isFinal ? readFinal(item, tree) : null;
  const later = item.later === undefined ? [] : jsonOf(item, "later", laterSchema);
  return { tree, receiptsTotal: integerOf(item, "receipts_total"), final, later, isPublished };
}

/** What is published stands for good, so it is held against what was sealed first. */
function readFinal(item: Item, tree: SealedTree): FinalSeal {
  const seal = jsonOf(item, "text", sealSchema);
  const { tsa_timestamp: _tsa, additional_timestamps: _additional, ...sealed } = seal;
  if (canonicalize(sealed) !== canonicalize(tree)) {
    throw new DisclosureError("ledger_corrupt", "the text of a seal is not what was sealed");
  }
  return { seal, text: textOf(item, "text") };
}

/** Fixes the bytes to be published, once: returns ours, or those that another run fixed before. */
export async function fixSeal(table: Table, tree: SealedTree, seal: Seal): Promise<FinalSeal> {
  const text = JSON.stringify(seal);
  const isOurs = await table.update({
    Key: keyOf(tree),
    UpdateExpression: "SET #text = :text",
    ConditionExpression: "attribute_not_exists(#text)",
    ExpressionAttributeNames: { "#text": "text" },
    ExpressionAttributeValues: { ":text": { S: text } },
  });
  return isOurs ? { seal, text } : readFinal((await table.get(keyOf(tree))) ?? {}, tree);
}

export async function markPublished(table: Table, tree: SealedTree): Promise<void> {
  await table.update({
    Key: keyOf(tree),
    UpdateExpression: "SET published = :yes",
    ExpressionAttributeValues: { ":yes": { BOOL: true } },
  });
}

/** Adds a token that is published beside the seal as the next of its later ones. Where another run has done so: nothing. */
export async function keepLater(
  table: Table,
  { tree, later }: SealRecord,
  token: TsaTimestamp,
): Promise<void> {
  const condition = later.length === 0 ? "attribute_not_exists(later)" : "later = :before";
  await table.update({
    Key: keyOf(tree),
    UpdateExpression: "SET later = :after",
    ConditionExpression: condition,
    ExpressionAttributeValues: {
      ":after": { S: JSON.stringify([...later, token]) },
      ...(later.length > 0 && { ":before": { S: JSON.stringify(later) } }),
    },
  });
}
