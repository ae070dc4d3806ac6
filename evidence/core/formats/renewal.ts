// The way from a seal to a later one, whose newer timestamp covers the older seal too.
import * as z from "zod";
import { sealSchema } from "./metachain.ts";
import { indexSchema, MAX_LIST_LENGTH, nodeSchema, pathSchema, sizeSchema } from "./shapes.ts";

const treeHeadSchema = z.object({ merkle_root: nodeSchema, tree_size: sizeSchema });
/** A tree of the metachain as proofs speak of it; a published seal is one. */
export type TreeHead = z.infer<typeof treeHeadSchema>;

const stepSchema = treeHeadSchema.extend({ consistency_path: pathSchema });

/** One direct path, or the seals between the two, each with its own. */
export const renewalSchema = z
  .object({
    renews: indexSchema.describe("Index of the seal whose timestamp is renewed"),
    between: z
      .array(stepSchema)
      .max(MAX_LIST_LENGTH)
      .default([])
      .describe(
        "Seals between the two, in order, each consistent with the one before; none with a direct path",
      ),
    consistency_path: pathSchema.describe(
      "RFC 9162 section 2.1.4 path to `seal` from the last of `between`, or from the renewed seal itself",
    ),
    seal: sealSchema.describe("The later seal, whose timestamps renew, with those that came later"),
  })
  .meta({ id: "Renewal" });

export type Renewal = z.infer<typeof renewalSchema>;
