// Timestamps for roots, from the first authority that gives a valid one. This module and its imports parse ASN.1 and
// are slow to load: import it when a token is due, not before.
import { BoundedMap } from "../../core/bounded-map.ts";
import { formatHex } from "../../core/bytes.ts";
import { PENDING_TIMESTAMP } from "../../core/formats/metachain.ts";
import {
  type AuthoritiesOptions,
  formatTimestamp,
  type GuardedAuthority,
  openAuthorities,
  type Timestamp,
} from "./guarded-authority.ts";
import type { Stamp } from "./ports.ts";

/** Receipts written together share a root, and readers come back to it soon or not at all. */
const MAX_REMEMBERED = 256;

/** Stamps roots by the first of these authorities that gives a valid token. */
export function stampFrom(options: AuthoritiesOptions): Stamp {
  const timestamps = new Timestamps(options);
  return async (root, budgetMs) => {
    const timestamp = await timestamps.stamp(root, budgetMs);
    return timestamp === null ? PENDING_TIMESTAMP : formatTimestamp(timestamp);
  };
}

export class Timestamps {
  readonly #authorities: readonly GuardedAuthority[];
  /** By root. */
  readonly #remembered = new BoundedMap<string, Timestamp>(MAX_REMEMBERED);
  readonly #underWay = new Map<string, Promise<Timestamp | null>>();

  constructor(options: AuthoritiesOptions) {
    this.#authorities = openAuthorities(options);
  }

  /**
   * A timestamp of `root` (32 bytes) within `budgetMs`, or null; the fault of an authority is never thrown.
   * Calls for one root share one request, and the budget of the first.
   */
  async stamp(root: Uint8Array, budgetMs: number): Promise<Timestamp | null> {
    const key = formatHex(root);
    const remembered = this.#remembered.get(key);
    if (remembered !== undefined) return remembered;
    const underWay = this.#underWay.get(key) ?? this.#begin(key, root, budgetMs);
    return underWay;
  }

  async #begin(key: string, root: Uint8Array, budgetMs: number): Promise<Timestamp | null> {
    const attempt = this.#tryAll(root, performance.now() + budgetMs);
    this.#underWay.set(key, attempt);
    try {
      const timestamp = await attempt;
      if (timestamp !== null) this.#remembered.set(key, timestamp);
      return timestamp;
    } finally {
      this.#underWay.delete(key);
    }
  }

  async #tryAll(root: Uint8Array, deadline: number): Promise<Timestamp | null> {
    const available = this.#authorities.filter(({ isAvailable }) => isAvailable);
    for (const [i, authority] of available.entries()) {
      // Each may use an equal share of the remaining time, or a slow one would use up the time of all after it.
      const share = (deadline - performance.now()) / (available.length - i);
      const timestamp = await authority.ask(root, share);
      if (timestamp !== null) return timestamp;
    }
    return null;
  }
}
