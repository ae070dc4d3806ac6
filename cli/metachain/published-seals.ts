// The published seals that evidence leads to, each read once however many receipts lie under it.
import { isDisclosureError } from "../../core/errors.ts";
import type { Seal } from "../../core/formats/metachain.ts";
import type { Renewal } from "../../core/formats/renewal.ts";
import type { TimestampVerifier } from "../../core/timestamps/timestamp-verifier.ts";
import { findRenewal } from "../../core/verify/find-renewal.ts";
import { parseTimestamp, readLater } from "./later-timestamps.ts";
import { type MetachainSource, parseHead, parseRoot } from "./source.ts";

/** Five weeks of seals, one a minute: across more of them, a report that the service makes anew has a shorter way. */
const MAX_STEPS = 50_000;

export class PublishedSeals {
  readonly #source: MetachainSource;
  readonly #seals = new Map<number, Promise<Seal | null>>();
  readonly #renewals = new Map<number, Promise<Renewal | null>>();
  /** Once it can't be reached, a thousand receipts must not wait for it a thousand times. */
  #failure: unknown = null;

  constructor(source: MetachainSource) {
    this.#source = source;
  }

  /** Null where none is published. Throws `publication_unavailable`, or `malformed` for what is no seal. */
  get(index: number): Promise<Seal | null> {
    const known = this.#seals.get(index) ?? this.#read(index);
    this.#seals.set(index, known);
    return known;
  }

  /** A newer timestamp that covers root `index` and stands at `now`, RFC 3339; null where none can be found. */
  renewal(index: number, trustAnchors: TimestampVerifier, now: string): Promise<Renewal | null> {
    const known = this.#renewals.get(index) ?? this.#findRenewal(index, trustAnchors, now);
    this.#renewals.set(index, known);
    return known;
  }

  async #findRenewal(index: number, trustAnchors: TimestampVerifier, now: string): Promise<Renewal | null> {
    const source = this.#source;
    try {
      const { size } = parseHead(await source.head());
      // Not kept, unlike those that receipts lead to: there may be thousands on the way.
      const reader = {
        size,
        seal: (at: number) => this.#read(at),
        laterTimestamps: async (at: number) => (await readLater(source, at)).map(parseTimestamp),
      };
      return await findRenewal(index, reader, { trustAnchors, now, maxSteps: MAX_STEPS });
    } catch (error) {
      if (!isDisclosureError(error)) throw error;
      // The receipt is judged by what was read before; only its timestamp stays open.
      return null;
    }
  }

  async #read(index: number): Promise<Seal | null> {
    if (this.#failure !== null) throw this.#failure;
    try {
      const bytes = await this.#source.root(index);
      return bytes === null ? null : parseRoot(bytes, index);
    } catch (error) {
      if (isDisclosureError(error, "publication_unavailable")) this.#failure = error;
      throw error;
    }
  }
}
