// A COSE receipt is held against the sealed head of the evidence, its root, and the keys of the reader's policy.
import { describe, expect, test } from "vitest";
import type { CrossTenantProof } from "../../../../evidence/core/formats/compliance-receipt.ts";
import { chainHeadEntry } from "../../../../evidence/core/formats/metachain.ts";
import { type CoseReceipt, parseSignedRoot } from "../../../../evidence/core/log/cose-receipt.ts";
import { policyOfLog } from "../../../../evidence/core/log/tlog-policy.ts";
import { formatNode } from "../../../../evidence/core/merkle/hash.ts";
import { checkCoseReceipt, isOfPlace } from "../../../../evidence/core/verify/verify-cose-receipt.ts";
import { newLog, signRoot } from "../../../support/log-signer.ts";
import { leafHash, PATH, treeOf } from "../../../support/rfc9162.ts";

const ORIGIN = "receipts.example.com/v1/metachain";
const LOG = newLog(ORIGIN);
const leaf = { chain_id: "c".repeat(32), head_index: 1, tree_size: 3, root: `0x${"1".repeat(64)}` };
const [PLACE, SIZE] = [4, 11];

/** Metachains that have the head at its place, and other entries beside it. */
const treeBeside = (other: number) =>
  treeOf((i) => leafHash(i === PLACE ? chainHeadEntry(leaf) : Uint8Array.of(i, other)));
const mth = treeBeside(0);

function receiptBy(signer = LOG, tree = mth, size = SIZE): CoseReceipt {
  const proof = { treeSize: size, leafIndex: PLACE, path: PATH(PLACE, 0, size, tree) };
  return { signedRoot: parseSignedRoot(signRoot(signer, tree(0, size))), proof };
}

const cross: CrossTenantProof = {
  seal_index: 2,
  leaf,
  leaf_index: PLACE,
  tree_size: SIZE,
  path: PATH(PLACE, 0, SIZE, mth).map(formatNode),
  root: formatNode(mth(0, SIZE)),
};
const policy = policyOfLog(LOG.key);
const withLogs = (...signers: readonly (typeof LOG)[]) => ({
  ...policy,
  logs: signers.map(({ key }) => ({ key, url: null })),
});

describe("a COSE receipt of this evidence", () => {
  test("holds where a log of the policy signed the root", async () => {
    const holds = `${ORIGIN} signed this root, and its COSE receipt leads there`;
    expect(await checkCoseReceipt(receiptBy(), cross, policy)).toEqual({ holds });
    const newer = newLog(ORIGIN);
    for (const logs of [
      [newer, LOG],
      [LOG, newer],
      [newLog("other.example"), LOG],
    ])
      expect(await checkCoseReceipt(receiptBy(), cross, withLogs(...logs))).toEqual({ holds });
  });

  test("is not believed without a key, but for its path", async () => {
    expect(await checkCoseReceipt(receiptBy(), cross, null)).toEqual({
      unchecked: `the key of the log ${ORIGIN} was not given`,
      reason: "not_given",
    });
    const other = receiptBy(LOG, treeBeside(1));
    await expect(checkCoseReceipt(other, cross, null)).rejects.toMatchObject({
      code: "proof_invalid",
      message: "the COSE receipt leads to another root",
    });
  });

  test("of a log that the policy does not name says nothing", async () => {
    expect(await checkCoseReceipt(receiptBy(), cross, withLogs(newLog("other.example")))).toEqual({
      unchecked: `it is a COSE receipt of ${ORIGIN}, which the reader's policy does not name`,
      reason: "other_log",
    });
  });

  test("is refuted where no key of the log's name signed it", async () => {
    const own = withLogs(newLog(ORIGIN), newLog(ORIGIN));
    await expect(checkCoseReceipt(receiptBy(), cross, own)).rejects.toMatchObject({ code: "proof_invalid" });
  });
});

test("a COSE receipt is of the evidence's place where index and size are the same, and no other log is named", () => {
  const place = { cross, origin: null };
  expect(isOfPlace(receiptBy(), place)).toBe(true);
  expect(isOfPlace(receiptBy(LOG, mth, SIZE + 1), place)).toBe(false);
  expect(isOfPlace(receiptBy(), { ...place, cross: { ...cross, leaf_index: PLACE + 1 } })).toBe(false);
  expect(isOfPlace(receiptBy(), { cross, origin: ORIGIN })).toBe(true);
  expect(isOfPlace(receiptBy(), { cross, origin: "elsewhere.example" })).toBe(false);
});
