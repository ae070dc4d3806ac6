// The wording policy layers in the table, each in its canonical bytes under their digest, and which of them are public.
import { randomUUID } from "node:crypto";
import { LAYER_NAME, layerDigestOf } from "../../contract/policy-paths.ts";
import { PARTITION_KEY, SORT_KEY } from "../../contract/table.ts";
import { canonicalBytes } from "../../evidence/core/canonical-json.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { formatDigest, hashBytes } from "../../evidence/core/merkle/hash.ts";
import type { EffectiveLayer } from "../../evidence/core/policy/effective-layer.ts";
import { digestOfLayer } from "../../evidence/core/policy/policy-layer.ts";
import { textOf } from "../table/attributes.ts";
import { backoff } from "../table/backoff.ts";
import { itemExists } from "../table/condition.ts";
import type { Item } from "../table/item.ts";
import { LAYERS_PARTITION, layerEntryKey, layerKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";

/** The most tries to write a layer while other processes write it, too. */
const MAX_TRIES = 5;
const BYTES = "bytes";
const PUBLISHED_AT = "published_at";

export class LayerRecords {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * Puts a layer into the table: its bytes, and the entry by which the sealer finds it, both or none. It must be there
   * before a receipt names it. Safe to repeat: of equal layers the first one stays. Throws `ledger_corrupt` where other
   * bytes are under its digest, and `ledger_contended`.
   */
  async record(layer: EffectiveLayer): Promise<void> {
    const digest = digestOfLayer(layer);
    const bytes: Item = { ...layerKey(digest), [BYTES]: { B: canonicalBytes(layer) } };
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      if (attempt > 0) await backoff(attempt);
      if ((await this.#table.get(layerEntryKey(digest))) !== null) return;
      // Without its entry, the bytes were left behind by whoever took that away; they are never written twice.
      const there = (await this.read([digest])).get(digest);
      if (there === null)
        throw new DisclosureError("ledger_corrupt", "a layer is not that of its digest", { digest });
      const entry = { insert: { ...layerEntryKey(digest) } };
      const writes = there !== undefined ? [entry] : [{ insert: bytes }, entry];
      // A crash before this has written nothing, and one after it leaves a layer that no receipt names: it is published,
      // and does no harm.
      if ((await this.#table.transact(writes, randomUUID())).kind === "committed") return;
    }
    throw new DisclosureError("ledger_contended", "other processes kept writing this layer", { digest });
  }

  /** The bytes of those layers that are in the table; null for bytes that are not of their digest. */
  async read(digests: readonly string[]): Promise<Map<string, Uint8Array | null>> {
    const byPartition = new Map(digests.map((digest) => [layerKey(digest).pk.S, digest]));
    const items = await this.#table.batchGet(digests.map(layerKey));
    return new Map(
      items.map((item) => {
        const digest = byPartition.get(textOf(item, PARTITION_KEY)) ?? "";
        const bytes = item[BYTES]?.B ?? new Uint8Array();
        return [digest, formatDigest(hashBytes(bytes)) === digest ? bytes : null];
      }),
    );
  }

  /** The digests of all layers, and when each was published (RFC 3339); null for those that are not yet. */
  async list(): Promise<Map<string, string | null>> {
    const entries = await this.#table.query({ partition: LAYERS_PARTITION });
    // No receipt can name what is no digest.
    const named = entries.filter((entry) => LAYER_NAME.test(textOf(entry, SORT_KEY)));
    return new Map(
      named.map((entry) => [layerDigestOf(textOf(entry, SORT_KEY)), entry[PUBLISHED_AT]?.S ?? null]),
    );
  }

  /** Notes that a layer is public. The first note stays. */
  async markPublished(digest: string, now: Date): Promise<void> {
    const setOnce = { [PUBLISHED_AT]: { S: now.toISOString() } };
    await this.#table.update({ key: layerEntryKey(digest), setOnce, when: itemExists });
  }
}
