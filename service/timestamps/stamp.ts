// The way from a root to its timestamp, as the rest of the service sees it. Apart from what asks the authorities, which
// is slow to load.
import type { TsaTimestamp } from "../../core/formats/metachain.ts";

/** A token over `root` (32 bytes) within the budget, or PENDING_TIMESTAMP. Never throws for an authority's fault. */
export type Stamp = (root: Uint8Array, budgetMs: number) => Promise<TsaTimestamp>;
