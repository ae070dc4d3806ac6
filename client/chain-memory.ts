// What this client has seen of the service's logs. A log only grows: the leaf at a place, the hash of a complete
// subtree, the root of a size and the turn of a conversation never change. An answer that says otherwise, however well
// it holds by itself, shows a fork: the service would have told two readers two histories.

import { formatHex, utf8 } from "../core/bytes.ts";
import type { ComplianceReceipt } from "../core/compliance-receipt.ts";
import { hashBytes, parseDigest, parseNode } from "../core/hash.ts";
import { hashChainHead } from "../core/metachain.ts";
import { hashReceiptCore, type Receipt, withoutAuthentication } from "../core/receipt.ts";
import { ClientError } from "./errors.ts";
import { completeNodes, type InclusionProof } from "./tree-nodes.ts";

/** Facts remembered, the longest unconfirmed forgotten first: some megabytes, and the last thousand receipts. */
const MAX_FACTS = 20_000;

/** What is true of a log for ever: its name, and a hash in hex. */
type Fact = readonly [name: string, hash: string];

export class ChainMemory {
  readonly #facts = new Map<string, string>();
  readonly #heads = new Map<string, number>();

  /** The newest receipt seen of any chain, by chain id: a call sent from now on is recorded after it. */
  heads(): ReadonlyMap<string, number> {
    return new Map(this.#heads);
  }

  /**
   * Remembers a verified answer. Throws `chain_forked` where it contradicts what was seen, and then learns nothing.
   * `heads` are those from before the call, where the answer must be a new receipt.
   */
  remember(answer: ComplianceReceipt, interactionId?: string, heads?: ReadonlyMap<string, number>): void {
    const facts = answer.receipts.flatMap((receipt) => factsOf(answer, receipt, interactionId));
    for (const [name, hash] of facts) {
      const known = this.#facts.get(name);
      if (known !== undefined && known !== hash) fork(answer, { fact: name, expected: known, actual: hash });
    }
    for (const receipt of answer.receipts) this.#advance(answer, receipt, heads);
    for (const fact of facts) this.#learn(fact);
  }

  #advance(
    answer: ComplianceReceipt,
    { chain_id, sequence }: Receipt,
    before?: ReadonlyMap<string, number>,
  ): void {
    const head = before?.get(chain_id) ?? -1;
    if (sequence <= head) fork(answer, { fact: `${chain_id}/head`, expected: head + 1, actual: sequence });
    this.#heads.set(chain_id, Math.max(sequence, this.#heads.get(chain_id) ?? -1));
  }

  #learn([name, hash]: Fact): void {
    this.#facts.delete(name);
    this.#facts.set(name, hash);
    const [oldest] = this.#facts.keys();
    if (this.#facts.size > MAX_FACTS && oldest !== undefined) this.#facts.delete(oldest);
  }
}

function factsOf(answer: ComplianceReceipt, receipt: Receipt, interactionId: string | undefined): Fact[] {
  const hash = hashReceiptCore(withoutAuthentication(receipt));
  const { event_inclusion_proof: event, cross_tenant_proof: cross } = answer.merkle_proof;
  const { chain_id, sequence, previous_hash } = receipt;
  const facts = treeFacts(chain_id, hash, event);
  facts.push(leafFact(chain_id, answer.evidence_chain.sequence, answer.evidence_chain.head_hash));
  // A link is a fact about the leaf before: what follows another than the one that was seen shows here.
  if (sequence > 0) facts.push(leafFact(chain_id, sequence - 1, previous_hash));
  if (cross !== null) facts.push(...treeFacts("metachain", hashChainHead(cross.leaf), cross));
  if (interactionId !== undefined) facts.push(...turnFacts(interactionId, receipt, hash));
  return facts;
}

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

const leafFact = (log: string, index: number, link: string): Fact => [
  `${log}/0/${index}`,
  formatHex(parseDigest(link)),
];

/** Under a hash of the conversation's id: facts end up in errors, and errors in logs. */
function turnFacts(interactionId: string, { turn, previous_turn_hash }: Receipt, hash: Uint8Array): Fact[] {
  const conversation = formatHex(hashBytes(utf8(interactionId)));
  const fact = (number: number, turnHash: Uint8Array): Fact => [
    `turn/${conversation}/${number}`,
    formatHex(turnHash),
  ];
  if (previous_turn_hash === null) return [fact(turn, hash)];
  return [fact(turn, hash), fact(turn - 1, parseDigest(previous_turn_hash))];
}

/** The answer goes along: with the receipt that it contradicts, it proves that the service lied. */
function fork(answer: ComplianceReceipt, contradiction: Readonly<Record<string, unknown>>): never {
  throw new ClientError("chain_forked", "the receipt contradicts what this client saw before", {
    evidence: { ...contradiction, answer },
  });
}
