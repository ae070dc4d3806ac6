// The tokens of seals, as the sealer sees them: as many as are wanted, each on the word of another trust anchor.
import type { TsaTimestamp } from "../../core/formats/metachain.ts";

/** New tokens over a root, and how many are still missing. */
export interface GatheredTokens {
  readonly tokens: readonly TsaTimestamp[];
  readonly missing: number;
}

/**
 * Tokens over `root` (32 bytes) beside those that are `held`, within the budget. Never throws for an authority's
 * fault: what could not be had is missing.
 */
export type GatherTokens = (
  root: Uint8Array,
  held: readonly TsaTimestamp[],
  budgetMs: number,
) => Promise<GatheredTokens>;
