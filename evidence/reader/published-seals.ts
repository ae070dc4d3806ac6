// The published seals that evidence leads to, each read once however many receipts lead to it. Seals that the reader names
// as published come first: they may be from a mirror that depends on nobody here.
import { isDisclosureError } from "../core/errors.ts";
import { type ListedSeal, type Seal, sealIn } from "../core/formats/metachain.ts";
import type { Renewal } from "../core/formats/renewal.ts";
import type { TimestampVerifier } from "../core/timestamps/timestamp-verifier.ts";
import { findRenewal } from "../core/verify/find-renewal.ts";
import { parseTimestamp, readLater } from "./later-timestamps.ts";
import { type MetachainSource, parseHead, parseRoot } from "./metachain.ts";

/** Five weeks of seals, one a minute: across more of them, a report that the service makes anew has a shorter way. */
const MAX_STEPS = 50_000;

export interface PublishedOptions {
  /** Seals that the reader names as published, by index. */
  readonly given?: ReadonlyMap<number, Seal>;
  /** Across how many seals a renewal is looked for; a phone may be asked to load less than a command line. */
  readonly maxSteps?: number;
}

export class PublishedSeals {
  readonly #source: MetachainSource | null;
  readonly #given: ReadonlyMap<number, Seal>;
  readonly #maxSteps: number;
  readonly #seals = new Map<number, Promise<ListedSeal>>();
  readonly #renewals = new Map<number, Promise<Renewal | null>>();
  #head: Promise<Uint8Array> | null = null;
  /** The first failure to reach the source: a thousand receipts must not wait for it a thousand times. */
  #failure: unknown = null;

  /** `source` is null where the reader has no metachain to ask. */
  constructor(
    source: MetachainSource | null,
    { given = new Map(), maxSteps = MAX_STEPS }: PublishedOptions = {},
  ) {
    this.#source = source;
    this.#given = given;
    this.#maxSteps = maxSteps;
  }

  /**
   * Undefined where nobody can be asked. Throws `publication_unavailable`, or `malformed`
   * for a file of the source that is no seal.
   */
  async get(index: number): Promise<ListedSeal | undefined> {
    const given = this.#given.get(index);
    if (given !== undefined || this.#source === null) return given;
    const known = this.#seals.get(index) ?? this.#read(this.#source, index);
    this.#seals.set(index, known);
    return known;
  }

  /** A newer timestamp that covers root `index` and is valid at `now`, RFC 3339; null where none can be found. */
  async renewal(index: number, trustAnchors: TimestampVerifier, now: string): Promise<Renewal | null> {
    if (this.#source === null) return null;
    const known = this.#renewals.get(index) ?? this.#findRenewal(this.#source, index, trustAnchors, now);
    this.#renewals.set(index, known);
    return known;
  }

  async #findRenewal(
    source: MetachainSource,
    index: number,
    trustAnchors: TimestampVerifier,
    now: string,
  ): Promise<Renewal | null> {
    try {
      const { size } = parseHead(await this.#readHead(source));
      // Seals on the way are not kept, unlike those that receipts lead to: there may be thousands.
      const reader = {
        size,
        seal: async (at: number) => sealIn(await this.#read(source, at)),
        laterTimestamps: async (at: number) => (await readLater(source, at)).map(parseTimestamp),
      };
      return await findRenewal(index, reader, { trustAnchors, now, maxSteps: this.#maxSteps });
    } catch (error) {
      if (!isDisclosureError(error)) throw error;
      // The receipt is judged by what was read before; only its timestamp stays open.
      return null;
    }
  }

  async #read(source: MetachainSource, index: number): Promise<ListedSeal> {
    if (this.#failure !== null) throw this.#failure;
    try {
      const bytes = await source.root(index);
      if (bytes !== null) return parseRoot(bytes, index);
      // A host that publishes no metachain at all has no root either: its 404 says nothing about a receipt.
      const { size } = parseHead(await this.#readHead(source));
      if (index >= size) return source.isServices === true ? null : "too_new";
      // A mirror may have grown before its head was read.
      const later = await source.root(index);
      return later && parseRoot(later, index);
    } catch (error) {
      if (isDisclosureError(error, "publication_unavailable")) this.#failure = error;
      throw error;
    }
  }

  #readHead(source: MetachainSource): Promise<Uint8Array> {
    this.#head ??= source.head();
    return this.#head;
  }
}
