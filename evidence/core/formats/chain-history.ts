// The answers of GET /v1/chains, a tenant's own chains, and of GET /v1/chains/{chain_id}, a chain's sealed heads.
import * as z from "zod";
import { MAX_CHAINS } from "../../../contract/limits.ts";
import { chainIdSchema, indexSchema, nodeSchema, sizeSchema } from "./shapes.ts";

/** The most heads of one page. */
export const MAX_PAGE_HEADS = 100;

/** A head of a chain that a seal publishes, and its place in the metachain. */
export const sealedHeadSchema = z.object({
  head_index: indexSchema.describe("Which of the chain's sealed heads, from 0"),
  tree_size: sizeSchema.describe("Receipts of the chain under root"),
  root: nodeSchema,
  leaf_index: indexSchema.describe("The place of its entry in the metachain"),
  seal_index: indexSchema.describe("The first seal that covers its entry"),
});
export type SealedHead = z.infer<typeof sealedHeadSchema>;

export const chainListSchema = z
  .object({
    chains: z
      .array(z.object({ chain_id: chainIdSchema, shard: indexSchema }))
      .max(MAX_CHAINS)
      .describe("In the order of shard"),
  })
  .meta({ id: "ChainList" });
export type ChainList = z.infer<typeof chainListSchema>;

export const chainPageSchema = z
  .object({
    chain_id: chainIdSchema,
    shard: indexSchema.describe("Which of its tenant's chains, from 0"),
    heads: z.array(sealedHeadSchema).max(MAX_PAGE_HEADS).describe("In the order of head_index"),
    next: sizeSchema
      .nullable()
      .describe(
        "Where the next page begins (?from=): the tree_size of the last head; null at the newest head",
      ),
  })
  .meta({ id: "ChainPage" });
export type ChainPage = z.infer<typeof chainPageSchema>;
