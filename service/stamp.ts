// The way from a root to its timestamp, as the rest of the service sees it: an answer in time, or `pending`.
import { PENDING_TIMESTAMP, type TsaTimestamp } from "../core/metachain.ts";
import type { Timestamps } from "./timestamps.ts";

/** Never throws for an authority's fault: a token within the budget, or PENDING_TIMESTAMP. */
export type Stamp = (root: Uint8Array, budgetMs: number) => Promise<TsaTimestamp>;

/** `load` runs at the first stamp only: the parsers of RFC 3161 are slow to load, and nothing before needs them. */
export function lazyStamp(load: () => Promise<Timestamps>): Stamp {
  let loading: Promise<Timestamps> | undefined;
  return async (root, budgetMs) => {
    loading ??= load();
    const timestamp = await (await loading).stamp(root, budgetMs);
    if (timestamp === null) return PENDING_TIMESTAMP;
    const { timestamp_token, tsa_url } = timestamp;
    return { status: "included", timestamp_token, tsa_url, covers: "merkle_root" };
  };
}
