// The outcomes of a call to append a receipt.
import type { TreeLeaf } from "../../evidence/core/merkle/merkle-tree.ts";
import type { ChainLeaf } from "./chain-leaf.ts";

/** A receipt that is safe in the ledger, and the leaves that were written together with it (itself among them). */
export interface Appended {
  readonly receipt: ChainLeaf;
  /** Ascending and without gaps; the last one is the chain's head right after them. */
  readonly writtenWith: readonly TreeLeaf[];
  /** `issued_at` of the receipt before those; null where they begin the chain, and for a replay, which reads none. */
  readonly previousIssuedAt: string | null;
  /** True where an earlier use of the same Idempotency-Key wrote it, be it one that was answered in the same moment. */
  readonly isReplay: boolean;
  /** Races that its transaction lost against other processes before it was written; 0 for a replay. */
  readonly lostRaces: number;
}

/** Nothing was written: the conversation is on another chain. */
export interface Moved {
  readonly kind: "moved";
  readonly chainId: string;
}

/** The receipt that an earlier use of the same Idempotency-Key wrote. */
export const asReplay = (receipt: ChainLeaf): Appended => ({
  receipt,
  writtenWith: [receipt.leaf],
  previousIssuedAt: null,
  isReplay: true,
  lostRaces: 0,
});
