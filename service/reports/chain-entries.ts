// The leaves of a tenant's own chain, in bundles. Each is verified against a published head before it is served.
import { BoundedMap } from "../../evidence/core/bounded-map.ts";
import { concatBytes, equalBytes } from "../../evidence/core/bytes.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import type { SealedHead } from "../../evidence/core/formats/chain-history.ts";
import { appendEntries } from "../../evidence/core/log/entry.ts";
import { type EntryBundle, TILE_WIDTH } from "../../evidence/core/log/tiles.ts";
import { parseNode } from "../../evidence/core/merkle/hash.ts";
import { verifyConsistency } from "../../evidence/core/merkle/merkle-proof.ts";
import { rootAt, sizeAt, type TreeLeaf } from "../../evidence/core/merkle/merkle-tree.ts";
import { RECEIPT_LEAF_ATTRIBUTES, readReceiptLeaf } from "../ledger/chain-leaf.ts";
import { Log, missingLeaf, verifiedOrCorrupt } from "../ledger/log.ts";
import { readSpanOver } from "../seals/span.ts";
import type { Table } from "../table/table.ts";
import type { Caller } from "../tenants/tenants.ts";
import { readPublishedHead, readShard } from "./chain-history.ts";

/** Chains of which a published head is remembered. */
const MAX_REMEMBERED = 1_000;

export class ChainEntries {
  readonly #table: Table;
  /** By chain, the head that was read last: one head serves many bundles, and never changes. */
  readonly #heads = new BoundedMap<string, SealedHead>(MAX_REMEMBERED);

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * A bundle of the leaves of one of the caller's chains, 64 bytes each. It never changes. Throws `not_found` for a chain that is not
   * the caller's, and for a bundle that ends beyond the published size.
   */
  async read(caller: Caller, chainId: string, { index, width }: EntryBundle): Promise<Uint8Array> {
    await readShard(this.#table, caller, chainId);
    const first = index * TILE_WIDTH;
    const end = first + width;
    const head = await this.#headOver(chainId, end);
    const log = new Log(this.#table, chainId);
    const [before, entries] = await Promise.all([
      readLeafBefore(log, first),
      log.entries(first, end, RECEIPT_LEAF_ATTRIBUTES),
    ]);
    const leaves = concatBytes(...entries.map(readReceiptLeaf));
    await checkExtends(log, appendEntries(before, leaves) ?? missingLeaf(first), head);
    return leaves;
  }

  /** A published head of `end` leaves or more. */
  async #headOver(chainId: string, end: number): Promise<SealedHead> {
    const known = this.#heads.get(chainId);
    if (known !== undefined && known.tree_size >= end) return known;
    const span = await readSpanOver(this.#table, chainId, end - 1);
    const head = span && (await readPublishedHead(this.#table, chainId, span));
    if (head === null) throw new DisclosureError("not_found", "no published head covers these leaves yet");
    this.#heads.set(chainId, head);
    return head;
  }
}

/** The leaf that a bundle continues; null for the first. */
const readLeafBefore = async (log: Log, first: number): Promise<TreeLeaf | null> =>
  first === 0 ? null : ((await log.entry(first - 1))?.leaf ?? missingLeaf(first - 1));

/** Throws `ledger_corrupt` unless the published head's tree extends the one that ends with this leaf. */
async function checkExtends(log: Log, last: TreeLeaf, head: SealedHead): Promise<void> {
  const [size, root, published] = [sizeAt(last), rootAt(last), parseNode(head.root)];
  const isHead = size === head.tree_size && equalBytes(root, published);
  if (isHead) return;
  const path = await log.consistencyPath({ size, root }, head.tree_size);
  verifiedOrCorrupt(() => verifyConsistency(size, head.tree_size, path, root, published));
}
