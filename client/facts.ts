// What a verified receipt says of the service's logs that must stay true for ever: each is a name, and a hash in hex.
import { formatHex, utf8 } from "../core/bytes.ts";
import type { ComplianceReceipt } from "../core/formats/compliance-receipt.ts";
import { hashChainHead } from "../core/formats/metachain.ts";
import { hashReceiptCore, type Receipt, withoutAuthentication } from "../core/formats/receipt.ts";
import { hashBytes, parseDigest, parseNode } from "../core/merkle/hash.ts";
import { completeNodes, type InclusionProof } from "./tree-nodes.ts";

export type Fact = readonly [name: string, hash: string];

/** A receipt and its proofs, from an answer or out of a bundle. */
export type ProvenReceipt = Pick<ComplianceReceipt, "receipts" | "evidence_chain" | "merkle_proof">;

/** What is known of a receipt beside it. */
export interface Context {
  readonly interactionId?: string;
  /** The key that the receipt is the answer to: one receipt can't answer for two disclosures. */
  readonly idempotencyKey?: string;
}

export function factsOf(proven: ProvenReceipt, { interactionId, idempotencyKey }: Context): Fact[] {
  const { event_inclusion_proof: event, cross_tenant_proof: cross } = proven.merkle_proof;
  const { chain_id, sequence: last, head_hash } = proven.evidence_chain;
  const facts: Fact[] = [leafFact(chain_id, last, head_hash)];
  for (const receipt of proven.receipts) {
    const hash = hashReceiptCore(withoutAuthentication(receipt));
    facts.push(...treeFacts(chain_id, hash, event), ...linkFacts(receipt));
    if (interactionId !== undefined) facts.push(...turnFacts(interactionId, receipt, hash));
    if (idempotencyKey !== undefined) facts.push([`event/${receipt.event_id}`, secretly(idempotencyKey)]);
  }
  if (cross === null) return facts;
  const seal: Fact = [`seal/${cross.seal_index}`, formatHex(parseNode(cross.root))];
  return [...facts, seal, ...treeFacts("metachain", hashChainHead(cross.leaf), cross)];
}

/** The proof's complete subtrees, and its root. */
function treeFacts(
  log: string,
  leafHash: Uint8Array,
  proof: InclusionProof & { readonly root: string },
): Fact[] {
  const nodes = completeNodes(leafHash, proof).map(
    ({ level, place, hash }): Fact => [`${log}/${level}/${place}`, formatHex(hash)],
  );
  return [...nodes, [`${log}/size/${proof.tree_size}`, formatHex(parseNode(proof.root))]];
}

/** A link is a fact about the leaf before: what follows another than the one that was seen shows here. */
const linkFacts = ({ chain_id, sequence, previous_hash }: Receipt): Fact[] =>
  sequence === 0 ? [] : [leafFact(chain_id, sequence - 1, previous_hash)];

const leafFact = (log: string, index: number, link: string): Fact => [
  `${log}/0/${index}`,
  formatHex(parseDigest(link)),
];

function turnFacts(interactionId: string, { turn, previous_turn_hash }: Receipt, hash: Uint8Array): Fact[] {
  const conversation = `turn/${secretly(interactionId)}`;
  const own: Fact = [`${conversation}/${turn}`, formatHex(hash)];
  if (previous_turn_hash === null) return [own];
  return [own, [`${conversation}/${turn - 1}`, formatHex(parseDigest(previous_turn_hash))]];
}

/** A hash in its place: facts end up in errors, and errors in logs. */
const secretly = (identifier: string): string => formatHex(hashBytes(utf8(identifier)));
