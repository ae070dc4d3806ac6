// The check `cose_receipt`: a COSE receipt that the reader has leads from the sealed head of the evidence to its root, and
// a log of the reader's policy signed that root.
import { equalBytes } from "../bytes.ts";
import { isDisclosureError } from "../errors.ts";
import type { CrossTenantProof } from "../formats/compliance-receipt.ts";
import { chainHeadEntry } from "../formats/metachain.ts";
import { type CoseReceipt, readCoseOrigin, verifyCoseReceipt } from "../log/cose-receipt.ts";
import type { TlogPolicy } from "../log/tlog-policy.ts";
import { hashLeaf, parseNode } from "../merkle/hash.ts";
import { rootOfInclusion } from "../merkle/merkle-proof.ts";
import { type Finding, fail, holds, unchecked } from "./check.ts";

/** A place in a log; `origin` is null where the evidence does not name its log. */
export interface LogPlace {
  readonly cross: CrossTenantProof;
  readonly origin: string | null;
}

/**
 * True if the COSE receipt is of the same place of the same tree: then it is this evidence's, or wrong. Two logs have
 * such places too, so one that names another log is not.
 */
export const isOfPlace = ({ proof, signedRoot }: CoseReceipt, { cross, origin }: LogPlace): boolean =>
  proof.leafIndex === cross.leaf_index &&
  proof.treeSize === cross.tree_size &&
  (origin === null || (originOf(signedRoot.header) ?? origin) === origin);

/** Null for a header that names none, which the check tells. */
function originOf(header: Uint8Array): string | null {
  try {
    return readCoseOrigin(header);
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    return null;
  }
}

/** `policy` is null for a reader who knows no log's key. Throws `proof_invalid`, `malformed` for a header of another kind. */
export async function checkCoseReceipt(
  receipt: CoseReceipt,
  cross: CrossTenantProof,
  policy: TlogPolicy | null,
): Promise<Finding> {
  const { leafIndex, treeSize, path } = receipt.proof;
  const entry = chainHeadEntry(cross.leaf);
  const root = rootOfInclusion(hashLeaf(entry), leafIndex, treeSize, path);
  if (!equalBytes(root, parseNode(cross.root))) fail("the COSE receipt leads to another root");
  const origin = readCoseOrigin(receipt.signedRoot.header);
  if (policy === null) return unchecked("not_given", `the key of the log ${origin} was not given`);
  const logs = policy.logs.filter(({ key }) => key.name === origin);
  if (logs.length === 0)
    return unchecked(
      "other_log",
      `it is a COSE receipt of ${origin}, which the reader's policy does not name`,
    );
  const verified = await Promise.allSettled(logs.map(({ key }) => verifyCoseReceipt(receipt, entry, key)));
  const [first] = verified;
  // A log may have two keys while one takes the other's place.
  if (first?.status === "rejected" && verified.every(({ status }) => status === "rejected"))
    throw first.reason;
  return holds(`${origin} signed this root, and its COSE receipt leads there`);
}
