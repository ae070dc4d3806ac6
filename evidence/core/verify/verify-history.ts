// Verifies that a receipt stands in the one history of its chain: at its place, in a tree of the size that it says.
import { equalBytes } from "../bytes.ts";
import { DisclosureError, isDisclosureError } from "../errors.ts";
import type { CrossTenantProof, EventInclusionProof } from "../formats/compliance-receipt.ts";
import { MAX_SHARD, parseEventId } from "../formats/event-id.ts";
import type { ReceiptEvidence } from "../formats/evidence.ts";
import { type ShownReceipt, shownReceiptSchema } from "../formats/receipt.ts";
import { chainIdOf, fingerprintOf } from "../formats/tenant-anchor.ts";
import type { ChainHistory } from "../log/chain-history.ts";
import type { LabelSearch } from "../log/label-search.ts";
import { verifyLabels } from "../log/verify-labels.ts";
import { parseDigest, parseNode } from "../merkle/hash.ts";
import { type Check, type Finding, fail, holds, runSteps, type Step, unchecked } from "./check.ts";
import { count } from "./count.ts";

/** The history of a tenant's chains that a reader was handed, verified from each chain's first head to its last. */
export interface TenantHistory {
  readonly chains: ReadonlyMap<string, ChainHistory>;
  /** By a chain's id, the check that the public log has each of its heads once, in its place; see `verifyHeads`. */
  readonly publicHeads: ReadonlyMap<string, Finding | DisclosureError>;
  /** The anchor under which the chains were looked up; null where the service was asked for them. */
  readonly tenantAnchor: string | null;
  /** The fingerprint of the anchor that the reader expects, from a contract or a bill; null where none was given. */
  readonly fingerprint: string | null;
}

interface Subject {
  readonly evidence: ReceiptEvidence;
  /** Undefined where there is none, or none as the format has it. */
  readonly receipt: ShownReceipt | undefined;
  readonly chainId: string | undefined;
  readonly tenant: TenantHistory;
}

/** The checks of one receipt that its reader's history allows. */
export async function verifyHistory(
  evidence: ReceiptEvidence,
  tenant: TenantHistory,
): Promise<readonly Check[]> {
  const receipt = shownReceiptSchema.safeParse(evidence.receipts?.[0]).data;
  const chainId = receipt?.chain_id ?? evidence.merkle_proof.cross_tenant_proof?.leaf.chain_id;
  const steps: Step<Subject>[] = [
    ["chain_history", findInHistory],
    ["public_heads", findHeads],
  ];
  if (tenant.fingerprint !== null) steps.push(["tenant", checkTenant]);
  return (await runSteps(steps, { evidence, receipt, chainId, tenant })).checks;
}

/** A chain's heads against a search of the whole public log, which was walked from its first entry on. */
export function verifyHeads(history: ChainHistory, search: LabelSearch): Finding | DisclosureError {
  try {
    const found = verifyLabels(history, search, 0);
    const newer = history.heads.length - found;
    if (newer > 0)
      return unchecked("too_new", `${count(newer, "head")} of the history came after the public log at hand`);
    return holds(
      `each of ${count(found, "head")} once and in its place among ${count(search.size, "entry", "entries")}`,
    );
  } catch (error) {
    if (isDisclosureError(error, "proof_invalid")) return error;
    throw error;
  }
}

function findInHistory({ evidence, receipt, chainId = "", tenant }: Subject): Finding {
  const { event_inclusion_proof: event, cross_tenant_proof: cross } = evidence.merkle_proof;
  const history = tenant.chains.get(chainId);
  if (history === undefined) return unchecked("other_history", "the history is of other chains");
  checkLeaf(history, event.leaf_index, parseNode(event.leaf_hash), "the receipt");
  if (receipt !== undefined) checkPrevious(history, receipt);
  if (evidence.evidence_chain !== undefined) {
    const { sequence, head_hash } = evidence.evidence_chain;
    checkLeaf(history, sequence, parseDigest(head_hash), "the head");
  }
  checkSize(history, event);
  if (cross !== null) checkHead(history, cross);
  const { head_index } = history.headOver(event.leaf_index) ?? {};
  if (head_index === undefined) return unchecked("too_new", "the history ends before this receipt");
  return holds(`receipt ${event.leaf_index} of the chain, first sealed by its head ${head_index}`);
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
export function checkSize(
  history: ChainHistory,
  { tree_size, root }: Pick<EventInclusionProof, "tree_size" | "root">,
): void {
  const known = history.rootAt(tree_size);
  if (known !== null && !equalBytes(known, parseNode(root)))
    fail(`the chain has another root with ${count(tree_size, "receipt")}`);
}

/** The sealed head that a proof names is one of the history, at the same place of the metachain. Throws `proof_invalid`. */
export function checkHead(history: ChainHistory, cross: CrossTenantProof): void {
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

function findHeads({ chainId = "", tenant }: Subject): Finding {
  const finding = tenant.publicHeads.get(chainId);
  if (finding instanceof DisclosureError) throw finding;
  return finding ?? unchecked("not_given", "the public log was not searched for this chain");
}

/**
 * The chain is one of those that the anchor gives, under the shard that the receipt's id names, and the anchor is the one
 * that the reader expects.
 */
function checkTenant({ receipt, chainId = "", tenant: { tenantAnchor, fingerprint } }: Subject): Finding {
  if (tenantAnchor === null) return unchecked("other_history", "the history was not fetched under an anchor");
  if (fingerprintOf(tenantAnchor) !== fingerprint) fail("the history is that of another tenant");
  let shard = 0;
  while (shard <= MAX_SHARD && chainIdOf(tenantAnchor, shard) !== chainId) shard++;
  if (shard > MAX_SHARD) fail("the chain is none of this tenant's");
  if (receipt !== undefined && parseEventId(receipt.event_id)?.shard !== shard)
    fail("the event id names another chain of the tenant");
  return holds(`chain ${shard} of the tenant`);
}
