// The first proof of a receipt: from its leaf to a root of its chain that is not published yet.
import { DisclosureError } from "../../evidence/core/errors.ts";
import { verifyInclusion } from "../../evidence/core/merkle/merkle-proof.ts";
import { buildInclusionPath, rootAt, type TreeLeaf } from "../../evidence/core/merkle/merkle-tree.ts";
import type { Appended } from "../ledger/appended.ts";
import { type LogInclusionProof, verifiedOrCorrupt } from "../ledger/log.ts";

/** Proves up to the root right after the leaves that were written together: their paths need no other leaf. */
export function proveAsWritten({ receipt: { leaf }, writtenWith }: Appended): LogInclusionProof {
  const known = new Map(writtenWith.map((member) => [member.leafIndex, member]));
  return proveAmong(leaf, writtenWith.at(-1) ?? leaf, known);
}

/** `known` holds, by index, the leaves that `leavesForInclusion` names. Throws `ledger_corrupt` where it does not. */
export function proveAmong(
  leaf: TreeLeaf,
  head: TreeLeaf,
  known: ReadonlyMap<number, TreeLeaf>,
): LogInclusionProof {
  const leafAt = (leafIndex: number): TreeLeaf => known.get(leafIndex) ?? unknownLeaf(leafIndex);
  return proofBy(leaf, head, buildInclusionPath(leaf.leafIndex, head.leafIndex + 1, leafAt));
}

/** Throws `ledger_corrupt` unless `path` leads from `leaf` to the root of the tree that ends with `head`. */
export function proofBy(leaf: TreeLeaf, head: TreeLeaf, path: readonly Uint8Array[]): LogInclusionProof {
  const root = rootAt(head);
  verifiedOrCorrupt(() => verifyInclusion(leaf.leafHash, leaf.leafIndex, head.leafIndex + 1, path, root));
  return { leaf, path, head, root };
}

function unknownLeaf(leafIndex: number): never {
  throw new DisclosureError("ledger_corrupt", "a leaf was not written with the others", { leafIndex });
}
