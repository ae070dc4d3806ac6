// The last leaf of a log that was walked, as readers keep it in a file to go on from there: with it, a tree can grow.
import * as z from "zod";
import { formatNode, parseNode } from "../merkle/hash.ts";
import type { TreeLeaf } from "../merkle/merkle-tree.ts";
import { indexSchema, nodeSchema, pathSchema } from "./shapes.ts";

export const treeLeafSchema = z.object({
  leaf_index: indexSchema,
  leaf_hash: nodeSchema,
  left_path: pathSchema,
});
export type KeptLeaf = z.infer<typeof treeLeafSchema>;

export const formatTreeLeaf = ({ leafIndex, leafHash, leftPath }: TreeLeaf): KeptLeaf => ({
  leaf_index: leafIndex,
  leaf_hash: formatNode(leafHash),
  left_path: leftPath.map(formatNode),
});

export const parseTreeLeaf = ({ leaf_index, leaf_hash, left_path }: KeptLeaf): TreeLeaf => ({
  leafIndex: leaf_index,
  leafHash: parseNode(leaf_hash),
  leftPath: left_path.map(parseNode),
});
