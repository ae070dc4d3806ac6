// The seal that a receipt names bounds its time from below, by the latest moment that a token over the seal proves.
import { describe, expect, test } from "vitest";
import {
  hashSeal,
  PENDING_TIMESTAMP,
  type Seal,
  type TsaTimestamp,
} from "../../../../evidence/core/formats/metachain.ts";
import { type ShownReceipt, shownReceiptSchema } from "../../../../evidence/core/formats/receipt.ts";
import {
  checkRecordedAfter,
  namedSealIndex,
  proveLowerBound,
  type SealBefore,
} from "../../../../evidence/core/verify/verify-recorded-after.ts";
import { makeAuthority } from "../../../support/dated-authority.ts";
import { forgeReceipts } from "../../../support/lying-service.ts";
import { SealedTree } from "../../../support/renewals.ts";
import { leafHash, treeOf } from "../../../support/rfc9162.ts";

const DAY = "2026-10-02";
const VALID_UNTIL = "2030-01-01T00:00:00";
const [first, second] = ["First", "Second"].map((name) => makeAuthority(name, VALID_UNTIL)) as [
  ReturnType<typeof makeAuthority>,
  ReturnType<typeof makeAuthority>,
];
const trustAnchors = [first.anchor, second.anchor];

/** The first seal, at noon, with the tokens that `stamp` makes over its root. */
const sealWith = (stamp: (root: Uint8Array) => TsaTimestamp[]): Seal =>
  new SealedTree(treeOf((i) => leafHash(Uint8Array.of(i)))).seal(3, DAY, stamp);
const NOON = "2026-10-02T12:00:00Z";
const seal = sealWith((root) => [first.stamp(root, NOON)]);

/** A receipt that names the seal, as issued at this time. */
function receiptAfter(named: Seal, issued_at = "2026-10-02T12:00:05.000Z"): ShownReceipt {
  const recorded_after = { seal_index: named.index, seal_hash: hashSeal(named) };
  const [receipt] = forgeReceipts([{ recorded_after, issued_at }]);
  return shownReceiptSchema.parse(receipt);
}

const check = (receipt: ShownReceipt, seals: SealBefore, anchors = trustAnchors) =>
  checkRecordedAfter(receipt, null, seals, { trustAnchors: anchors });

describe("a receipt that names a seal", () => {
  test("was recorded after the seal's token, which says how exact it is", async () => {
    const text = "recorded after the token of seal 0, of 2026-10-02T12:00:00Z";
    expect(await check(receiptAfter(seal), { carried: seal })).toEqual({
      holds: `${text}, says CN=First,C=DE`,
    });
    for (const [accuracy, words] of [
      [1, "1 second"],
      [30, "30 seconds"],
    ] as const) {
      const exact = sealWith((root) => [first.stamp(root, NOON, accuracy)]);
      const finding = await check(receiptAfter(exact), { published: exact });
      expect(finding).toEqual({ holds: `${text}, give or take ${words}, says CN=First,C=DE` });
    }
  });

  test.each([
    ["a minute", undefined, "2026-10-02T11:59:00.000Z", "2026-10-02T11:58:59.999Z"],
    ["a minute and the token's accuracy", 30, "2026-10-02T11:58:30.000Z", "2026-10-02T11:58:29.999Z"],
  ])("may state a time before the token by %s, and no more", async (_, accuracy, last, tooEarly) => {
    const exact = sealWith((root) => [first.stamp(root, NOON, accuracy)]);
    expect(await check(receiptAfter(exact, last), { carried: exact })).toHaveProperty("holds");
    await expect(check(receiptAfter(exact, tooEarly), { carried: exact })).rejects.toMatchObject({
      code: "proof_invalid",
      message: `it says that it was issued at ${tooEarly}, before the token of seal 0, of 2026-10-02T12:00:00Z`,
    });
  });

  test("is bounded by the latest of the seal's tokens, each less its accuracy", async () => {
    const tokens = (root: Uint8Array) => [
      first.stamp(root, "2026-10-02T12:00:20Z", 30),
      second.stamp(root, "2026-10-02T12:00:10Z"),
    ];
    for (const stamped of [sealWith(tokens), sealWith((root) => tokens(root).reverse())]) {
      const { recorded_after: named } = receiptAfter(stamped);
      const bound = await proveLowerBound(
        named ?? expect.unreachable(),
        { carried: stamped },
        { trustAnchors },
      );
      expect(bound?.authority.subject).toBe("CN=Second,C=DE");
    }
  });

  test("is refused for a false token beside one of an authority that the reader does not know", async () => {
    const tokens = (root: Uint8Array) => [second.stamp(root, NOON), first.stamp(root.toReversed(), NOON)];
    for (const stamped of [sealWith(tokens), sealWith((root) => tokens(root).reverse())])
      await expect(check(receiptAfter(stamped), { carried: stamped }, [first.anchor])).rejects.toMatchObject({
        code: "token_invalid",
        evidence: { check: "imprint" },
      });
  });

  test("is bounded by the one token that holds, whatever the others are", async () => {
    const tokens = (root: Uint8Array) => [first.stamp(root.toReversed(), NOON), second.stamp(root, NOON)];
    const stamped = sealWith(tokens);
    expect(await check(receiptAfter(stamped), { carried: stamped })).toHaveProperty(
      "holds",
      expect.stringMatching(/CN=Second/),
    );
  });

  test("says so where the seal, or a certificate, was not given", async () => {
    const receipt = receiptAfter(seal);
    expect(await check(receipt, {})).toEqual({ unchecked: "seal 0 was not given", reason: "not_given" });
    expect(await check(receipt, { carried: null })).toEqual({
      unchecked: "seal 0 was not given",
      reason: "not_given",
    });
    expect(await check(receipt, { carried: seal }, [])).toEqual({
      unchecked: "no certificate of a timestamp authority was given to check the seal's token against",
      reason: "no_anchor",
    });
    await expect(check(receipt, { carried: seal }, [second.anchor])).rejects.toMatchObject({
      code: "token_open",
      evidence: { reason: "other_authority" },
    });
  });

  test("is refused where no root is published under the name, whatever came with it", async () => {
    await expect(check(receiptAfter(seal), { carried: seal, published: null })).rejects.toMatchObject({
      message: "no root is published under 0",
    });
  });

  test("is refused where the seal that is carried, or the one that is published, is another", async () => {
    const other = { ...seal, receipt_count: 2 };
    const later = { ...seal, index: 1 };
    for (const seals of [{ carried: other }, { carried: seal, published: other }, { carried: later }]) {
      await expect(check(receiptAfter(seal), seals)).rejects.toMatchObject({
        code: "proof_invalid",
        message: "the receipt names another seal 0 than this one",
      });
    }
    const misnamed = receiptAfter(later);
    const recorded_after = { seal_index: 0, seal_hash: hashSeal(later) };
    await expect(check({ ...misnamed, recorded_after }, { carried: later })).rejects.toMatchObject({
      message: "the receipt names another seal 0 than this one",
    });
  });

  test("is refused where the seal was published without a token", async () => {
    const bare = sealWith(() => []);
    const late = sealWith((root) => [PENDING_TIMESTAMP, first.stamp(root, NOON)]);
    for (const each of [bare, late])
      await expect(check(receiptAfter(each), { carried: each })).rejects.toMatchObject({
        message: "seal 0 has no token of its own",
      });
  });
});

describe("the index that a receipt names", () => {
  test("is read where it is as the format says, and is null otherwise", () => {
    expect(namedSealIndex(receiptAfter(seal))).toBe(0);
    for (const recorded_after of [null, {}, { seal_index: -1 }, "0"])
      expect(namedSealIndex({ recorded_after })).toBeNull();
    expect(namedSealIndex({})).toBeNull();
  });
});
