// Timestamps for roots, from the first authority that gives a good one. This module and what it imports parse
// ASN.1 and are slow to load: import it when a stamp is due, not before.
import { formatBase64, formatHex } from "../core/bytes.ts";
import { type AuthorityContext, requestTimestamp } from "./timestamp-authority.ts";

/** A verified token over a root. */
export type Timestamp = {
  /** Base64 of the TimeStampToken's DER. */
  readonly timestamp_token: string;
  readonly tsa_url: string;
  /** RFC 3339, UTC. */
  readonly genTime: string;
};

export type TimestampsOptions = {
  /** URLs, in the order in which they are tried. */
  readonly authorities: readonly string[];
  /** DER certificates. */
  readonly trustAnchors: readonly Uint8Array[];
  readonly clock: () => Date;
  /** Told of every attempt that failed, and why. */
  readonly onFailure: (url: string, error: unknown) => void;
  readonly fetch?: typeof globalThis.fetch;
};

/** Receipts written together share a root, and readers come back to it soon or not at all. */
const MAX_REMEMBERED = 256;
/** How long an authority that failed is left alone, so that a dead one costs one call its wait, not every call. */
const REST_MS = 5_000;
/** Less than a round trip takes. To ask all the same would only put a healthy authority to rest. */
const MIN_SHARE_MS = 50;

export class Timestamps {
  readonly #authorities: readonly string[];
  readonly #context: AuthorityContext;
  readonly #onFailure: (url: string, error: unknown) => void;
  /** By root, oldest first. */
  readonly #remembered = new Map<string, Timestamp>();
  readonly #underWay = new Map<string, Promise<Timestamp | null>>();
  /** When the rest of an authority ends, in milliseconds of `performance.now()`. */
  readonly #restUntil = new Map<string, number>();

  constructor({ authorities, trustAnchors, clock, onFailure, fetch = globalThis.fetch }: TimestampsOptions) {
    this.#authorities = authorities;
    this.#context = { trustAnchors, clock, fetch };
    this.#onFailure = onFailure;
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
      if (timestamp !== null) this.#remember(key, timestamp);
      return timestamp;
    } finally {
      this.#underWay.delete(key);
    }
  }

  async #tryAll(root: Uint8Array, deadline: number): Promise<Timestamp | null> {
    const awake = this.#authorities.filter((url) => (this.#restUntil.get(url) ?? 0) <= performance.now());
    for (const [i, url] of awake.entries()) {
      // Each may use an equal share of what is left, or a slow one would take the time of all after it.
      const share = (deadline - performance.now()) / (awake.length - i);
      const timestamp = share >= MIN_SHARE_MS ? await this.#try(url, root, share) : null;
      if (timestamp !== null) return timestamp;
    }
    return null;
  }

  async #try(url: string, root: Uint8Array, timeoutMs: number): Promise<Timestamp | null> {
    try {
      const signal = AbortSignal.timeout(Math.ceil(timeoutMs));
      const { token, timestamp } = await requestTimestamp(url, root, this.#context, signal);
      return { timestamp_token: formatBase64(token), tsa_url: url, genTime: timestamp.genTime };
    } catch (error) {
      this.#restUntil.set(url, performance.now() + REST_MS);
      this.#onFailure(url, error);
      return null;
    }
  }

  #remember(key: string, timestamp: Timestamp): void {
    this.#remembered.set(key, timestamp);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > MAX_REMEMBERED && oldest !== undefined) this.#remembered.delete(oldest);
  }
}
