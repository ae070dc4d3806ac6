// The oracle's view of the metachain: its entries against the chains, its seals against the entries, and what is
// published against both.
import assert from "node:assert/strict";
import type { Metachain, Seal } from "../../evidence/core/formats/metachain.ts";
import { digits, type Item, integer, text } from "./items.ts";
import { jcs, sha256 } from "./plain-json.ts";
import { leafHash, type Mth, PROOF } from "./rfc9162.ts";
import { checkLeaves, type WholeChain } from "./whole-chain.ts";
import { checkIncomplete, checkLaterTokens, checkPublishedTokens } from "./whole-timestamps.ts";

export interface WholeMetachain {
  readonly mth: Mth;
  readonly size: number;
  readonly entryAt: (index: number) => Uint8Array;
  /** Receipts under the entries up to this size. */
  readonly receiptsAt: (size: number) => number;
}

export interface WholeSeal {
  readonly seal: Seal;
  readonly isPublished: boolean;
  /** Tokens in it and beside it. */
  readonly tokens: number;
}

/** What the oracle reads beside the seals. */
export interface SealSurroundings {
  /** The list of seals that lack tokens. */
  readonly incomplete: Item;
  readonly readObject: (key: string) => Promise<string | null>;
}

const node = (hash: Uint8Array): string => `0x${Buffer.from(hash).toString("hex")}`;

/** Entries are heads that the chains had, and each chain's spans follow each other from 0 to its newest entry. */
export function checkEntries(
  items: readonly Item[],
  spans: ReadonlyMap<string, readonly Item[]>,
  chains: ReadonlyMap<string, WholeChain>,
): WholeMetachain {
  const heads = items.map((item) => ({
    chain_id: text(item, "chain_id"),
    head_index: integer(item, "head_index"),
    root: text(item, "root"),
    tree_size: integer(item, "tree_size"),
  }));
  for (const { chain_id, root, tree_size } of heads) {
    assert.equal(root, node(chains.get(chain_id)?.mth(0, tree_size) ?? Buffer.of()), "root of an entry");
  }
  const widths = new Map<number, number>();
  for (const [chainId, items] of spans) checkSpans(chainId, items, heads, widths);
  assert.equal(widths.size, heads.length, "spans and entries differ in number");

  const entries = heads.map((head) => {
    const label = sha256(jcs({ chain_id: head.chain_id, head_index: head.head_index }));
    return Buffer.concat([label, sha256(jcs(head))]);
  });
  const mth = checkLeaves("metachain", items, entries.map(leafHash));
  const receiptsAt = (size: number) =>
    items.slice(0, size).reduce((sum, _, i) => sum + (widths.get(i) ?? 0), 0);
  for (const [i, item] of items.entries()) assert.equal(integer(item, "receipts_total"), receiptsAt(i + 1));
  const entryAt = (index: number) => entries[index] ?? Buffer.of();
  return { mth, size: items.length, entryAt, receiptsAt };
}

function checkSpans(
  chainId: string,
  items: readonly Item[],
  heads: readonly { chain_id: string; head_index: number; tree_size: number }[],
  widths: Map<number, number>,
): void {
  let sealedSize = 0;
  for (const [headIndex, item] of items.entries()) {
    assert.equal(integer(item, "head_index"), headIndex, `heads of ${chainId} are not numbered in order`);
    const [treeSize, leafIndex] = [integer(item, "tree_size"), integer(item, "leaf_index")];
    assert.equal(text(item, "sk"), `from#${digits(sealedSize)}`, `spans of ${chainId} leave a gap`);
    assert.equal(integer(item, "from_size"), sealedSize);
    assert(treeSize > sealedSize, `an empty span of ${chainId}`);
    const { chain_id, head_index, tree_size } = heads[leafIndex] ?? {};
    assert.deepEqual([chain_id, head_index, tree_size], [chainId, headIndex, treeSize]);
    assert(!widths.has(leafIndex), "two spans share an entry");
    widths.set(leafIndex, treeSize - sealedSize);
    sealedSize = treeSize;
  }
}

/** Seals follow each other from 0; all but the newest are published, in the very bytes that the table holds. */
export async function checkSeals(
  items: readonly Item[],
  metachain: WholeMetachain,
  { incomplete, readObject }: SealSurroundings,
): Promise<WholeSeal[]> {
  const seals = items.map((item, i) => checkSeal(item, items[i - 1], i, metachain));
  const head = JSON.parse((await readObject("v1/metachain")) ?? '{"size":0,"latest":null}') as Metachain;
  for (const [i, item] of items.entries()) {
    const object = await readObject(`v1/metachain/roots/${i}`);
    if (object !== null) assert.equal(object, text(item, "text"), `published bytes of seal ${i}`);
    if (i < head.size) assert(object !== null, `seal ${i} is not published, but the head says so`);
    if (i < items.length - 1) assert(seals[i]?.isPublished, `seal ${i} was never finished`);
    if (seals[i]?.isPublished) assert(i < head.size, `seal ${i} counts as published before its head is`);
  }
  assert.equal(await readObject(`v1/metachain/roots/${items.length}`), null, "a root that nobody sealed");
  const latest = head.size === 0 ? null : JSON.parse(text(items[head.size - 1] ?? {}, "text"));
  assert.deepEqual(head.latest, latest, "latest seal of the head");
  return Promise.all(seals.map((seal, i) => withTokens(seal, items[i] ?? {}, { incomplete, readObject })));
}

async function withTokens(
  { seal, isPublished }: Omit<WholeSeal, "tokens">,
  item: Item,
  { incomplete, readObject }: SealSurroundings,
): Promise<WholeSeal> {
  if (!isPublished) return { seal, isPublished, tokens: 0 };
  const published = JSON.parse(text(item, "text")) as Seal;
  const tokens = await checkLaterTokens(item, published, readObject);
  checkIncomplete(incomplete, published, tokens);
  return { seal, isPublished, tokens: tokens.length };
}

function checkSeal(
  item: Item,
  previousItem: Item | undefined,
  index: number,
  { mth, size, receiptsAt }: WholeMetachain,
): Omit<WholeSeal, "tokens"> {
  const tree = JSON.parse(text(item, "tree")) as Seal;
  const previous = previousItem === undefined ? null : (JSON.parse(text(previousItem, "tree")) as Seal);
  const previousSize = previous?.tree_size ?? 0;
  assert(tree.tree_size > previousSize && tree.tree_size <= size, `tree size of seal ${index}`);
  assert.equal(text(item, "sk"), `from#${digits(previousSize)}`);
  assert.deepEqual(tree, {
    index,
    merkle_root: node(mth(0, tree.tree_size)),
    tree_size: tree.tree_size,
    previous_root: previous?.merkle_root ?? null,
    previous_tree_size: previousSize,
    consistency_path: (previousSize === 0 ? [] : PROOF(previousSize, tree.tree_size, mth)).map(node),
    receipt_count: receiptsAt(tree.tree_size) - receiptsAt(previousSize),
    sealed_at: tree.sealed_at,
  });
  assert(tree.sealed_at >= (previous?.sealed_at ?? ""), `seal ${index} was made before the one before it`);
  if (item.text !== undefined) checkText(text(item, "text"), tree);
  return { seal: tree, isPublished: item.published?.BOOL === true };
}

/** The published text is the sealed tree and the tokens over its root. */
function checkText(published: string, tree: Seal): void {
  const { tsa_timestamp, additional_timestamps, ...rest } = JSON.parse(published) as Seal;
  assert.deepEqual(rest, tree);
  checkPublishedTokens({ ...rest, tsa_timestamp, additional_timestamps });
}
