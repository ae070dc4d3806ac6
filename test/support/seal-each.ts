// Seals made past the sealer and S3, which is faster: one for each leaf of a chain that was never sealed.
import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { hashChainHead, type TsaTimestamp } from "../../evidence/core/formats/metachain.ts";
import { formatNode } from "../../evidence/core/merkle/hash.ts";
import {
  appendLeaf,
  buildConsistencyPath,
  rootAt,
  type TreeLeaf,
} from "../../evidence/core/merkle/merkle-tree.ts";
import { readEntry } from "../../service/ledger/log.ts";
import { metachainEntryItem } from "../../service/seals/metachain-entry.ts";
import { type SealedTree, sealItem } from "../../service/seals/seal-item.ts";
import { spanItem } from "../../service/seals/span.ts";
import type { Item } from "../../service/table/item.ts";
import { logPartition } from "../../service/table/keys.ts";
import type { Table } from "../../service/table/table.ts";
import { ascending } from "./trees.ts";

/** A transaction holds 4 MB. */
const SEALS_PER_TRANSACTION = 8;

const tokenOf = (bytes: number): TsaTimestamp => ({
  status: "included",
  timestamp_token: randomBytes(bytes).toString("base64"),
  tsa_url: "https://tsa.test",
  covers: "merkle_root",
});

/** Seals every leaf of the chain by itself, as a sealer does that runs after each receipt: past S3, and faster. */
export async function sealEach(
  table: Table,
  chainId: string,
  { tokenBytes = 16, laterTokens = 0 } = {},
): Promise<void> {
  const token = () => tokenOf(tokenBytes);
  const items = await table.query({ partition: logPartition(chainId) });
  const entries: TreeLeaf[] = [];
  const written: Item[] = [];
  let previous: SealedTree | null = null;
  for (const { leaf } of items.map(readEntry)) {
    const { leafIndex } = leaf;
    const headIndex = leafIndex;
    const root = formatNode(rootAt(leaf));
    const head = { chain_id: chainId, head_index: headIndex, tree_size: leafIndex + 1, root };
    const entry = appendLeaf(entries.at(-1) ?? null, hashChainHead(head));
    entries.push(entry);
    previous = nextTree(entry, entries, previous);
    const seal = { ...previous, tsa_timestamp: token(), additional_timestamps: [token()] };
    const later = ascending(laterTokens, token);
    written.push(
      spanItem(chainId, { headIndex, fromSize: leafIndex, treeSize: leafIndex + 1, leafIndex }),
      metachainEntryItem(head, entry, leafIndex + 1),
      {
        ...sealItem(previous, leafIndex + 1),
        text: { S: JSON.stringify(seal) },
        published: { BOOL: true },
        ...(later.length > 0 && { later: { S: JSON.stringify(later) } }),
      },
    );
  }
  const width = 3 * SEALS_PER_TRANSACTION;
  for (let start = 0; start < written.length; start += width) {
    const writes = written.slice(start, start + width).map((insert) => ({ insert }));
    assert.deepEqual(await table.transact(writes, randomUUID()), { kind: "committed" });
  }
}

function nextTree(entry: TreeLeaf, entries: readonly TreeLeaf[], previous: SealedTree | null): SealedTree {
  const size = entry.leafIndex + 1;
  const at = (index: number): TreeLeaf => entries[index] ?? assert.fail("no such entry");
  const path = previous === null ? [] : buildConsistencyPath(previous.tree_size, size, at);
  return {
    index: entry.leafIndex,
    merkle_root: formatNode(rootAt(entry)),
    tree_size: size,
    previous_root: previous?.merkle_root ?? null,
    previous_tree_size: previous?.tree_size ?? 0,
    consistency_path: path.map(formatNode),
    receipt_count: 1,
    sealed_at: "2026-11-21T12:00:00.000Z",
  };
}
