// The layers that receipts name, out of the table, for those who hand them on: believed by their hash, and so remembered.
import { BoundedMap } from "../../evidence/core/bounded-map.ts";
import { parseJson } from "../../evidence/core/canonical-json.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import type { Table } from "../table/table.ts";
import { LayerRecords } from "./layer-records.ts";

/** Layers that a process remembers, of some 40 KB each. */
const MAX_REMEMBERED = 32;

/** A layer as its bytes have it. */
export type StoredLayer = Readonly<Record<string, unknown>>;

export class LayerMemory {
  readonly #records: LayerRecords;
  readonly #onFault: (error: DisclosureError) => void;
  readonly #remembered = new BoundedMap<string, StoredLayer>(MAX_REMEMBERED);

  /** `onFault` is called for each layer that is missing, or not that of its digest. */
  constructor(table: Table, onFault: (error: DisclosureError) => void) {
    this.#records = new LayerRecords(table);
    this.#onFault = onFault;
  }

  /** The layers of these digests, in their order, without those that do not hold. Throws `ledger_unavailable`. */
  async read(digests: readonly string[]): Promise<Map<string, StoredLayer>> {
    const lacking = digests.filter((digest) => !this.#remembered.has(digest));
    const read = new Map(this.#remembered);
    for (const [digest, bytes] of await this.#records.read(lacking))
      if (bytes !== null) read.set(digest, parseJson(bytes) as StoredLayer);
    const found = new Map<string, StoredLayer>();
    for (const digest of digests) {
      const layer = read.get(digest);
      if (layer === undefined) this.#onFault(notThere(digest));
      else found.set(digest, layer);
    }
    for (const [digest, layer] of found) this.#remembered.set(digest, layer);
    return found;
  }
}

const notThere = (digest: string): DisclosureError =>
  new DisclosureError("ledger_corrupt", "a layer is missing from the table, or is not that of its digest", {
    digest,
  });
