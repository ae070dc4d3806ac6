// The published seals that evidence leads to, each read once however many receipts lie under it.
import { isDisclosureError } from "../../core/errors.ts";
import type { Seal } from "../../core/metachain.ts";
import { type MetachainSource, parseRoot } from "./source.ts";

export class PublishedSeals {
  readonly #source: MetachainSource;
  readonly #seals = new Map<number, Promise<Seal | null>>();
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
