// The files in the folder of a tenant's history (docs/history.md): its index, and the lists of its chains' heads.
import * as z from "zod";
import { sealedHeadSchema } from "./chain-history.ts";
import { MAX_SHARD } from "./event-id.ts";
import { chainIdSchema, indexSchema } from "./shapes.ts";
import { isTenantAnchor } from "./tenant-anchor.ts";
import { treeLeafSchema } from "./tree-leaf.ts";

/** Heads in one file. */
export const HEADS_A_FILE = 1_000;

export const headsFileSchema = z.array(sealedHeadSchema).min(1).max(HEADS_A_FILE);

export const historyIndexSchema = z.object({
  /** The anchor under which the chains were looked up; null where the service was asked for them. */
  tenant_anchor: z.string().refine(isTenantAnchor).nullable(),
  chains: z.array(z.object({ chain_id: chainIdSchema, shard: indexSchema })).max(MAX_SHARD + 1),
  /** The last entry of the public log that was walked, where the next run goes on; null before the first. */
  searched: treeLeafSchema.nullable(),
});
export type HistoryIndex = z.infer<typeof historyIndexSchema>;
