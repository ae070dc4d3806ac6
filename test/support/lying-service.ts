// A service that lies in its receipts and hashes its lies as it should: what only it could forge.
import { formatEventId } from "../../evidence/core/formats/event-id.ts";
import type { ReceiptEvidence } from "../../evidence/core/formats/evidence.ts";
import {
  hashOutput,
  hashReceiptCore,
  NO_PREVIOUS_HASH,
  type Receipt,
  type ReceiptCore,
  withoutAuthentication,
} from "../../evidence/core/formats/receipt.ts";
import { formatDigest, formatNode } from "../../evidence/core/merkle/hash.ts";
import {
  appendLeaf,
  buildInclusionPath,
  rootAt,
  type TreeLeaf,
} from "../../evidence/core/merkle/merkle-tree.ts";
import { readReceipt } from "./vector-files.ts";

export const linkTo = (receipt: Receipt): string =>
  formatDigest(hashReceiptCore(withoutAuthentication(receipt)));

/** One conversation, alone on its chain: a receipt for each lie, which is told in place of the truth. */
export function forgeReceipts(lies: readonly Partial<ReceiptCore>[]): Receipt[] {
  const receipts: Receipt[] = [];
  for (const lie of lies) receipts.push(forgeReceipt(receipts, lie));
  return receipts;
}

function forgeReceipt(before: readonly Receipt[], lie: Partial<ReceiptCore>): Receipt {
  const [model] = readReceipt("receipts/greeting.json").receipts;
  const previous = before.at(-1);
  if (model === undefined) throw new Error("the vector holds no receipt");
  const sequence = before.length;
  const told = {
    ...model,
    sequence,
    turn: sequence + 1,
    event_id: formatEventId(model.chain_id, { shard: 0, sequence }),
    previous_hash: previous === undefined ? NO_PREVIOUS_HASH : linkTo(previous),
    previous_turn_hash: previous === undefined ? null : linkTo(previous),
    ...lie,
  };
  return { ...told, output_hash: hashOutput(told) };
}

/** The answer to one of these receipts, in the tree of them all. */
export function evidenceFor(receipts: readonly Receipt[], index: number): ReceiptEvidence {
  const leaves: TreeLeaf[] = [];
  for (const receipt of receipts) {
    leaves.push(appendLeaf(leaves.at(-1) ?? null, hashReceiptCore(withoutAuthentication(receipt))));
  }
  const [leaf, head, receipt] = [leaves[index], leaves.at(-1), receipts[index]];
  if (leaf === undefined || head === undefined || receipt === undefined) throw new Error("no such receipt");
  const leafAt = (place: number): TreeLeaf => leaves[place] ?? head;
  const root = formatNode(rootAt(head));
  const proof = {
    leaf_hash: formatNode(leaf.leafHash),
    leaf_index: index,
    tree_size: leaves.length,
    path: buildInclusionPath(index, leaves.length, leafAt).map(formatNode),
    root,
  };
  return {
    event_id: receipt.event_id,
    receipts: [{ ...receipt }],
    merkle_proof: {
      status: "pending",
      merkle_root: root,
      event_inclusion_proof: proof,
      cross_tenant_proof: null,
    },
  };
}
