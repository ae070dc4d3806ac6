// The histories of the vectors' chains, as `receipts history` writes them into a folder: made of the proofs in the vectors.
import { readdirSync } from "node:fs";
import { concatBytes, utf8 } from "../../evidence/core/bytes.ts";
import { receiptLeaf, withoutAuthentication } from "../../evidence/core/formats/receipt.ts";
import { readReceipt } from "./vector-files.ts";

const chainOf = (file: string): string => readReceipt(file).receipts[0]?.chain_id ?? "";
export const CHAIN = chainOf("receipts/greeting.json");
export const OTHER_CHAIN = chainOf("receipts/other-tenant.json");

/** The bytes of each file by its path below the folder, for a chain of less than 256 receipts. */
export function vectorHistory(chainId: string): Map<string, Uint8Array> {
  const proofs = readdirSync(new URL("../vectors/evidence/receipts/", import.meta.url))
    .map((file) => readReceipt(`receipts/${file}`))
    .filter(({ merkle_proof }) => merkle_proof.cross_tenant_proof?.leaf.chain_id === chainId);
  const leaves: Uint8Array[] = [];
  const heads: object[] = [];
  for (const { receipts, merkle_proof } of proofs) {
    const { event_inclusion_proof: event, cross_tenant_proof: cross } = merkle_proof;
    leaves[event.leaf_index] = receiptLeaf(withoutAuthentication(receipts[0] ?? {}));
    if (cross === null) continue;
    const { head_index, tree_size, root } = cross.leaf;
    const { leaf_index, seal_index } = cross;
    heads[head_index] = { head_index, tree_size, root, leaf_index, seal_index };
  }
  return new Map([
    [
      "history.json",
      json({ tenant_anchor: null, chains: [{ chain_id: chainId, shard: 0 }], searched: null }),
    ],
    [`chains/${chainId}/heads/0.json`, json(heads)],
    [`chains/${chainId}/entries/000.p/${leaves.length}`, concatBytes(...leaves)],
  ]);
}

const json = (value: unknown): Uint8Array => utf8(`${JSON.stringify(value)}\n`);
