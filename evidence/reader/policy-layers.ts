// The wording policy layers that receipts name: those of the evidence, those that the reader gave, those that this program
// was built with, and the published ones. Each is believed by its hash, so it does not matter where it comes from.
import { parseJson } from "../core/canonical-json.ts";
import { isDisclosureError } from "../core/errors.ts";
import {
  type FoundLayer,
  type KnownLayers,
  layersByDigest,
  namedLayer,
} from "../core/verify/verify-policy.ts";
import { policyLayers } from "../policy/index.ts";
import { inOrder } from "./in-order.ts";

/** Layers of one piece of evidence that are fetched at a time. */
const FETCH_WIDTH = 8;

/** The published layers as a port. */
export interface LayerSource {
  /** The URL or folder as the reader gave it. */
  readonly name: string;
  /** The bytes under this digest, `sha256:` and hex; null where there are none. Throws `publication_unavailable`. */
  readonly layer: (digest: string) => Promise<Uint8Array | null>;
}

export class PolicyLayers {
  readonly #source: LayerSource | null;
  readonly #known: KnownLayers;
  readonly #published = new Map<string, Promise<FoundLayer>>();
  /** The first failure to reach the source: many layers must not wait for it many times. */
  #failure: string | null = null;

  /** `given` are layers as they came. `source` is null where the reader asks nobody. */
  constructor(source: LayerSource | null, given: readonly unknown[] = []) {
    this.#source = source;
    this.#known = layersByDigest([...given, ...policyLayers]);
  }

  /** Finds the layers that the receipts name, as far as they can be had. `carried` came with the evidence. It never throws for want of one. */
  async find(receipts: readonly object[], carried: readonly unknown[] = []): Promise<KnownLayers> {
    const known = new Map([...this.#known, ...layersByDigest(carried)]);
    const named = new Set(receipts.map(namedLayer).filter((digest) => digest !== null));
    const lacking = [...named].filter((digest) => !known.has(digest));
    const source = this.#source;
    if (source === null) return known;
    const read = async (digest: string) => [digest, await this.#publishedLayer(source, digest)] as const;
    for await (const [digest, found] of inOrder(lacking, FETCH_WIDTH, read)) known.set(digest, found);
    return known;
  }

  #publishedLayer(source: LayerSource, digest: string): Promise<FoundLayer> {
    const fetched = this.#published.get(digest) ?? this.#read(source, digest);
    this.#published.set(digest, fetched);
    return fetched;
  }

  async #read(source: LayerSource, digest: string): Promise<FoundLayer> {
    if (this.#failure !== null) return { missing: this.#failure };
    try {
      const bytes = await source.layer(digest);
      if (bytes === null)
        return { missing: `${source.name} does not publish the layer that the receipt names` };
      const found = layersByDigest([parseJson(bytes)]).get(digest);
      return found ?? otherBytes(source);
    } catch (error) {
      if (isDisclosureError(error, "not_json")) return otherBytes(source);
      if (!isDisclosureError(error)) throw error;
      this.#failure = `the layer that the receipt names could not be read: ${error.message}`;
      return { missing: this.#failure };
    }
  }
}

/** It says something about the source and nothing about the receipt. */
const otherBytes = ({ name }: LayerSource): FoundLayer => ({
  missing: `${name} publishes other bytes under the digest of the layer that the receipt names`,
});
