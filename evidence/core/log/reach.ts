// How far a history reaches (docs/history.md, "As of when"): up to which entry of the log it has every head of its chain. It
// follows from places alone, and never from what a file says of its own age.
import type { ChainHistory } from "./chain-history.ts";
import type { HeadWalk } from "./head-walk.ts";

export interface Reach {
  /** The history has every head of its chain among the entries before this one. */
  readonly end: number;
  /** The head of the history that the log has not where it should be: then the break is at `end`. Null for one history. */
  readonly broken: BrokenHead | null;
}

export interface BrokenHead {
  readonly head_index: number;
  /** Where the history says that it stands. */
  readonly leaf_index: number;
}

/**
 * Without a walk, or with one that did not look for this chain, a history reaches up to its last head, and nothing says
 * that the log has its heads.
 */
export function reachOf({ chainId, heads }: ChainHistory, walk: HeadWalk | null): Reach {
  const logged = walk?.headsOf(chainId) ?? null;
  if (walk === null || logged === null) return { end: (heads.at(-1)?.leaf_index ?? -1) + 1, broken: null };
  let index = 0;
  for (const { head_index, tree_size, root, leaf_index } of heads) {
    if (!walk.has({ chain_id: chainId, head_index, tree_size, root }, leaf_index)) break;
    index++;
  }
  const [told, found] = [heads[index], logged[index]];
  const isBroken = told !== undefined && told.leaf_index < walk.size;
  return {
    end: Math.min(found?.leafIndex ?? walk.size, isBroken ? told.leaf_index : walk.size),
    broken: isBroken ? { head_index: told.head_index, leaf_index: told.leaf_index } : null,
  };
}
