// Whether a receipt stands in the one history of its chain: at its place, in a tree of the size that it says.
import { equalBytes } from "../bytes.ts";
import type { EventInclusionProof } from "../formats/compliance-receipt.ts";
import type { ReceiptEvidence } from "../formats/evidence.ts";
import { type Receipt, receiptSchema } from "../formats/receipt.ts";
import type { ChainHistory } from "../log/chain-history.ts";
import { parseDigest, parseNode } from "../merkle/hash.ts";
import { type Check, type Finding, fail, holds, runSteps, unchecked } from "./check.ts";

/** The histories that a reader has, by chain. */
export type ChainHistories = ReadonlyMap<string, ChainHistory>;

const NAME = "chain_history";

/** The check of one receipt against the histories of its reader. It says nothing where none of them is its chain's. */
export async function verifyChainHistory(
  evidence: ReceiptEvidence,
  histories: ChainHistories,
): Promise<readonly Check[]> {
  return (await runSteps([[NAME, () => findInHistory(evidence, histories)]], undefined)).checks;
}

function findInHistory(evidence: ReceiptEvidence, histories: ChainHistories): Finding {
  const { event_inclusion_proof: event, cross_tenant_proof: cross } = evidence.merkle_proof;
  const receipt = receiptSchema.safeParse(evidence.receipts?.[0]).data;
  const chainId = receipt?.chain_id ?? cross?.leaf.chain_id;
  const history = chainId === undefined ? undefined : histories.get(chainId);
  if (history === undefined) return unchecked("the history is of other chains");
  checkLeaf(history, event.leaf_index, parseNode(event.leaf_hash), "the receipt");
  if (receipt !== undefined) checkPrevious(history, receipt);
  if (evidence.evidence_chain !== undefined) {
    const { sequence, head_hash } = evidence.evidence_chain;
    checkLeaf(history, sequence, parseDigest(head_hash), "the head");
  }
  checkSize(history, event);
  if (cross !== null) checkHead(history, cross);
  const { head_index } = history.headOver(event.leaf_index) ?? {};
  if (head_index === undefined) return unchecked("the history ends before this receipt");
  return holds(`receipt ${event.leaf_index} of the chain, first sealed by its head ${head_index}`);
}

/** A place that no sealed head covers yet contradicts nothing. */
function checkLeaf(history: ChainHistory, sequence: number, leafHash: Uint8Array, what: string): void {
  const known = history.leafHash(sequence);
  if (known === null || equalBytes(known, leafHash)) return;
  fail(`the history has another receipt at place ${sequence} than ${what}`);
}

function checkPrevious(history: ChainHistory, { sequence, previous_hash }: Receipt): void {
  if (sequence > 0)
    checkLeaf(history, sequence - 1, parseDigest(previous_hash), "the one to which this receipt links");
}

/** A root says nothing about its size: only the leaves do. */
function checkSize(history: ChainHistory, { tree_size, root }: EventInclusionProof): void {
  const known = history.rootAt(tree_size);
  if (known !== null && !equalBytes(known, parseNode(root)))
    fail(`the chain has another root with ${tree_size} receipts`);
}

/** The sealed head that a proof names is one of the history, at the same place of the metachain. */
function checkHead(
  history: ChainHistory,
  cross: NonNullable<ReceiptEvidence["merkle_proof"]["cross_tenant_proof"]>,
): void {
  const { head_index, tree_size, root } = cross.leaf;
  const head = history.headOver(tree_size - 1);
  if (head === null) return;
  const isSame =
    head.head_index === head_index &&
    head.tree_size === tree_size &&
    head.root === root &&
    head.leaf_index === cross.leaf_index &&
    head.seal_index === cross.seal_index;
  if (!isSame) fail(`head ${head.head_index} of the history is another than the proof's`);
}
