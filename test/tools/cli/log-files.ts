// The files of the vectors' log: its entries are the heads that the vectors' receipts show, and every one is shown.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { jcs, sha256 } from "../../support/plain-json.ts";
import { leafHash, treeOf } from "../../support/rfc9162.ts";
import { filesOf } from "../../support/whole-tiles.ts";

const RECEIPTS = fileURLToPath(new URL("../../vectors/evidence/receipts/", import.meta.url));

interface Shown {
  readonly merkle_proof: {
    readonly cross_tenant_proof: {
      readonly leaf_index: number;
      readonly leaf: Record<string, unknown>;
    } | null;
  };
}

const entries: Buffer[] = [];
for (const name of readdirSync(RECEIPTS)) {
  const { merkle_proof } = JSON.parse(readFileSync(RECEIPTS + name, "utf8")) as Shown;
  const { leaf_index, leaf } = merkle_proof.cross_tenant_proof ?? {};
  if (leaf === undefined || leaf_index === undefined) continue;
  const { chain_id, head_index } = leaf;
  entries[leaf_index] = Buffer.concat([sha256(jcs({ chain_id, head_index })), sha256(jcs(leaf))]);
}

const entryAt = (index: number): Buffer => {
  const entry = entries[index];
  assert(entry !== undefined, `no receipt shows entry ${index}`);
  return entry;
};
const mth = treeOf((index) => leafHash(entryAt(index)));

/** Every file that seals of these tree sizes left, by its path under `v1/metachain`. */
export const logFilesOf = (sizes: readonly number[]): Map<string, Buffer> =>
  new Map(sizes.flatMap((size) => [...filesOf({ size, mth, entryAt })]));
