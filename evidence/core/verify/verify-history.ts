// Verifies that a receipt stands in the one history of its chain: at its place, in a tree of the size that it says, under a
// head that is the log's (docs/history.md). All of it is judged as of the oldest file at hand.
import { equalBytes } from "../bytes.ts";
import type { CrossTenantProof, EventInclusionProof } from "../formats/compliance-receipt.ts";
import { MAX_SHARD, parseEventId } from "../formats/event-id.ts";
import type { ReceiptEvidence } from "../formats/evidence.ts";
import { type ShownReceipt, shownReceiptSchema } from "../formats/receipt.ts";
import { chainIdOf, fingerprintOf } from "../formats/tenant-anchor.ts";
import type { ChainHistory } from "../log/chain-history.ts";
import type { Reach } from "../log/reach.ts";
import { parseDigest, parseNode } from "../merkle/hash.ts";
import { type Check, type Finding, fail, holds, runSteps, type Step, unchecked } from "./check.ts";
import { count } from "./count.ts";
import type { KnownHistory } from "./tenant-history.ts";
import { checkBroken, checkHead, endsBefore, inFileOnly } from "./verify-heads.ts";
import { checkOtherChains, checkPublicHead } from "./verify-public-heads.ts";

interface Subject {
  readonly evidence: ReceiptEvidence;
  /** Undefined where there is none, or none as the format has it. */
  readonly receipt: ShownReceipt | undefined;
  readonly chainId: string | undefined;
  readonly known: KnownHistory;
}

/** The checks of one receipt that its reader's history and walk of the log allow. */
export async function verifyHistory(
  evidence: ReceiptEvidence,
  known: KnownHistory,
): Promise<readonly Check[]> {
  const receipt = shownReceiptSchema.safeParse(evidence.receipts?.[0]).data;
  const chainId = receipt?.chain_id ?? evidence.merkle_proof.cross_tenant_proof?.leaf.chain_id;
  return (await runSteps(stepsWith(known), { evidence, receipt, chainId, known })).checks;
}

function stepsWith({ history, walk, fingerprint }: KnownHistory): Step<Subject>[] {
  const steps: Step<Subject>[] = [];
  if (history !== null) steps.push(["chain_history", findInHistory]);
  steps.push(["public_heads", ({ evidence, known }) => checkPublicHead(proofOf(evidence), known)]);
  if (walk !== null && history !== null && history.tenantAnchor !== null)
    steps.push(["other_chains", ({ evidence, known }) => checkOtherChains(proofOf(evidence), known)]);
  if (fingerprint !== null) steps.push(["tenant", checkTenant]);
  return steps;
}

const proofOf = ({ merkle_proof }: ReceiptEvidence): CrossTenantProof | null =>
  merkle_proof.cross_tenant_proof;

function findInHistory({ evidence, receipt, chainId = "", known }: Subject): Finding {
  const { event_inclusion_proof: event } = evidence.merkle_proof;
  const history = known.history?.chains.get(chainId);
  if (history === undefined) return unchecked("other_history", "the history is of other chains");
  checkLeaf(history, event.leaf_index, parseNode(event.leaf_hash), "the receipt");
  if (receipt !== undefined) checkPrevious(history, receipt);
  if (evidence.evidence_chain !== undefined) {
    const { sequence, head_hash } = evidence.evidence_chain;
    checkLeaf(history, sequence, parseDigest(head_hash), "the head");
  }
  checkSize(history, event);
  const reach = known.reachOf(history);
  const where = placeOf(evidence, history, reach);
  if (where === null) return endsBefore(reach, known.walk);
  const what = `receipt ${event.leaf_index} of the chain, first sealed by its head ${where}`;
  return holds(known.walk === null ? inFileOnly(what) : `${what}; one history up to entry ${reach.end}`);
}

/** The number of the head that first covers the receipt; null where the history does not reach it. */
function placeOf({ merkle_proof }: ReceiptEvidence, history: ChainHistory, reach: Reach): number | null {
  const { event_inclusion_proof: event, cross_tenant_proof: cross } = merkle_proof;
  const first = history.headOver(event.leaf_index);
  // A receipt that is pending stands where the history has it.
  const place = cross?.leaf_index ?? first?.leaf_index;
  if (place === undefined) return null;
  checkBroken(place, reach);
  if (place >= reach.end) return null;
  if (cross !== null) checkHead(history, cross);
  return first?.head_index ?? fail("the receipt's head does not cover it");
}

/** A place that no sealed head covers yet contradicts nothing. */
function checkLeaf(history: ChainHistory, sequence: number, leafHash: Uint8Array, what: string): void {
  const known = history.leafHash(sequence);
  if (known === null || equalBytes(known, leafHash)) return;
  fail(`the history has another receipt at place ${sequence} than ${what}`);
}

function checkPrevious(history: ChainHistory, { sequence, previous_hash }: ShownReceipt): void {
  if (sequence > 0)
    checkLeaf(history, sequence - 1, parseDigest(previous_hash), "the one to which this receipt links");
}

/** A root says nothing about its size: only the leaves do. Throws `proof_invalid`. */
function checkSize(
  history: ChainHistory,
  { tree_size, root }: Pick<EventInclusionProof, "tree_size" | "root">,
): void {
  const known = history.rootAt(tree_size);
  if (known !== null && !equalBytes(known, parseNode(root)))
    fail(`the chain has another root with ${count(tree_size, "receipt")}`);
}

/**
 * The chain is one of those that the anchor gives, under the shard that the receipt's id names, and the anchor is the one
 * that the reader expects.
 */
function checkTenant({ receipt, chainId = "", known: { history, fingerprint } }: Subject): Finding {
  const tenantAnchor = history?.tenantAnchor ?? null;
  if (tenantAnchor === null) return unchecked("other_history", "the history was not fetched under an anchor");
  if (fingerprintOf(tenantAnchor) !== fingerprint) fail("the history is that of another tenant");
  let shard = 0;
  while (shard <= MAX_SHARD && chainIdOf(tenantAnchor, shard) !== chainId) shard++;
  if (shard > MAX_SHARD) fail("the chain is none of this tenant's");
  if (receipt !== undefined && parseEventId(receipt.event_id)?.shard !== shard)
    fail("the event id names another chain of the tenant");
  return holds(`chain ${shard} of the tenant`);
}
