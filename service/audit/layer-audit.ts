// Verifies the wording policy layers of the table: each hashes to its name, and is public in the same bytes once it counts
// as published; and each receipt's verdict is what the layer that it names gives, computed again.
import { layerPath } from "../../contract/policy-paths.ts";
import { BoundedMap } from "../../evidence/core/bounded-map.ts";
import { equalBytes } from "../../evidence/core/bytes.ts";
import { parseJson } from "../../evidence/core/canonical-json.ts";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import type { ReceiptCore } from "../../evidence/core/formats/receipt.ts";
import { checkPolicy, type FoundLayer, layersByDigest } from "../../evidence/core/verify/verify-policy.ts";
import { LayerRecords } from "../policy/layer-records.ts";
import type { PublicFiles } from "../seals/public-files.ts";
import type { Table } from "../table/table.ts";

/** Layers whose rules are remembered. */
const MAX_REMEMBERED = 1_000;
const MISSING = { missing: "the layer that the receipt names is missing from the table, or damaged" };

export interface LayerAuditServices {
  readonly table: Table;
  readonly files: PublicFiles;
  readonly onLayer: () => void;
  /** `index` counts the layers in the order of their digests. */
  readonly onFault: (index: number, detail: string) => void;
}

export async function auditLayers({ table, files, onLayer, onFault }: LayerAuditServices): Promise<void> {
  const records = new LayerRecords(table);
  for (const [index, [digest, publishedAt]] of [...(await records.list())].entries()) {
    const bytes = (await records.read([digest])).get(digest);
    onLayer();
    if (bytes === undefined) onFault(index, `the layer ${digest} is missing from the table`);
    else if (bytes === null) onFault(index, `the layer ${digest} is not that of its digest`);
    else if (publishedAt !== null) {
      const published = await files.bytes(layerPath(digest));
      if (published === null) onFault(index, `the layer ${digest} counts as published, and is not`);
      else if (!equalBytes(published, bytes))
        onFault(index, `the layer ${digest} is published in other bytes`);
    }
  }
}

/** Judges receipts by their layers, each of which is read once. */
export class VerdictAudit {
  readonly #records: LayerRecords;
  readonly #remembered = new BoundedMap<string, FoundLayer>(MAX_REMEMBERED);

  constructor(table: Table) {
    this.#records = new LayerRecords(table);
  }

  /** Says of each receipt in what its verdict is wrong; null where it is right. Throws `ledger_unavailable`. */
  async faultsOf(cores: readonly ReceiptCore[]): Promise<(string | null)[]> {
    const named = new Set(cores.map(({ policy }) => policy.digest));
    const layers = new Map<string, FoundLayer>();
    for (const digest of named)
      layers.set(digest, this.#remembered.get(digest) ?? (await this.#read(digest)));
    return cores.map((core) => faultOf(core, layers));
  }

  async #read(digest: string): Promise<FoundLayer> {
    const bytes = (await this.#records.read([digest])).get(digest) ?? null;
    const found = bytes === null ? MISSING : (layersByDigest([parseJson(bytes)]).get(digest) ?? MISSING);
    this.#remembered.set(digest, found);
    return found;
  }
}

function faultOf(core: ReceiptCore, layers: ReadonlyMap<string, FoundLayer>): string | null {
  try {
    const finding = checkPolicy(core, layers);
    return "unchecked" in finding ? finding.unchecked : null;
  } catch (error) {
    if (!isDisclosureError(error, "proof_invalid")) throw error;
    return error.message;
  }
}
