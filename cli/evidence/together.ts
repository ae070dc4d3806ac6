// What one receipt can't show and many can: that they follow each other, and that all were told one history. Two
// receipts at one place of a chain, each with a good proof, are what a service that lies would have to hand out.

import { DisclosureError } from "../../core/errors.ts";
import type { MerkleProof } from "../../core/formats/compliance-receipt.ts";
import {
  type Finding,
  holds,
  runSteps,
  type Step,
  unchecked,
  type Verification,
} from "../../core/verify/check.ts";
import { count } from "../../core/verify/count.ts";
import { verifyChainLinks } from "../../core/verify/verify-links.ts";
import type { BundleFile, Evidence } from "../input/evidence.ts";
import { Conversations } from "./conversations.ts";

const STEPS: readonly Step<Together>[] = [
  ["chain_links", (together) => together.checkLinks()],
  ["one_history", (together) => together.checkHistory()],
];
const PAGED_STEPS: readonly Step<Together>[] = [
  ...STEPS,
  ["turn_links", (together) => together.conversations.checkLinks()],
];

export class Together {
  readonly conversations = new Conversations();
  readonly #receipts: Readonly<Record<string, unknown>>[] = [];
  /** What was said to be where: by the name of the place, the hash that is there. */
  readonly #hashes = new Map<string, string>();
  readonly #contradictions: string[] = [];

  /** Takes in evidence that holds by itself. */
  add(evidence: Evidence): void {
    if (evidence.kind === "seal") {
      this.#place(`published root ${evidence.seal.index}`, evidence.seal.merkle_root);
    } else if (evidence.kind === "bundle") {
      this.#addBundle(evidence);
    } else {
      const { receipts = [], merkle_proof } = evidence.receipt;
      this.#addReceipts(receipts, [merkle_proof]);
    }
  }

  /** How many receipts there are: with less than two there is nothing to compare. */
  get size(): number {
    return this.#receipts.length;
  }

  /** A sentence where the wording rules had remarks, of which no proof says anything; null where they had none. */
  remarks(): string | null {
    const verdicts = new Map(this.#receipts.map(({ event_id, verdict }) => [event_id, verdict]));
    const remarked = [...verdicts.values()].filter((verdict) => verdict !== "ALLOW").length;
    if (remarked === 0) return null;
    return `recorded with remarks on the wording (inspect shows them): ${remarked} of ${count(verdicts.size, "receipt")}`;
  }

  verify(): Promise<Verification> {
    return runSteps(this.conversations.arePaged ? PAGED_STEPS : STEPS, this);
  }

  checkLinks(): Finding {
    const links = verifyChainLinks(this.#receipts);
    return links === 0
      ? unchecked("no two of them follow each other")
      : holds(`${count(links, "link")} of the chain`);
  }

  checkHistory(): Finding {
    const [first] = this.#contradictions;
    if (first !== undefined) throw invalid(first);
    return holds("no two of them contradict each other");
  }

  #addBundle(file: BundleFile): void {
    const { interaction_id, receipts, proofs } = file.bundle;
    this.conversations.add(file);
    for (const [i, { merkle_proof: proof }] of proofs.entries()) {
      const place = `turn ${receipts[i]?.turn} of conversation ${interaction_id}`;
      this.#place(place, proof.event_inclusion_proof.leaf_hash);
    }
    this.#addReceipts(
      receipts,
      proofs.map(({ merkle_proof }) => merkle_proof),
    );
  }

  #addReceipts(receipts: readonly Record<string, unknown>[], proofs: readonly MerkleProof[]): void {
    this.#receipts.push(...receipts);
    for (const [i, proof] of proofs.entries()) this.#addProof(proof, receipts[i]?.chain_id);
  }

  #addProof(
    { event_inclusion_proof: event, cross_tenant_proof: cross }: MerkleProof,
    chainId: unknown,
  ): void {
    const chain = chainId ?? cross?.leaf.chain_id;
    if (typeof chain === "string") {
      this.#place(`receipt ${event.leaf_index} of chain ${chain}`, event.leaf_hash);
      this.#place(`the tree of ${event.tree_size} of chain ${chain}`, event.root);
    }
    if (cross !== null) this.#place(`published root ${cross.seal_index}`, cross.root);
  }

  #place(place: string, hash: string): void {
    const other = this.#hashes.get(place) ?? hash;
    if (other !== hash) this.#contradictions.push(`${place} is told in two ways, ${other} and ${hash}`);
    this.#hashes.set(place, other);
  }
}

const invalid = (message: string): DisclosureError => new DisclosureError("proof_invalid", message);
