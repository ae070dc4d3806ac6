// Timestamps for roots, from the first authority that gives a valid one. This module and its imports parse ASN.1 and
// are slow to load: import it when a token is due, not before.
import { BoundedMap } from "../../evidence/core/bounded-map.ts";
import { formatHex } from "../../evidence/core/bytes.ts";
import { PENDING_TIMESTAMP } from "../../evidence/core/formats/metachain.ts";
import {
  type AuthoritiesOptions,
  formatTimestamp,
  type GuardedAuthority,
  openAuthorities,
  type Timestamp,
} from "./guarded-authority.ts";
import type { Stamp } from "./ports.ts";
import type { StampSubject } from "./timestamp-authority.ts";

/** Receipts written together share a root, and readers come back to it soon or not at all. */
const MAX_REMEMBERED = 256;

/** Stamps roots by the first of these authorities that gives a valid token. */
export function stampFrom(options: AuthoritiesOptions): Stamp {
  const timestamps = new Timestamps(options);
  return async (root, budgetMs, notBefore) => {
    const timestamp = await timestamps.stamp({ root, notBefore }, budgetMs);
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
   * A timestamp of the root within `budgetMs`, or null; the fault of an authority is never thrown.
   * Calls for one root share one request, and the budget of the first.
   */
  async stamp(subject: StampSubject, budgetMs: number): Promise<Timestamp | null> {
    const key = formatHex(subject.root);
    const remembered = this.#remembered.get(key);
    if (remembered !== undefined) return remembered;
    const underWay = this.#underWay.get(key) ?? this.#begin(key, subject, budgetMs);
    return underWay;
  }

  async #begin(key: string, subject: StampSubject, budgetMs: number): Promise<Timestamp | null> {
    const attempt = this.#tryAll(subject, performance.now() + budgetMs);
    this.#underWay.set(key, attempt);
    try {
      const timestamp = await attempt;
      if (timestamp !== null) this.#remembered.set(key, timestamp);
      return timestamp;
    } finally {
      this.#underWay.delete(key);
    }
  }

  async #tryAll(subject: StampSubject, deadline: number): Promise<Timestamp | null> {
    const available = this.#authorities.filter(({ isAvailable }) => isAvailable);
    for (const [i, authority] of available.entries()) {
      // Each may use an equal share of the remaining time, or a slow one would use up the time of all after it.
      const share = (deadline - performance.now()) / (available.length - i);
      const timestamp = await authority.ask(subject, share);
      if (timestamp !== null) return timestamp;
    }
    return null;
  }
}
