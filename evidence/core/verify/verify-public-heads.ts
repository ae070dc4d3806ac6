// What a walk of the public log says of a published head: it is the chain's, as the heads of a chain follow from the log
// (docs/receipt-format.md), and no chain of its tenant is kept beside the history.
import type { CrossTenantProof } from "../formats/compliance-receipt.ts";
import type { HeadWalk } from "../log/head-walk.ts";
import { type Finding, fail, holds, unchecked } from "./check.ts";
import { count } from "./count.ts";
import type { KnownHistory } from "./tenant-history.ts";
import { endsBefore } from "./verify-heads.ts";

const NOT_WALKED = unchecked("not_given", "the public log was not walked for this chain");

const PENDING = unchecked("pending", "the receipt has no head in the public log yet");

/** The head is the one of its number in the log, and the history's heads up to it are. */
export function checkPublicHead(proof: CrossTenantProof | null, known: KnownHistory): Finding {
  const { walk, history } = known;
  if (walk === null) return NOT_WALKED;
  if (proof === null) return PENDING;
  const { leaf, leaf_index } = proof;
  if (leaf_index >= walk.size) return tooShort(walk);
  if (walk.headsOf(leaf.chain_id) === null) return NOT_WALKED;
  requireHead(walk, proof);
  const chain = history?.chains.get(leaf.chain_id);
  const broken = chain === undefined ? null : known.reachOf(chain).broken;
  if (broken !== null && broken.leaf_index <= leaf_index)
    fail(`the log has not the history's head ${broken.head_index} at entry ${broken.leaf_index}`);
  return holds(
    `head ${leaf.head_index} of the chain at entry ${leaf_index}, ${count(walk.size, "entry", "entries")} walked`,
  );
}

/** Throws `proof_invalid` unless the head is the one of its number in the log, at its place. */
export function requireHead(walk: HeadWalk, { leaf, leaf_index }: CrossTenantProof): void {
  if (walk.has(leaf, leaf_index)) return;
  const logged = walk.headsOf(leaf.chain_id)?.[leaf.head_index];
  const where =
    logged === undefined
      ? `has no head ${leaf.head_index} of this chain among ${count(walk.size, "entry", "entries")}`
      : `has another head ${leaf.head_index} of this chain, at entry ${logged.leafIndex}`;
  fail(`entry ${leaf_index} is no head of the chain: the log ${where}`);
}

/** No chain of the tenant that the history does not have begins before the receipt's head, as far as the history reaches. */
export function checkOtherChains(proof: CrossTenantProof | null, known: KnownHistory): Finding {
  const { walk, history, firstOther: other } = known;
  if (walk === null) return NOT_WALKED;
  if (proof === null) return PENDING;
  const chain = history?.chains.get(proof.leaf.chain_id);
  // A chain may have begun since the history was fetched, and so may the receipt's own.
  if (chain === undefined) return unchecked("other_history", "the history is of other chains");
  const reach = known.reachOf(chain);
  if (proof.leaf_index >= reach.end) return endsBefore(reach, walk);
  if (other !== null && other.leafIndex < proof.leaf_index)
    fail(
      `chain ${other.chainId} of this tenant, which the history has not, begins at entry ${other.leafIndex}`,
    );
  return holds(
    `no other chain of this anchor up to entry ${Math.min(reach.end, other?.leafIndex ?? walk.size)}`,
  );
}

const tooShort = ({ size }: HeadWalk): Finding =>
  unchecked("too_new", `the public log at hand ends at entry ${size}, before this receipt`);
