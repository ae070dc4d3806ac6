// A seal as it stands in the table: what the metachain's tree was when it was sealed, and how far publishing has come.
import { randomUUID } from "node:crypto";
import { parseJson } from "../core/canonical-json.ts";
import { DisclosureError } from "../core/errors.ts";
import { formatNode } from "../core/hash.ts";
import { rootAt } from "../core/merkle-tree.ts";
import { type Seal, sealSchema } from "../core/metachain.ts";
import { METACHAIN_ID, SEALS_PARTITION, spanFrom, spanKey } from "./keys.ts";
import { integerOf, Log, type LogEntry, textOf } from "./log.ts";
import type { Item, Table } from "./table.ts";

/** A seal before its timestamps. */
export type SealedTree = Omit<Seal, "tsa_timestamp" | "additional_timestamps">;

export interface SealRecord {
  readonly tree: SealedTree;
  readonly receiptsTotal: number;
  /** The exact bytes to be published, timestamps included; null until a token could be had. */
  readonly text: string | null;
  /** Whether root and head are public. Until then no report may point at this seal. */
  readonly isPublished: boolean;
}

/** The newest seal, or null before the first. */
export async function readNewestSeal(table: Table): Promise<SealRecord | null> {
  const item = await table.newest(SEALS_PARTITION);
  return item === null ? null : readSeal(item);
}

/** The first seal whose tree holds the metachain entry `leafIndex`, or null where none does yet. */
export async function readSealOver(table: Table, leafIndex: number): Promise<SealRecord | null> {
  const item = await table.newest(SEALS_PARTITION, spanFrom(leafIndex));
  const record = item === null ? null : readSeal(item);
  return record !== null && record.tree.tree_size > leafIndex ? record : null;
}

/** The published seal of a record. */
export function publishedSeal({ text }: SealRecord): Seal {
  if (text === null) throw new DisclosureError("ledger_corrupt", "a published seal has no text");
  return sealSchema.parse(parseJson(text));
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
  const log = new Log(table, METACHAIN_ID);
  const newest = await log.newest();
  const previousSize = previous?.tree.tree_size ?? 0;
  if (newest === null || newest.leaf.leafIndex < previousSize) return previous;
  const path = previousSize === 0 ? [] : await log.consistencyPath(previousSize, newest.leaf.leafIndex + 1);
  const item = sealItem(nextTree(previous, newest, path, now), integerOf(newest.item, "receipts_total"));
  // The condition makes one seal follow another: of two runs that overlap, one commits and both publish the same.
  const outcome = await table.transact([table.putIf(item, "attribute_not_exists(pk)")], randomUUID());
  return outcome.kind === "committed" ? readSeal(item) : readNewestSeal(table);
}

function nextTree(previous: SealRecord | null, newest: LogEntry, path: Uint8Array[], now: Date): SealedTree {
  const clock = now.toISOString();
  const previousInstant = previous?.tree.sealed_at ?? clock;
  return {
    index: previous === null ? 0 : previous.tree.index + 1,
    merkle_root: formatNode(rootAt(newest.leaf)),
    tree_size: newest.leaf.leafIndex + 1,
    previous_root: previous?.tree.merkle_root ?? null,
    previous_tree_size: previous?.tree.tree_size ?? 0,
    consistency_path: path.map(formatNode),
    receipt_count: integerOf(newest.item, "receipts_total") - (previous?.receiptsTotal ?? 0),
    sealed_at: previousInstant > clock ? previousInstant : clock,
  };
}

const keyOf = (tree: SealedTree) => spanKey(SEALS_PARTITION, tree.previous_tree_size);

const sealItem = (tree: SealedTree, receiptsTotal: number): Item => ({
  ...keyOf(tree),
  tree: { S: JSON.stringify(tree) },
  receipts_total: { N: String(receiptsTotal) },
});

function readSeal(item: Item): SealRecord {
  return {
    tree: JSON.parse(textOf(item, "tree")) as SealedTree,
    receiptsTotal: integerOf(item, "receipts_total"),
    text: item.text?.S ?? null,
    isPublished: item.published?.BOOL === true,
  };
}

/** Fixes the bytes to be published, once: returns ours, or those that another run fixed before. */
export async function fixSealText(table: Table, tree: SealedTree, seal: Seal): Promise<string> {
  const text = JSON.stringify(seal);
  const isOurs = await table.update({
    Key: keyOf(tree),
    UpdateExpression: "SET #text = :text",
    ConditionExpression: "attribute_not_exists(#text)",
    ExpressionAttributeNames: { "#text": "text" },
    ExpressionAttributeValues: { ":text": { S: text } },
  });
  if (isOurs) return text;
  return textOf((await table.get(keyOf(tree))) ?? {}, "text");
}

export async function markPublished(table: Table, tree: SealedTree): Promise<void> {
  await table.update({
    Key: keyOf(tree),
    UpdateExpression: "SET published = :yes",
    ExpressionAttributeValues: { ":yes": { BOOL: true } },
  });
}
