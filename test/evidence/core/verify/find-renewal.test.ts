import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  PENDING_TIMESTAMP,
  type Seal,
  type TsaTimestamp,
} from "../../../../evidence/core/formats/metachain.ts";
import { findRenewal, type SealReader } from "../../../../evidence/core/verify/find-renewal.ts";
import { checkTimestamp } from "../../../../evidence/core/verify/verify-timestamp.ts";
import { makeAuthority } from "../../../support/dated-authority.ts";
import { SealedTree, stampedRootOf } from "../../../support/renewals.ts";
import { sparseTree } from "../../../support/trees.ts";

const EARLY = makeAuthority("Early", "2028-01-01T00:00:00Z");
const LATE = makeAuthority("Late", "2040-01-01T00:00:00Z");
const trustAnchors = [EARLY.anchor, LATE.anchor];
const now = "2035-01-01T00:00:00Z";
const SEALS = 40;
const WITHIN = 1_000;

/** Seals of one growing tree; `isLate` says which of them the authority stamped whose certificate is valid still. */
function sealsWhere(isLate: (index: number) => boolean): Seal[] {
  const tree = new SealedTree(sparseTree([2, 6]));
  return Array.from({ length: SEALS }, (_, index) =>
    tree.seal(index + 3, "2026-10-01", (root) => [
      (isLate(index) ? LATE : EARLY).stamp(root, "2026-10-01T12:00:05Z"),
    ]),
  );
}

const readerOf = (
  seals: readonly Seal[],
  later: TsaTimestamp[] = [],
): SealReader & { asked: Set<number> } => {
  const asked = new Set<number>();
  const seal = async (index: number) => {
    asked.add(index);
    return seals[index] ?? null;
  };
  return { size: seals.length, seal, laterTimestamps: async () => later, asked };
};

const find = (seals: readonly Seal[], index: number, maxSteps = WITHIN) =>
  findRenewal(index, readerOf(seals), { trustAnchors, now, maxSteps });

/** The member of a list that must be there. */
const at = (seals: readonly Seal[], index: number): Seal => seals[index] ?? expect.unreachable();

describe("findRenewal", () => {
  test("finds the nearest later seal whose certificate is valid still, and core finds that it renews", async () => {
    const changes = fc.integer({ min: 1, max: SEALS - 1 });
    await fc.assert(
      fc.asyncProperty(changes, fc.nat(), async (change, place) => {
        const seals = sealsWhere((index) => index >= change);
        const from = place % change;
        const renewal = await find(seals, from);
        expect(renewal).toMatchObject({ renews: from, seal: { index: change } });
        const renewals = renewal === null ? [] : [renewal];
        const finding = await checkTimestamp(stampedRootOf(at(seals, from), { trustAnchors, now, renewals }));
        expect(finding).toHaveProperty("holds", expect.stringMatching(/CN=Late.*CN=Early.*ran out/));
      }),
      { numRuns: 15 },
    );
  });

  test("asks for few seals before it knows the way", async () => {
    const reader = readerOf(sealsWhere((index) => index >= 30));
    await findRenewal(0, reader, { trustAnchors, now, maxSteps: 1 });
    expect(reader.asked.size).toBeLessThan(13);
  });

  test("needs no later seal where a token that came later stands", async () => {
    const [seals, stamped] = [sealsWhere(() => false), sealsWhere(() => true)];
    for (const index of [0, 5]) {
      const { tsa_timestamp: later } = at(stamped, index);
      const unstamped = { ...at(seals, index), tsa_timestamp: PENDING_TIMESTAMP };
      const quest = { trustAnchors, now, maxSteps: WITHIN };
      const renewal = await findRenewal(index, readerOf(seals.with(index, unstamped), [later]), quest);
      expect(renewal).toMatchObject({ renews: index, between: [], consistency_path: [], seal: { index } });
      const renewals = renewal === null ? [] : [renewal];
      const root = stampedRootOf(unstamped, { trustAnchors, now, renewals });
      expect(await checkTimestamp(root)).toHaveProperty("holds");
    }
  });

  test("finds nothing where no certificate is valid still, nor beyond the last step that is worth it", async () => {
    expect(
      await find(
        sealsWhere(() => false),
        3,
      ),
    ).toBeNull();
    const seals = sealsWhere((index) => index >= 20);
    expect(await find(seals, 10, 9)).toBeNull();
    expect(await find(seals, 10, 10)).toMatchObject({ seal: { index: 20 } });
  });

  test("finds nothing for a seal that is not published, or that the reader does not get", async () => {
    const seals = sealsWhere(() => true);
    for (const index of [SEALS, SEALS + 1]) {
      const beyond = { ...readerOf(seals), seal: async () => at(seals, 0) };
      expect(await findRenewal(index, beyond, { trustAnchors, now, maxSteps: WITHIN })).toBeNull();
    }
    const none = { ...readerOf(seals), seal: async () => null };
    expect(await findRenewal(5, none, { trustAnchors, now, maxSteps: WITHIN })).toBeNull();
  });

  test("goes across every seal between the two, whatever their number", async () => {
    for (const distance of [1, 2, 8, 9, 16, 17, 32, 33]) {
      const seals = sealsWhere((index) => index >= distance);
      const renewal = await find(seals, 0);
      expect(renewal?.between.map(({ tree_size }) => tree_size)).toEqual(
        seals.slice(1, distance).map(({ tree_size }) => tree_size),
      );
    }
  });

  test("throws on what is no finding of a verifier", async () => {
    const seals = sealsWhere(() => true);
    const failing = { ...readerOf(seals), seal: () => Promise.reject(new Error("the network is down")) };
    await expect(findRenewal(5, failing, { trustAnchors, now, maxSteps: WITHIN })).rejects.toThrow(
      "the network is down",
    );
  });

  test("finds nothing where a seal on the way is missing", async () => {
    const seals = sealsWhere((index) => index >= 20);
    const reader = readerOf(seals);
    const holed = {
      ...reader,
      seal: (index: number) => (index === 15 ? Promise.resolve(null) : reader.seal(index)),
    };
    expect(await findRenewal(10, holed, { trustAnchors, now, maxSteps: WITHIN })).toBeNull();
  });

  test("takes no token of an authority that the reader does not trust", async () => {
    const seals = sealsWhere((index) => index >= 20);
    const quest = { trustAnchors: [EARLY.anchor], now, maxSteps: WITHIN };
    expect(await findRenewal(10, readerOf(seals), quest)).toBeNull();
  });
});
