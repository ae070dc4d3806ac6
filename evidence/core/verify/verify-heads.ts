// A published head that evidence names, held against the history of its chain: receipts and bills judge it alike.
import type { CrossTenantProof } from "../formats/compliance-receipt.ts";
import type { ChainHistory } from "../log/chain-history.ts";
import type { HeadWalk } from "../log/head-walk.ts";
import type { Reach } from "../log/reach.ts";
import { type Finding, fail, unchecked } from "./check.ts";

/** Two readers may have two histories: only the log says which is the chain's. */
export const inFileOnly = (what: string): string => `consistent with this file: ${what}`;

/**
 * The head is one of the history, member by member and at its place of the log. Its seal may be a later one than the first
 * that covers it. Only for a head that the history reaches: what should be there and is not, fails. Throws `proof_invalid`.
 */
export function checkHead(history: ChainHistory, { leaf, leaf_index, seal_index }: CrossTenantProof): void {
  const head = history.heads[leaf.head_index];
  const isSame =
    head?.tree_size === leaf.tree_size &&
    head.root === leaf.root &&
    head.leaf_index === leaf_index &&
    head.seal_index <= seal_index;
  if (!isSame) fail(`the proof's head ${leaf.head_index}, at entry ${leaf_index}, is none of the history`);
}

/** What stands behind a break is part of no history. Throws `proof_invalid`. */
export function checkBroken(leafIndex: number, { end, broken }: Reach): void {
  if (broken === null || leafIndex < end) return;
  fail(`one history up to entry ${end}: there the log has not the history's head ${broken.head_index}`);
}

/** What is younger than the oldest of the files is open. */
export function endsBefore({ end }: Reach, walk: HeadWalk | null): Finding {
  const file = end === walk?.size ? "the public log at hand" : "the history";
  return { ...unchecked("too_new", `${file} ends at entry ${end}, before this receipt`), endsAt: end };
}
