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

/** How far the public log was searched: its last entry then, and the seal that publishes the root over it. */
const searchedSchema = z.object({ seal_index: indexSchema, last: treeLeafSchema });

export const historyIndexSchema = z.object({
  /** The anchor under which the chains were looked up; null where the service was asked for them. */
  tenant_anchor: z.string().refine(isTenantAnchor).nullable(),
  chains: z.array(z.object({ chain_id: chainIdSchema, shard: indexSchema })).max(MAX_SHARD + 1),
  /** Null before the public log was searched. */
  searched: searchedSchema.nullable(),
});
export type HistoryIndex = z.infer<typeof historyIndexSchema>;
