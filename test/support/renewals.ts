// Seals of one growing metachain and the renewals between them, for tests.

import { PENDING_TIMESTAMP, type Seal, type TsaTimestamp } from "../../evidence/core/formats/metachain.ts";
import type { Renewal } from "../../evidence/core/formats/renewal.ts";
import { formatNode } from "../../evidence/core/merkle/hash.ts";
import type { StampedRoot } from "../../evidence/core/verify/verify-timestamp.ts";
import { type Mth, PROOF } from "./rfc9162.ts";

const NOON = "T12:00:00.000Z";

/** A metachain whose tree grows as `mth` says, sealed at the given sizes, each on the given day. */
export class SealedTree {
  readonly #mth: Mth;
  readonly #seals: Seal[] = [];

  constructor(mth: Mth) {
    this.#mth = mth;
  }

  /** Seals the tree at `size`. */
  seal(size: number, day: string, timestamps: (root: Uint8Array) => TsaTimestamp[]): Seal {
    const previous = this.#seals.at(-1);
    const root = this.#mth(0, size);
    const [tsa_timestamp = PENDING_TIMESTAMP, ...additional_timestamps] = timestamps(root);
    const seal: Seal = {
      index: this.#seals.length,
      merkle_root: formatNode(root),
      tree_size: size,
      previous_root: previous?.merkle_root ?? null,
      previous_tree_size: previous?.tree_size ?? 0,
      consistency_path: previous ? this.path(previous.tree_size, size) : [],
      receipt_count: 1,
      sealed_at: `${day}${NOON}`,
      tsa_timestamp,
      additional_timestamps,
    };
    this.#seals.push(seal);
    return seal;
  }

  path(from: number, to: number): string[] {
    return PROOF(from, to, this.#mth).map(formatNode);
  }

  /** By one direct path. */
  renewal(from: Seal, to: Seal): Renewal {
    const consistency_path = this.path(from.tree_size, to.tree_size);
    return { renews: from.index, between: [], consistency_path, seal: to };
  }

  /** By every seal between the two, as they are published. */
  renewalThroughSeals(from: Seal, to: Seal): Renewal {
    const between = this.#seals.slice(from.index + 1, to.index);
    return { renews: from.index, between, consistency_path: to.consistency_path, seal: to };
  }
}

export const stampedRootOf = (seal: Seal, rest: Partial<StampedRoot> = {}): StampedRoot => ({
  root: seal.merkle_root,
  timestamp: seal.tsa_timestamp,
  notBefore: seal.sealed_at,
  seal,
  ...rest,
});
