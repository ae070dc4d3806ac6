// The proof that a published seal holds the head of a chain, verified before anybody is given it.
import { DisclosureError } from "../../evidence/core/errors.ts";
import type { CrossTenantProof } from "../../evidence/core/formats/compliance-receipt.ts";
import type { Seal } from "../../evidence/core/formats/metachain.ts";
import { formatNode } from "../../evidence/core/merkle/hash.ts";
import type { Log } from "../ledger/log.ts";
import { readChainHead } from "./metachain-entry.ts";

/** The metachain's entry `leafIndex` and its path to the root of `seal`. Throws `ledger_corrupt` where that is another one. */
export async function proveHead(metachain: Log, leafIndex: number, seal: Seal): Promise<CrossTenantProof> {
  const { entry, proof } = await metachain.inclusionProof(leafIndex, seal.tree_size);
  const root = formatNode(proof.root);
  if (root !== seal.merkle_root) {
    const evidence = { expected: seal.merkle_root, actual: root };
    throw new DisclosureError("ledger_corrupt", "the published root is not the metachain's", evidence);
  }
  return {
    seal_index: seal.index,
    leaf: readChainHead(entry),
    leaf_index: leafIndex,
    tree_size: seal.tree_size,
    path: proof.path.map(formatNode),
    root,
  };
}
