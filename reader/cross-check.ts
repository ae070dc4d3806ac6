// The checks between many receipts: that they follow each other, and that all are of one history. Two receipts at one
// place of a chain, each with a good proof, are what a service that lies would have to hand out.
import { DisclosureError } from "../core/errors.ts";
import type { MerkleProof } from "../core/formats/compliance-receipt.ts";
import {
  type Finding,
  holds,
  runSteps,
  type Step,
  unchecked,
  type Verification,
} from "../core/verify/check.ts";
import { count } from "../core/verify/count.ts";
import { verifyChainLinks } from "../core/verify/verify-links.ts";
import { Conversations } from "./conversations.ts";
import type { Evidence } from "./evidence.ts";
import { isInOrder } from "./wording.ts";

const STEPS: readonly Step<CrossCheck>[] = [
  ["chain_links", (all) => all.checkLinks()],
  ["one_history", (all) => all.checkHistory()],
];
const PAGED_STEPS: readonly Step<CrossCheck>[] = [
  ...STEPS,
  ["turn_links", (all) => all.conversations.checkLinks()],
];

/** A hash that a file states for a place of a log, and the file's name. */
interface Statement {
  readonly hash: string;
  readonly file: string;
}

export class CrossCheck {
  readonly conversations = new Conversations();
  readonly #receipts: Readonly<Record<string, unknown>>[] = [];
  readonly #statements = new Map<string, Statement>();
  readonly #contradictions: string[] = [];
  /** Published roots that differ: of two services, or forged. Only the published list can tell. */
  readonly #differingRoots: string[] = [];

  /** Takes in evidence that holds by itself. `file` names it for people. */
  add(evidence: Evidence, file: string): void {
    if (evidence.kind === "seal") {
      this.#stateRoot(evidence.seal.index, evidence.seal.merkle_root, file);
    } else if (evidence.kind === "bundle") {
      const { receipts, proofs } = evidence.bundle;
      this.conversations.add(evidence);
      this.#addReceipts(
        receipts,
        proofs.map(({ merkle_proof }) => merkle_proof),
        file,
      );
    } else {
      const { receipts = [], merkle_proof } = evidence.receipt;
      this.#addReceipts(receipts, [merkle_proof], file);
    }
  }

  /** How many receipts there are: with fewer than two there is nothing to compare. */
  get size(): number {
    return this.#receipts.length;
  }

  /** How many receipts the wording rules had remarks on, of which no proof says anything, and of how many. */
  get remarked(): { readonly count: number; readonly all: number } {
    const byEvent = new Map(this.#receipts.map((receipt) => [receipt.event_id, receipt]));
    const remarked = [...byEvent.values()].filter((receipt) => !isInOrder(receipt));
    return { count: remarked.length, all: byEvent.size };
  }

  verify(): Promise<Verification> {
    return runSteps(this.conversations.arePaged ? PAGED_STEPS : STEPS, this);
  }

  checkLinks(): Finding {
    const links = verifyChainLinks(this.#receipts);
    if (links === 0) return unchecked("no two of them follow each other");
    return holds(`${count(links, "link")} of the chain`);
  }

  checkHistory(): Finding {
    const [contradiction] = this.#contradictions;
    if (contradiction !== undefined) throw new DisclosureError("proof_invalid", contradiction);
    const [difference] = this.#differingRoots;
    if (difference !== undefined) return unchecked(difference);
    return holds("no two of them contradict each other");
  }

  #addReceipts(
    receipts: readonly Record<string, unknown>[],
    proofs: readonly MerkleProof[],
    file: string,
  ): void {
    this.#receipts.push(...receipts);
    for (const [i, proof] of proofs.entries()) this.#addProof(proof, receipts[i]?.chain_id, file);
  }

  #addProof(
    { event_inclusion_proof: event, cross_tenant_proof: cross }: MerkleProof,
    chainId: unknown,
    file: string,
  ): void {
    const chain = chainId ?? cross?.leaf.chain_id;
    if (typeof chain === "string") {
      this.#state(`receipt ${event.leaf_index} of chain ${chain}`, event.leaf_hash, file);
      this.#state(`the tree of ${event.tree_size} of chain ${chain}`, event.root, file);
    }
    if (cross !== null) this.#stateRoot(cross.seal_index, cross.root, file);
  }

  #state(place: string, hash: string, file: string): void {
    const other = this.#remember(place, hash, file);
    if (other.hash === hash) return;
    this.#contradictions.push(`${place} is ${other.hash} in ${other.file} and ${hash} in ${file}`);
  }

  #stateRoot(index: number, hash: string, file: string): void {
    const other = this.#remember(`published root ${index}`, hash, file);
    if (other.hash === hash) return;
    this.#differingRoots.push(
      `${other.file} and ${file} lead to different roots under number ${index}: they are of two services, or one is forged. Compare each with its service's published roots`,
    );
  }

  /** The first statement about a place. */
  #remember(place: string, hash: string, file: string): Statement {
    const known = this.#statements.get(place) ?? { hash, file };
    this.#statements.set(place, known);
    return known;
  }
}
