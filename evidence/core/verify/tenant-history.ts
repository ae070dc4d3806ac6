// What a reader knows of a tenant's chains: the history that was handed over, and a walk of the public log.
import { MAX_SHARD } from "../formats/event-id.ts";
import { chainIdOf } from "../formats/tenant-anchor.ts";
import type { ChainHistory } from "../log/chain-history.ts";
import type { HeadWalk } from "../log/head-walk.ts";
import { type Reach, reachOf } from "../log/reach.ts";

/** The history of a tenant's chains that a reader was handed, verified from each chain's first head to its last. */
export interface TenantHistory {
  readonly chains: ReadonlyMap<string, ChainHistory>;
  /** The anchor under which the chains were looked up; null where the service was asked for them. */
  readonly tenantAnchor: string | null;
}

/** The first head of a chain that the anchor gives, and that the history does not have. */
export interface OtherChain {
  readonly chainId: string;
  readonly leafIndex: number;
}

/** A reader's inputs for the checks of history.md; null for what the reader has not. */
export interface HistoryInputs {
  readonly history: TenantHistory | null;
  /** It looked for the chains of `chainsToWalk`, and for those of the evidence. */
  readonly walk: HeadWalk | null;
  /** The fingerprint of the anchor that the reader expects, from a contract or a bill. */
  readonly fingerprint: string | null;
}

/** The same, with what follows from it: that is computed once, however many receipts are held against it. */
export class KnownHistory {
  readonly history: TenantHistory | null;
  readonly walk: HeadWalk | null;
  readonly fingerprint: string | null;
  readonly #reaches = new Map<ChainHistory, Reach>();
  #other: OtherChain | null | undefined;

  constructor({ history, walk, fingerprint }: HistoryInputs) {
    this.history = history;
    this.walk = walk;
    this.fingerprint = fingerprint;
  }

  reachOf(chain: ChainHistory): Reach {
    const reach = this.#reaches.get(chain) ?? reachOf(chain, this.walk);
    this.#reaches.set(chain, reach);
    return reach;
  }

  /** The first chain of another shard in the log; null where there is none. */
  get firstOther(): OtherChain | null {
    this.#other ??= firstOther(this.history, this.walk);
    return this.#other;
  }
}

/** The chains that a walk must look for: those of the history, and all others that its anchor can give. */
export const chainsToWalk = (history: TenantHistory | null): string[] =>
  history === null ? [] : [...history.chains.keys(), ...otherChains(history)];

/** The first chain in the log that the anchor of a history gives, and that is none of the history's, nor `shown` otherwise. */
export function firstOther(
  history: TenantHistory | null,
  walk: HeadWalk | null,
  shown: ReadonlySet<string> = new Set(),
): OtherChain | null {
  if (history === null || walk === null) return null;
  const others = otherChains(history).filter((chainId) => !shown.has(chainId));
  const found = others.flatMap((chainId) => {
    const [first] = walk.headsOf(chainId) ?? [];
    return first === undefined ? [] : [{ chainId, leafIndex: first.leafIndex }];
  });
  return found.toSorted((a, b) => a.leafIndex - b.leafIndex)[0] ?? null;
}

/** Without an anchor, nobody knows the ids of further chains. */
function otherChains({ chains, tenantAnchor: anchor }: TenantHistory): string[] {
  if (anchor === null) return [];
  const ids = Array.from({ length: MAX_SHARD + 1 }, (_, shard) => chainIdOf(anchor, shard));
  return ids.filter((id) => !chains.has(id));
}
