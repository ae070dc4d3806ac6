import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evidenceSchema } from "../../../../evidence/core/formats/evidence.ts";
import { hashChainHead, PENDING_TIMESTAMP } from "../../../../evidence/core/formats/metachain.ts";
import { renewalSchema } from "../../../../evidence/core/formats/renewal.ts";
import { formatNode } from "../../../../evidence/core/merkle/hash.ts";
import type { Finding } from "../../../../evidence/core/verify/check.ts";
import { proveReceiptTimes } from "../../../../evidence/core/verify/receipt-times.ts";
import { verifyReceipt } from "../../../../evidence/core/verify/verify-receipt.ts";
import { verifySeal } from "../../../../evidence/core/verify/verify-seal.ts";
import { checkTimestamp, proveTimes } from "../../../../evidence/core/verify/verify-timestamp.ts";
import { makeAuthority } from "../../../support/dated-authority.ts";
import { SealedTree, stampedRootOf } from "../../../support/renewals.ts";
import { PATH, treeOf } from "../../../support/rfc9162.ts";
import { sparseTree } from "../../../support/trees.ts";

const EARLY = makeAuthority("Early", "2028-01-01T00:00:00Z");
const LATE = makeAuthority("Late", "2040-01-01T00:00:00Z");
const STRANGER = makeAuthority("Stranger", "2060-01-01T00:00:00Z");
const trustAnchors = [EARLY.anchor, LATE.anchor];
const AFTER_EARLY = "2035-01-01T00:00:00Z";

const tree = new SealedTree(sparseTree([2, 6]));
const old = tree.seal(3, "2026-10-01", (root) => [EARLY.stamp(root, "2026-10-01T12:00:05Z")]);
tree.seal(4, "2026-10-02", (root) => [EARLY.stamp(root, "2026-10-02T12:00:05Z")]);
tree.seal(9, "2026-10-03", (root) => [EARLY.stamp(root, "2026-10-03T12:00:05Z")]);
const late = tree.seal(21, "2030-05-01", (root) => [LATE.stamp(root, "2030-05-01T12:00:05Z")]);
const later = tree.seal(50, "2031-05-01", (root) => [
  STRANGER.stamp(root, "2031-05-01T12:00:04Z"),
  LATE.stamp(root, "2031-05-01T12:00:05Z"),
]);

const detailOf = (finding: Finding): string => Object.values(finding).join();

describe("a timestamp whose certificate ran out", () => {
  test("holds as of the day it was made, for a reader who does not ask how things stand today", async () => {
    expect(await checkTimestamp(stampedRootOf(old, { trustAnchors }))).toEqual({
      holds: "the root existed at 2026-10-01T12:00:05Z, says CN=Early,C=DE",
    });
  });

  test("holds for a reader of a day on which the certificate is valid still", async () => {
    const finding = await checkTimestamp(stampedRootOf(old, { trustAnchors, now: "2028-01-01T00:00:00Z" }));
    expect(finding).toHaveProperty("holds");
  });

  test("is not believed by itself from then on, and the reason is named", async () => {
    const finding = await checkTimestamp(stampedRootOf(old, { trustAnchors, now: "2028-01-01T00:00:01Z" }));
    expect(finding).toEqual({
      unchecked: expect.stringMatching(/Early.*ran out at 2028-01-01T00:00:00Z.*no newer timestamp/),
      reason: "expired",
    });
  });

  test.for([
    ["one direct path", tree.renewal(old, late)],
    ["every seal between", tree.renewalThroughSeals(old, late)],
  ] as const)("is renewed over %s, and both times are said with who says them", async ([, renewal]) => {
    const stamped = stampedRootOf(old, { trustAnchors, now: AFTER_EARLY, renewals: [renewal] });
    expect(await checkTimestamp(stamped)).toEqual({
      holds:
        "the root existed at 2030-05-01T12:00:05Z, says CN=Late,C=DE; the root existed at 2026-10-01T12:00:05Z, " +
        "says CN=Early,C=DE, whose certificate ran out at 2028-01-01T00:00:00Z",
    });
    expect(await proveTimes(stamped)).toMatchObject([
      { genTime: "2026-10-01T12:00:05Z", covers: old.merkle_root, validUntil: "2028-01-01T00:00:00Z" },
      { genTime: "2030-05-01T12:00:05Z", covers: late.merkle_root, validUntil: "2040-01-01T00:00:00Z" },
    ]);
  });

  test("is dated by the earliest of several renewals that stand", async () => {
    const renewals = [tree.renewal(old, later), tree.renewal(old, late)];
    const finding = await checkTimestamp(stampedRootOf(old, { trustAnchors, now: AFTER_EARLY, renewals }));
    expect(detailOf(finding)).toMatch(/^the root existed at 2030-05-01/);
  });

  test("is not said to be dated by a token that came after one that stands, and ran out", async () => {
    const short = makeAuthority("Short", "2033-01-01T00:00:00Z");
    const last = tree.seal(60, "2032-05-01", (root) => [short.stamp(root, "2032-05-01T12:00:05Z")]);
    const renewals = [tree.renewal(old, late), tree.renewal(old, last)];
    const known = { trustAnchors: [...trustAnchors, short.anchor], now: AFTER_EARLY, renewals };
    const finding = await checkTimestamp(stampedRootOf(old, known));
    expect(detailOf(finding)).toMatch(/^the root existed at 2030.*Late.*2026.*Early.*ran out/);
    expect(detailOf(finding)).not.toContain("Short");
  });

  test("is renewed by an additional token where the first is of an authority that the reader does not know", async () => {
    const renewals = [tree.renewal(old, later)];
    const finding = await checkTimestamp(stampedRootOf(old, { trustAnchors, now: AFTER_EARLY, renewals }));
    expect(detailOf(finding)).toMatch(/^the root existed at 2031-05-01T12:00:05Z, says CN=Late/);
  });

  test("is not renewed by a token that ran out too", async () => {
    const renewals = [tree.renewal(old, late)];
    const finding = await checkTimestamp(
      stampedRootOf(old, { trustAnchors, now: "2040-01-02T00:00:00Z", renewals }),
    );
    expect(finding).toEqual({ unchecked: expect.stringContaining("no newer timestamp"), reason: "expired" });
  });

  test("is not renewed by the renewal of another seal, nor where no seal publishes the root", async () => {
    const renewals = [{ ...tree.renewal(old, late), renews: 1 }];
    const known = { trustAnchors, now: AFTER_EARLY };
    expect(await checkTimestamp(stampedRootOf(old, { ...known, renewals }))).toHaveProperty("unchecked");
    const unpublished = stampedRootOf(old, { ...known, renewals: [tree.renewal(old, late)], seal: null });
    expect(await checkTimestamp(unpublished)).toHaveProperty("unchecked");
  });

  test("is not renewed without an anchor for the newer token", async () => {
    const renewals = [tree.renewal(old, late)];
    const stamped = stampedRootOf(old, { trustAnchors: [EARLY.anchor], now: AFTER_EARLY, renewals });
    expect(await checkTimestamp(stamped)).toEqual({
      reason: "other_authority",
      unchecked: expect.stringMatching(/whose certificate ran out at .*; the token is by CN=Late/),
    });
  });

  test("of an authority whose certificate the reader lacks is renewed by one of an authority that the reader knows", async () => {
    const renewals = [tree.renewal(old, late)];
    const known = { trustAnchors: [LATE.anchor], now: AFTER_EARLY };
    expect(await checkTimestamp(stampedRootOf(old, { ...known, renewals }))).toHaveProperty("holds");
    expect(await checkTimestamp(stampedRootOf(old, known))).toEqual({
      reason: "other_authority",
      unchecked: expect.stringContaining("CN=Early"),
    });
  });
});

describe("a false renewal", () => {
  const known = { trustAnchors, now: AFTER_EARLY };

  test("is refused where the later seal's token is over another root", async () => {
    const seal = { ...late, tsa_timestamp: later.additional_timestamps[0] ?? late.tsa_timestamp };
    const renewals = [{ ...tree.renewal(old, late), seal }];
    await expect(checkTimestamp(stampedRootOf(old, { ...known, renewals }))).rejects.toMatchObject({
      code: "token_invalid",
      evidence: { check: "imprint" },
    });
  });

  test("is refused where the later token is older than the seal that it is of", async () => {
    const seal = { ...late, sealed_at: "2030-05-02T12:00:00.000Z" };
    const renewals = [{ ...tree.renewal(old, late), seal }];
    await expect(checkTimestamp(stampedRootOf(old, { ...known, renewals }))).rejects.toMatchObject({
      code: "token_invalid",
    });
  });

  test("is refused where a token is of a time that the reader's clock has yet to reach", async () => {
    const renewals = [tree.renewal(old, late)];
    const stamped = stampedRootOf(old, { trustAnchors, now: "2029-01-01T00:00:00Z", renewals });
    await expect(checkTimestamp(stamped)).rejects.toMatchObject({ code: "token_invalid" });
  });

  test("is refused for a later tree that does not extend the renewed one, whatever the sizes", async () => {
    const sizes = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 40 }));
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(), async ([from, more], pick) => {
        const forked = new SealedTree(treeOf((index) => sparseTree([index])(index, index + 1)));
        const honest = forked.seal(from, "2026-10-01", (root) => [EARLY.stamp(root, "2026-10-01T12:00:05Z")]);
        const next = forked.seal(from + more, "2030-05-01", (root) => [
          LATE.stamp(root, "2030-05-01T12:00:05Z"),
        ]);
        const renewal = forked.renewal(honest, next);
        const renewals = [renewal];
        expect(await checkTimestamp(stampedRootOf(honest, { ...known, renewals }))).toHaveProperty("holds");
        const other = formatNode(sparseTree([pick % from])(0, from + 1));
        const elsewhere = stampedRootOf({ ...honest, merkle_root: other }, { ...known, renewals });
        const forged = { ...elsewhere, timestamp: { ...honest.tsa_timestamp, status: "pending" as const } };
        const pending = {
          ...forged,
          timestamp: { ...forged.timestamp, timestamp_token: null, tsa_url: null },
        };
        await expect(checkTimestamp(pending)).rejects.toMatchObject({ code: "proof_invalid" });
      }),
      { numRuns: 40 },
    );
  });

  test("is refused for any changed hash of its paths", async () => {
    const renewal = tree.renewalThroughSeals(old, late);
    const paths = [...renewal.between.map((step) => step.consistency_path), renewal.consistency_path];
    const changes = paths.flatMap((path, step) => path.map((_, i) => [step, i] as const));
    expect(changes.length).toBeGreaterThan(5);
    for (const [step, i] of changes) {
      const changed = structuredClone(renewal);
      const path = changed.between[step]?.consistency_path ?? changed.consistency_path;
      path[i] = formatNode(new Uint8Array(32));
      const stamped = stampedRootOf(old, { ...known, renewals: [changed] });
      await expect(checkTimestamp(stamped)).rejects.toMatchObject({ code: "proof_invalid" });
    }
  });
});

test("a renewal is read with two thousand seals on the way, and not with one more", () => {
  const [step] = tree.renewalThroughSeals(old, late).between;
  const isRead = (length: number) =>
    renewalSchema.safeParse({ ...tree.renewal(old, late), between: Array.from({ length }, () => step) })
      .success;
  expect([isRead(2_000), isRead(2_001)]).toEqual([true, false]);
});

describe("a receipt of long ago", () => {
  const leaf = {
    chain_id: "0123456789abcdef0123456789abcdef",
    head_index: 0,
    tree_size: 1,
    root: formatNode(leafOf(7)),
  };
  const mth = treeOf((index) => (index === 2 ? hashChainHead(leaf) : leafOf(index)));
  const chain = new SealedTree(mth);
  const seal = chain.seal(5, "2026-10-01", (root) => [EARLY.stamp(root, "2026-10-01T12:00:05Z")]);
  const newer = chain.seal(12, "2030-05-01", (root) => [LATE.stamp(root, "2030-05-01T12:00:05Z")]);
  const evidence = evidenceSchema.parse({
    merkle_proof: {
      status: "included",
      merkle_root: seal.merkle_root,
      event_inclusion_proof: { leaf_hash: leaf.root, leaf_index: 0, tree_size: 1, path: [], root: leaf.root },
      cross_tenant_proof: {
        seal_index: 0,
        leaf,
        leaf_index: 2,
        tree_size: 5,
        path: PATH(2, 0, 5, mth).map(formatNode),
        root: seal.merkle_root,
      },
    },
    tsa_timestamp: seal.tsa_timestamp,
  });
  const renewals = [renewalSchema.parse(structuredClone(chain.renewal(seal, newer)))];
  const known = { trustAnchors, now: AFTER_EARLY };

  test("holds with a renewal, as its seal does, and not without", async () => {
    const outcome = async (with_: object) =>
      (await verifyReceipt(evidence, { ...known, ...with_ })).checks.find(({ name }) => name === "timestamp");
    expect(await outcome({})).toMatchObject({ ok: null });
    expect(await outcome({ renewals })).toMatchObject({ ok: true });
    const { checks } = await verifySeal(seal, { ...known, renewals });
    expect(checks).toContainEqual(expect.objectContaining({ name: "timestamp", ok: true }));
  });

  describe("that carries its renewal", () => {
    const [renewal] = renewals;
    const timestampOf = async (changes: object, with_: object = known) => {
      const { checks } = await verifyReceipt(
        evidenceSchema.parse({ ...evidence, renewal, ...changes }),
        with_,
      );
      return checks.find(({ name }) => name === "timestamp");
    };
    const forged = { renewal: { ...renewal, consistency_path: [] } };

    test("holds as with one that the reader brought", async () => {
      expect(await timestampOf({})).toMatchObject({
        ok: true,
        detail: expect.stringContaining("says CN=Late"),
      });
    });

    test("is proved by it alone where its own token never came, with a clock and without", async () => {
      const tsa_timestamp = PENDING_TIMESTAMP;
      const { now: _, ...clockless } = known;
      for (const with_ of [known, clockless]) {
        expect(await timestampOf({ tsa_timestamp }, with_)).toMatchObject({
          ok: true,
          detail: expect.stringMatching(/^the root existed at 2030-05-01T12:00:05Z, says CN=Late/),
        });
        expect(await timestampOf({ tsa_timestamp, ...forged }, with_)).toMatchObject({ ok: false });
      }
    });

    test("is judged without it while its own token stands, whatever it says", async () => {
      const now = "2027-01-01T00:00:00Z";
      expect(await timestampOf(forged, { ...known, now })).toMatchObject({ ok: true });
      expect(await timestampOf(forged)).toMatchObject({ ok: false });
      expect(await timestampOf({}, { now, trustAnchors: [EARLY.anchor] })).toMatchObject({ ok: true });
    });

    test("gains nothing by one of another seal", async () => {
      expect(await timestampOf({ renewal: { ...renewal, renews: 1 } })).toMatchObject({ ok: null });
    });
  });

  test("shows which times are proved of it, and by whom", async () => {
    expect(await proveReceiptTimes(evidence, { ...known, renewals })).toMatchObject([
      { genTime: "2026-10-01T12:00:05Z", authority: { subject: "CN=Early,C=DE" }, covers: seal.merkle_root },
      { genTime: "2030-05-01T12:00:05Z", authority: { subject: "CN=Late,C=DE" }, covers: newer.merkle_root },
    ]);
    const { tsa_timestamp: _, ...untimed } = evidence;
    expect(await proveReceiptTimes(untimed, { ...known, renewals })).toEqual([]);
  });
});

function leafOf(index: number): Uint8Array {
  return sparseTree([index])(index, index + 1);
}
