// Receipts under several sealed heads of one chain: each head's tree extends the one before, which the proofs of the
// receipts alone show only where they share a subtree.
import type { BundleEvidence } from "../formats/evidence.ts";
import type { ChainConsistency } from "../formats/evidence-bundle.ts";
import type { ChainHead } from "../formats/metachain.ts";
import { parseNode } from "../merkle/hash.ts";
import { verifyConsistency } from "../merkle/merkle-proof.ts";
import { type Finding, holds, unchecked } from "./check.ts";
import { count } from "./count.ts";

/**
 * Throws `proof_invalid` where a head does not extend the one before. A path from or to another head is of a turn on
 * another page, and says nothing here.
 */
export function checkChainConsistency({ proofs, chain_consistency = [] }: BundleEvidence): Finding {
  const steps = headsByChain(proofs).flatMap((heads) =>
    heads.slice(1).map((to, i) => ({ from: heads[i] ?? to, to })),
  );
  const missing = steps.filter(({ from, to }) => !verifyStep(chain_consistency, from, to)).length;
  if (missing > 0)
    return unchecked(
      "not_given",
      `the path to the next head is not enclosed for ${missing} of ${steps.length}`,
    );
  if (steps.length === 0) return holds("no chain has two heads here");
  return holds(`${count(steps.length, "head extends", "heads extend")} the one before`);
}

/** The sealed heads to which the proofs lead, of each chain by size. Two of one size are told apart elsewhere. */
function headsByChain(proofs: BundleEvidence["proofs"]): ChainHead[][] {
  const heads = proofs.flatMap(({ merkle_proof }) => merkle_proof.cross_tenant_proof?.leaf ?? []);
  return [...Map.groupBy(heads, ({ chain_id }) => chain_id).values()].map((ofChain) => {
    const bySize = new Map(ofChain.map((head) => [head.tree_size, head]));
    return [...bySize.values()].sort((a, b) => a.tree_size - b.tree_size);
  });
}

/** False where no path is enclosed between the two. */
function verifyStep(paths: readonly ChainConsistency[], from: ChainHead, to: ChainHead): boolean {
  const found = paths.find(
    ({ chain_id, from_size, to_size }) =>
      chain_id === to.chain_id && from_size === from.tree_size && to_size === to.tree_size,
  );
  if (found === undefined) return false;
  const path = found.path.map(parseNode);
  verifyConsistency(from.tree_size, to.tree_size, path, parseNode(from.root), parseNode(to.root));
  return true;
}
