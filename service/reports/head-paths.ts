// The paths between the sealed heads that a conversation's receipts lead to: a bundle carries them.
import type { ChainConsistency } from "../../evidence/core/formats/evidence-bundle.ts";
import type { ChainHead } from "../../evidence/core/formats/metachain.ts";
import { formatNode, parseNode } from "../../evidence/core/merkle/hash.ts";
import type { Log } from "../ledger/log.ts";
import type { UnsignedReceipt } from "./report-format.ts";

/** The sealed head that a report leads to; null while its receipt is not sealed. */
export const headOf = ({ merkle_proof }: UnsignedReceipt): ChainHead | null =>
  merkle_proof.cross_tenant_proof?.leaf ?? null;

/** The verified path from one head to a later one; null where they are one head, or none. */
export async function readHeadPath(
  logOf: (chainId: string) => Log,
  from: ChainHead | null,
  to: ChainHead | null,
): Promise<ChainConsistency | null> {
  if (from === null || to === null || from.chain_id !== to.chain_id || from.tree_size >= to.tree_size)
    return null;
  const previous = { size: from.tree_size, root: parseNode(from.root) };
  const path = await logOf(to.chain_id).consistencyPath(previous, to.tree_size);
  return {
    chain_id: to.chain_id,
    from_size: from.tree_size,
    to_size: to.tree_size,
    path: path.map(formatNode),
  };
}
