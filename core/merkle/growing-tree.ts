// A Merkle tree of RFC 9162 section 2.1.1 that grows leaf by leaf and keeps only the roots of its complete subtrees.
import { DisclosureError } from "../errors.ts";
import { HASH_BYTES, hashNode } from "./hash.ts";
import { half, isOdd } from "./index-arithmetic.ts";

/** A tree by its size and its complete subtrees, largest first: one for each set bit of the size. */
export interface Frontier {
  readonly size: number;
  readonly subtrees: readonly Uint8Array[];
}

export class GrowingTree {
  #size: number;
  readonly #subtrees: Uint8Array[];

  /** Goes on from an earlier state of the tree. */
  constructor({ size, subtrees }: Frontier = { size: 0, subtrees: [] }) {
    this.#size = size;
    this.#subtrees = [...subtrees];
  }

  get size(): number {
    return this.#size;
  }

  /** The state of now: it stays as it is when the tree grows on. */
  frontier(): Frontier {
    return { size: this.#size, subtrees: [...this.#subtrees] };
  }

  append(leafHash: Uint8Array): void {
    let node = leafHash;
    for (let rest = this.#size; isOdd(rest); rest = half(rest)) {
      node = hashNode(this.#subtrees.pop() ?? emptyTree(), node);
    }
    this.#subtrees.push(node);
    this.#size++;
  }

  /** Appends the 32-byte leaf hashes that stand one behind the other in `bytes`. */
  appendAll(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += HASH_BYTES) this.append(bytes.subarray(at, at + HASH_BYTES));
  }

  /** The root. Throws `malformed` for a tree without leaves, whose root no log of ours publishes. */
  root(): Uint8Array {
    if (this.#size === 0) emptyTree();
    return this.#subtrees.reduceRight((node, left) => hashNode(left, node));
  }
}

function emptyTree(): never {
  throw new DisclosureError("malformed", "the tree has no leaves");
}
