import { describe, expect, test } from "vitest";
import { joinPages, missingTurns, turnsOf } from "../../../evidence/reader/conversation-pages.ts";
import { type BundleFile, parseEvidence } from "../../../evidence/reader/evidence.ts";
import { Examiner } from "../../../evidence/reader/examine.ts";
import { PublishedSeals } from "../../../evidence/reader/published-seals.ts";
import { judge } from "../../../evidence/reader/verdict.ts";
import { readBytes } from "../../support/vector-files.ts";

const NOW = "2026-11-27T00:00:00.000Z";
const whole = parseEvidence(readBytes("bundles/conversation.json")) as BundleFile;

/** The turns from `first` to `last` of the conversation, as the service pages them. */
function page(first: number, last: number, interaction_id = whole.bundle.interaction_id): BundleFile {
  const cut = <T>(list: readonly T[]): T[] => list.slice(first - 1, last);
  const { receipts, requests, proofs } = whole.bundle;
  const cuts = { receipts: cut(receipts), requests: cut(requests), proofs: cut(proofs) };
  const nextTurn = last < receipts.length ? last + 1 : null;
  return { kind: "bundle", bundle: { ...whole.bundle, ...cuts, interaction_id }, nextTurn };
}

describe("pages of a conversation", () => {
  test.each([
    [page(1, 2), page(3, 4)],
    [page(3, 4), page(1, 2)],
  ])("are the whole conversation once they are put together, in whichever order they come", async (a, b) => {
    const joined = joinPages(a, b) ?? expect.unreachable();
    expect({ ...joined.bundle, later_timestamps: undefined }).toEqual(whole.bundle);
    expect(missingTurns(joined)).toEqual({ before: null, from: null });
    const inputs = { requests: [], published: new PublishedSeals(null), trustAnchors: [], now: NOW };
    expect(judge(await new Examiner(inputs).examine(joined)).failed).toEqual([]);
  });

  test.each([
    ["turns lie between", page(1, 1), page(3, 4)],
    ["they overlap", page(1, 2), page(2, 4)],
    ["they are of two conversations", page(1, 2), page(3, 4, "another")],
    ["they are of two tenants who named a conversation alike", page(1, 2), onAnotherChain(page(3, 4))],
    ["a receipt does not say which turn it is", page(1, 2), withoutTurns(page(3, 4))],
  ])("are not put together where %s", (_, a, b) => {
    expect(joinPages(a, b)).toBeNull();
  });

  test("have the layers and the tombstones of both", () => {
    const erasure = { erased_at: NOW, erased_by: "an officer", ground: "request" } as const;
    const layers = ["1", "2", "3"].map((version) => ({ version }));
    const withParts = (one: BundleFile, parts: Partial<BundleFile["bundle"]>): BundleFile => ({
      ...one,
      bundle: { ...one.bundle, ...parts },
    });
    const first = withParts(page(1, 2), { policy_layers: layers.slice(0, 2), erasures: [erasure, null] });
    const second = withParts(page(3, 4), { policy_layers: layers.slice(1) });
    for (const joined of [joinPages(first, second), joinPages(second, first)])
      expect(joined?.bundle).toMatchObject({ policy_layers: layers, erasures: [erasure, null, null, null] });
    const late = withParts(page(3, 4), { erasures: [null, erasure] });
    expect(joinPages(page(1, 2), late)?.bundle.erasures).toEqual([null, null, null, erasure]);
    expect(joinPages(page(1, 2), page(3, 4))?.bundle).not.toHaveProperty("erasures");
  });

  test("are known by what is missing before and after them", () => {
    expect(turnsOf(page(2, 3))).toEqual([2, 3]);
    expect(missingTurns(page(2, 3))).toEqual({ before: 1, from: 4 });
    expect(missingTurns(page(1, 4))).toEqual({ before: null, from: null });
  });
});

function withoutTurns(page: BundleFile): BundleFile {
  const receipts = page.bundle.receipts.map((receipt) => ({ ...receipt, turn: "three" }));
  return { ...page, bundle: { ...page.bundle, receipts } };
}

function onAnotherChain(page: BundleFile): BundleFile {
  const receipts = page.bundle.receipts.map((receipt) => ({ ...receipt, chain_id: "f".repeat(32) }));
  return { ...page, bundle: { ...page.bundle, receipts } };
}
