// Walks the entries of the public log and notes the heads of the chains that are looked for, as docs/receipt-format.md has
// them: head 0 is the first entry with label 0, head k the first with label k behind head k - 1. So one label a chain is
// awaited at a time, and an entry under any other of its labels is ignored, however often it occurs.
import { equalBytes } from "../bytes.ts";
import { DisclosureError } from "../errors.ts";
import { type ChainHead, chainHeadEntry, chainHeadLabel } from "../formats/metachain.ts";
import { parseNode } from "../merkle/hash.ts";
import { rootAt, sizeAt, type TreeLeaf } from "../merkle/merkle-tree.ts";
import { appendEntry, entryCommitment, entryLabel } from "./entry.ts";

/** A head as the log has it; the chain's nth is its head n. */
export interface LoggedHead {
  readonly leafIndex: number;
  /** The entry's commitment to the head's size and root, a character for each byte. */
  readonly commitment: string;
}

/** An earlier walk over the same log, which this one continues. */
export interface EarlierWalk {
  /** The last entry that it passed. */
  readonly last: TreeLeaf;
  /** By a chain's id, the heads that it noted; none of a chain that it looked for and did not find. */
  readonly heads: ReadonlyMap<string, readonly LoggedHead[]>;
}

/** The entries are believed only as far as their root is: whoever walks compares it with a published one. */
export class HeadWalk {
  #last: TreeLeaf | null;
  readonly #heads = new Map<string, LoggedHead[]>();
  /** By the one label that is awaited of it, a character for each byte, each chain's id. */
  readonly #awaited = new Map<string, string>();

  constructor(chainIds: Iterable<string>, earlier: EarlierWalk | null = null) {
    this.#last = earlier?.last ?? null;
    for (const chainId of new Set(chainIds)) {
      const heads = [...(earlier?.heads.get(chainId) ?? [])];
      this.#heads.set(chainId, heads);
      this.#awaited.set(labelOf(chainId, heads.length), chainId);
    }
  }

  /** How many entries were passed, those of earlier walks too. */
  get size(): number {
    return sizeAt(this.#last);
  }

  /** The last entry that was passed, from where a later walk goes on; null before the first. */
  get last(): TreeLeaf | null {
    return this.#last;
  }

  /** The next entry of the log. Throws `proof_invalid` for one of another length. */
  add(entry: Uint8Array): void {
    const last = appendEntry(this.#last, entry);
    this.#last = last;
    const label = textOf(entryLabel(entry));
    const chainId = this.#awaited.get(label);
    if (chainId === undefined) return;
    const heads = this.#heads.get(chainId) ?? [];
    heads.push({ leafIndex: last.leafIndex, commitment: textOf(entryCommitment(entry)) });
    this.#awaited.delete(label);
    this.#awaited.set(labelOf(chainId, heads.length), chainId);
  }

  /** Throws `proof_invalid` unless the entries so far are those under this root. */
  checkRoot(root: string): void {
    if (this.#last !== null && equalBytes(rootAt(this.#last), parseNode(root))) return;
    throw new DisclosureError("proof_invalid", `the first ${this.size} entries are not those under ${root}`);
  }

  /** The heads of a chain, in order; null for a chain that was not looked for. */
  headsOf(chainId: string): readonly LoggedHead[] | null {
    return this.#heads.get(chainId) ?? null;
  }

  /** True if the log has this very head of the chain, and at this place. */
  has(head: ChainHead, leafIndex: number): boolean {
    const logged = this.#heads.get(head.chain_id)?.[head.head_index];
    return logged?.leafIndex === leafIndex && logged.commitment === commitmentTo(head);
  }
}

/** A head of a history that an earlier walk found in the log. */
export const loggedHead = (head: ChainHead, leafIndex: number): LoggedHead => ({
  leafIndex,
  commitment: commitmentTo(head),
});

/** A year of entries may be heads: hex, put together digit by digit, would take twenty times the memory. */
const textOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

const labelOf = (chainId: string, headIndex: number): string => textOf(chainHeadLabel(chainId, headIndex));

const commitmentTo = (head: ChainHead): string => textOf(entryCommitment(chainHeadEntry(head)));
