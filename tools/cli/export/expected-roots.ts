// The published roots that reports lead to, and what the reports say of each: a root that is another is not kept.
import { DisclosureError } from "../../../evidence/core/errors.ts";
import type { ComplianceReceipt } from "../../../evidence/core/formats/compliance-receipt.ts";
import { hashSeal, type Seal } from "../../../evidence/core/formats/metachain.ts";
import { parseRoot } from "../../../evidence/reader/metachain.ts";

/** The distinct things that reports say of one root. */
interface Expected {
  readonly trees: Set<string>;
  readonly hashes: Set<string>;
}

type Tree = Pick<Seal, "tree_size" | "merkle_root">;

const formatTree = ({ tree_size, merkle_root }: Tree): string => `${tree_size} ${merkle_root}`;

export class ExpectedRoots {
  readonly #expected = new Map<number, Expected>();

  /** The roots with which a reader compares it: its own, the one that it was recorded after, and that of its renewal. */
  add({ merkle_proof, receipts, renewal }: ComplianceReceipt): void {
    const own = merkle_proof.cross_tenant_proof;
    if (own !== null) this.#addTree(own.seal_index, { tree_size: own.tree_size, merkle_root: own.root });
    for (const { recorded_after } of receipts)
      if (recorded_after !== null) this.#at(recorded_after.seal_index).hashes.add(recorded_after.seal_hash);
    if (renewal !== undefined) this.#addTree(renewal.seal.index, renewal.seal);
  }

  /** In ascending order. */
  get indices(): number[] {
    return [...this.#expected.keys()].sort((a, b) => a - b);
  }

  /** Throws `malformed` for bytes that are no root, `proof_invalid` for another root than the reports lead to. */
  check(index: number, bytes: Uint8Array): void {
    const seal = parseRoot(bytes, index);
    const { trees, hashes } = this.#at(index);
    const [tree, hash] = [formatTree(seal), hashSeal(seal)];
    const isSame = [...trees].every((said) => said === tree) && [...hashes].every((said) => said === hash);
    if (isSame) return;
    throw new DisclosureError(
      "proof_invalid",
      `root ${index} is another than the one that a report leads to`,
    );
  }

  #addTree(index: number, tree: Tree): void {
    this.#at(index).trees.add(formatTree(tree));
  }

  #at(index: number): Expected {
    const known = this.#expected.get(index) ?? { trees: new Set(), hashes: new Set() };
    this.#expected.set(index, known);
    return known;
  }
}
