// A chain's whole history: its leaves and its sealed heads. Every head must be the root of the leaves up to it, from
// the first head to the last, so nothing under an earlier head can have been dropped, reordered or put in.
import { equalBytes } from "../bytes.ts";
import { DisclosureError, type ErrorFacts } from "../errors.ts";
import type { SealedHead } from "../formats/chain-history.ts";
import { hashLeaf, parseNode } from "../merkle/hash.ts";
import { rootAt, sizeAt, type TreeLeaf } from "../merkle/merkle-tree.ts";
import { appendEntries, ENTRY_BYTES } from "./entry.ts";
import { LabelIndex } from "./label-index.ts";
import type { ReadLeaves } from "./leaf-bundles.ts";

/** The last leaf is kept at every multiple of this size, so that the root of any size takes few hashes. */
const KEPT_DISTANCE = 256;

export class ChainHistory {
  readonly chainId: string;
  readonly #readLeaves: ReadLeaves;
  readonly #heads: SealedHead[] = [];
  /** The last leaf under the heads so far; null before the first. */
  #last: TreeLeaf | null = null;
  /** The nth is the last leaf of the tree of n · KEPT_DISTANCE leaves; null for the tree without leaves. */
  readonly #kept: (TreeLeaf | null)[] = [null];
  /** Made when somebody asks for a label, and again after the history has grown. */
  #labels: LabelIndex | null = null;

  constructor(chainId: string, readLeaves: ReadLeaves) {
    this.chainId = chainId;
    this.#readLeaves = readLeaves;
  }

  /** The sealed heads that were verified, from the first on. */
  get heads(): readonly SealedHead[] {
    return this.#heads;
  }

  /** How many receipts there are under the last sealed head. */
  get size(): number {
    return sizeAt(this.#last);
  }

  /** Takes the next head. Throws `proof_invalid` where it does not continue the history or is not its leaves' root. */
  add(head: SealedHead): void {
    this.#checkOrder(head);
    const last = this.#growTo(head.tree_size);
    if (last === null || !equalBytes(rootAt(last), parseNode(head.root))) {
      refuse(this.chainId, `head ${head.head_index} is not the root of its ${head.tree_size} receipts`);
    }
    this.#heads.push(head);
  }

  /** The leaf hash of the receipt at `sequence`, or null where no sealed head covers it. */
  leafHash(sequence: number): Uint8Array | null {
    return sequence < this.size ? hashLeaf(this.#readLeaves(sequence, sequence + 1)) : null;
  }

  /** The places of the leaves with this label, in order: in an honest history, one at most. */
  placesOf(label: Uint8Array): number[] {
    if (this.#labels?.size !== this.size) this.#labels = new LabelIndex(this.#readLeaves, this.size);
    return this.#labels.placesOf(label);
  }

  /** The chain's root when it had `size` receipts, or null where no sealed head covers that size. */
  rootAt(size: number): Uint8Array | null {
    const kept = this.#kept[Math.floor(size / KEPT_DISTANCE)];
    if (kept === undefined || size > this.size) return null;
    const last = appendEntries(kept, this.#readLeaves(sizeAt(kept), size));
    return last && rootAt(last);
  }

  /** The first head over the receipt at `sequence`, or null where none covers it. */
  headOver(sequence: number): SealedHead | null {
    let [low, high] = [0, this.#heads.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#heads[middle]?.tree_size ?? 0) > sequence) high = middle;
      else low = middle + 1;
    }
    return this.#heads[low] ?? null;
  }

  /** Heads are numbered without a gap; sizes and places in the metachain grow, and seals never go back. */
  #checkOrder(head: SealedHead): void {
    const { head_index, tree_size, leaf_index, seal_index } = head;
    const expected = this.#heads.length;
    const previous = this.#heads.at(-1);
    if (head_index !== expected)
      refuse(this.chainId, `head ${expected} is missing`, { expected, actual: head_index });
    if (tree_size <= this.size) refuse(this.chainId, `head ${head_index} does not grow`, { tree_size });
    if (previous === undefined) return;
    if (leaf_index <= previous.leaf_index || seal_index < previous.seal_index) {
      refuse(this.chainId, `head ${head_index} stands before head ${previous.head_index} in the public log`);
    }
  }

  #growTo(size: number): TreeLeaf | null {
    while (this.size < size) {
      const from = this.size;
      const to = Math.min(size, from - (from % KEPT_DISTANCE) + KEPT_DISTANCE);
      const leaves = this.#readLeaves(from, to);
      if (leaves.length !== (to - from) * ENTRY_BYTES)
        refuse(this.chainId, "leaves are missing", { from, to });
      this.#last = appendEntries(this.#last, leaves);
      if (to % KEPT_DISTANCE === 0) this.#kept.push(this.#last);
    }
    return this.#last;
  }
}

function refuse(chainId: string, sentence: string, facts: ErrorFacts = {}): never {
  throw new DisclosureError("proof_invalid", `${sentence} (chain ${chainId})`, { ...facts, chainId });
}
