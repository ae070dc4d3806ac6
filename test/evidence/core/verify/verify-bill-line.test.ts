// Each sentence with which a line of a bill is refuted: one member of a true line is changed, and the check that is about
// it says so. A forger would change more; test/evidence/reader/bill.test.ts has bills in which all else follows from
// the lie.
import { describe, expect, test } from "vitest";
import type { Bill, BilledReceipt, BillLine } from "../../../../evidence/core/formats/bill.ts";
import type { CrossTenantProof } from "../../../../evidence/core/formats/compliance-receipt.ts";
import { formatEventId } from "../../../../evidence/core/formats/event-id.ts";
import { chainHeadEntry, type ListedSeal, type Seal } from "../../../../evidence/core/formats/metachain.ts";
import { formatNode } from "../../../../evidence/core/merkle/hash.ts";
import { MAX_CLOCK_DIFFERENCE_MS } from "../../../../evidence/core/timestamps/clock-difference.ts";
import { fullName } from "../../../../evidence/core/verify/check.ts";
import { verifyBill } from "../../../../evidence/core/verify/verify-bill.ts";
import { finalBill, world } from "../../../support/bill-inputs.ts";
import { lineAt } from "../../../support/bill-lies.ts";
import { leafHash, PATH, treeOf } from "../../../support/rfc9162.ts";

const [first, second] = [lineAt(finalBill, 0), lineAt(finalBill, 1)];
const opening = first.opening ?? expect.unreachable("the line has an opening head");
const published = new Map<number, ListedSeal>(world.seals.map((seal) => [seal.index, seal]));
const OTHER_CHAIN = "b".repeat(32);
const OTHER_ROOT = `0x${"7".repeat(64)}`;

/** What this check of the first line says once the line, or the bill, is changed. */
async function said(check: string, change: Partial<BillLine>, bill: Partial<Bill> = {}, seals = published) {
  const changed = { ...finalBill, ...bill, lines: [{ ...first, ...change }, second] };
  const { checks } = await verifyBill(changed, { published: seals });
  const found = checks.find((one) => fullName(one) === `lines/0/${check}`);
  return { ok: found?.ok, detail: found?.detail };
}
const refuted = (detail: string) => ({ ok: false, detail });

const changed = (end: "before" | "first" | "last" | "after", receipt: object): BilledReceipt => {
  const billed = first[end] ?? expect.unreachable("the line has a receipt at each end");
  return { ...billed, receipt: { ...billed.receipt, ...receipt } };
};
const headWith = (head: CrossTenantProof, leaf: object, more: object = {}): CrossTenantProof => ({
  ...head,
  ...more,
  leaf: { ...head.leaf, ...leaf },
});

describe("the span of a line", () => {
  test("is what its members say", async () => {
    expect(await said("span", {})).toEqual({ ok: true, detail: "5 receipts, from 2 up to 7" });
    const last = { from: 6, count: 1, first: first.last };
    expect(await said("span", last)).toEqual({ ok: true, detail: "1 receipt, from 6 up to 7" });
  });

  test.each<[what: string, Partial<BillLine>, detail: string]>([
    ["ends before it begins", { from: 8 }, "it ends before it begins: from 8 to 7"],
    ["counts one too many", { count: 6 }, "it counts 6 receipts, and from 2 to 7 are 5"],
    [
      "ends behind its closing head",
      { closing: headWith(first.closing, { tree_size: 6 }) },
      "its closing head has 6 receipts, fewer than 7",
    ],
    ["lacks its first receipt", { first: null }, "the receipt 2 (first) is missing"],
    ["lacks its last receipt", { last: null }, "the receipt 6 (last) is missing"],
    ["lacks the next receipt", { after: null }, "the receipt 7 (after) is missing"],
    [
      "begins with the chain and has one before",
      { from: 0, count: 7 },
      "there can be no receipt before the others here",
    ],
    [
      "is empty and has a first receipt",
      { from: 7, count: 0 },
      "there can be no receipt first the others here",
    ],
    [
      "ends with the chain and has one after",
      { closing: headWith(first.closing, { tree_size: 7 }) },
      "there can be no receipt after the others here",
    ],
    [
      "has an opening head behind its first receipt",
      { opening: headWith(opening, { tree_size: 3 }) },
      "its opening head has 3 receipts, more than 2",
    ],
    [
      "has no opening head, and its closing head has none of its receipts",
      {
        ...{ opening: null, consistency_path: null, from: 7, count: 0, first: null, last: null, after: null },
        closing: headWith(first.closing, { tree_size: 7 }),
      },
      "its opening head is missing: the closing one would be it",
    ],
    [
      "has an opening head without a path",
      { consistency_path: null },
      "it must have a consistency path exactly where it has an opening head",
    ],
    [
      "has a path without an opening head",
      { opening: null },
      "it must have a consistency path exactly where it has an opening head",
    ],
  ])("is refuted where it %s", async (_, change, detail) => {
    expect(await said("span", change)).toEqual(refuted(detail));
  });

  test("may lack the receipt before it, which retention can have removed", async () => {
    expect((await said("span", { before: null })).ok).toBe(true);
    expect(await said("month_ends", { before: null })).toEqual({
      ok: null,
      detail: "receipt 1 is not shown: that it is of an earlier month is stated",
    });
  });
});

describe("the receipts at the ends of a line", () => {
  test("stand at their places", async () => {
    const detail = "4 receipts at the ends, each at its place of the chain";
    expect(await said("billed_receipts", {})).toEqual({ ok: true, detail });
  });

  test.each<[what: string, Partial<BillLine>, detail: string]>([
    ["another place", { first: changed("first", { sequence: 3 }) }, "the receipt first is 3 and not 2"],
    [
      "another chain",
      { last: changed("last", { chain_id: OTHER_CHAIN }) },
      "the receipt 6 (last) is another chain's",
    ],
    [
      "the event id of another receipt",
      { first: changed("first", { event_id: first.last?.receipt.event_id }) },
      "the event id of receipt 2 (first) names another place than chain 0",
    ],
    [
      "an event id that names no place",
      { first: changed("first", { event_id: "017f22e2-79b0-7cc3-98c4-dc0c0c07398f" }) },
      "the event id of receipt 2 (first) names another place than chain 0",
    ],
    [
      "the event id of another chain's number",
      {
        first: changed("first", { event_id: formatEventId(first.chain_id, { shard: 1, sequence: 2 }) }),
      },
      "the event id of receipt 2 (first) names another place than chain 0",
    ],
    [
      "the number of another chain",
      { shard: 1 },
      "the event id of receipt 1 (before) names another place than chain 1",
    ],
  ])("are refuted with %s", async (_, change, detail) => {
    expect(await said("billed_receipts", change)).toEqual(refuted(detail));
  });

  test("are refuted where one is not in the closing head's tree", async () => {
    const { ok, detail } = await said("billed_receipts", { last: changed("last", { turn: 9 }) });
    expect([ok, detail]).toEqual([false, expect.stringMatching(/^receipt 6 \(last\): ./)]);
  });
});

describe("the ends of the month", () => {
  test("lie between the receipts that are counted and the others", async () => {
    const detail = "the receipts counted are of 2026-10, and those next to them are not";
    expect(await said("month_ends", {})).toEqual({ ok: true, detail });
  });

  test("are refuted where the last receipt is older than the first", async () => {
    const at = (end: "first" | "last", issued_at: string) => changed(end, { issued_at });
    const days = {
      first: at("first", "2026-10-09T00:00:00.000Z"),
      last: at("last", "2026-10-08T00:00:00.000Z"),
    };
    expect(await said("month_ends", days)).toEqual(refuted("its last receipt is older than its first"));
  });

  test("are refuted where a receipt is younger than the bill by more than clocks differ", async () => {
    const latest = Date.parse(finalBill.made_at) + MAX_CLOCK_DIFFERENCE_MS;
    const issuedAfter = (ms: number) => {
      const issued_at = new Date(latest + ms).toISOString();
      return said("month_ends", { after: changed("after", { issued_at }) });
    };
    expect((await issuedAfter(0)).ok).toBe(true);
    const detail = "receipt 7 is younger than the bill, which was made at 2026-11-01T01:30:00.000Z";
    expect(await issuedAfter(1)).toEqual(refuted(detail));
  });
});

describe("the heads of a line", () => {
  test("follow one another", async () => {
    const detail = "head 4 under seal 5 extends head 0";
    expect(await said("chain_heads", {})).toEqual({ ok: true, detail });
    const alone = { opening: null, consistency_path: null };
    expect(await said("chain_heads", alone)).toEqual({ ok: true, detail: "head 4 under seal 5" });
    const same = { opening: first.closing, consistency_path: [] };
    expect((await said("chain_heads", same)).ok).toBe(true);
  });

  test.each<[what: string, Partial<BillLine>, detail: string | RegExp]>([
    ["another chain", { chain_id: OTHER_CHAIN }, "the closing head is another chain's"],
    [
      "another chain before the month",
      { opening: headWith(opening, { chain_id: OTHER_CHAIN }) },
      "the opening head is another chain's",
    ],
    ["another size", { closing: headWith(first.closing, { tree_size: 9 }) }, /^the closing head: ./],
    ["another number", { opening: headWith(opening, { head_index: 1 }) }, /^the opening head: ./],
    ["another path", { consistency_path: [] }, /^the closing head does not extend the opening one: ./],
  ])("are refuted with %s", async (_, change, detail) => {
    const found = await said("chain_heads", change);
    expect(found).toEqual({
      ok: false,
      detail: typeof detail === "string" ? detail : expect.stringMatching(detail),
    });
  });

  test("are refuted where the opening one does not come first", async () => {
    const detail = "the opening head does not come before the closing one";
    const turned = { opening: first.closing, closing: opening };
    expect(await said("chain_heads", turned)).toEqual(refuted(detail));
    for (const more of [{ seal_index: 4 }, { seal_index: 3 }]) {
      const closing = { ...first.closing, ...more };
      expect(await said("chain_heads", { opening: first.closing, closing })).toEqual(refuted(detail));
    }
  });

  /** Two heads that a metachain has at these places, under seals that are published. */
  function headsAt(places: { sizes: [number, number]; heads: [number, number]; entries: [number, number] }) {
    const leaves = [0, 1].map((i) => ({
      ...opening.leaf,
      tree_size: places.sizes[i] ?? 0,
      head_index: places.heads[i] ?? 0,
    }));
    const mth = treeOf((index) => {
      const at = places.entries.indexOf(index);
      return leafHash(at < 0 ? Uint8Array.of(index) : chainHeadEntry(leaves[at] ?? opening.leaf));
    });
    const told = leaves.map((leaf, i) => {
      const leaf_index = places.entries[i] ?? 0;
      const path = PATH(leaf_index, 0, 4, mth).map(formatNode);
      return { leaf, leaf_index, tree_size: 4, path, root: formatNode(mth(0, 4)), seal_index: i };
    });
    const [from = opening, to = opening] = told;
    return { opening: from, closing: to };
  }

  test.each<[what: string, places: Parameters<typeof headsAt>[0]]>([
    ["size", { sizes: [5, 5], heads: [0, 1], entries: [0, 1] }],
    ["number", { sizes: [5, 6], heads: [1, 1], entries: [0, 1] }],
    ["entry", { sizes: [5, 6], heads: [0, 1], entries: [1, 0] }],
    ["size, which falls,", { sizes: [5, 4], heads: [0, 1], entries: [0, 1] }],
  ])("are refuted where the %s alone does not rise", async (_, places) => {
    const detail = "the opening head does not come before the closing one";
    expect(await said("chain_heads", headsAt(places))).toEqual(refuted(detail));
    const rising = headsAt({ sizes: [5, 6], heads: [0, 1], entries: [0, 1] });
    const found = await said("chain_heads", rising);
    expect(found.detail).toMatch(/^the closing head does not extend the opening one: ./);
  });

  test("may be of one seal", async () => {
    const rising = headsAt({ sizes: [5, 6], heads: [0, 1], entries: [0, 1] });
    const opened = { ...rising.opening, seal_index: rising.closing.seal_index };
    const found = await said("chain_heads", { ...rising, opening: opened });
    expect(found.detail).toMatch(/^the closing head does not extend the opening one: ./);
  });

  test("are refuted where one is newer than the seal as of which the bill was made", async () => {
    const detail = "the closing head is newer than the seal as of which the bill was made";
    const asOf = finalBill.as_of ?? expect.unreachable("a seal was published");
    for (const as_of of [null, { ...asOf, seal_index: 4 }, { ...asOf, tree_size: 10 }])
      expect(await said("chain_heads", {}, { as_of })).toEqual(refuted(detail));
  });

  test("are refuted where that seal has two roots, or two sizes", async () => {
    const asOf = finalBill.as_of ?? expect.unreachable("a seal was published");
    for (const change of [{ merkle_root: OTHER_ROOT }, { tree_size: 12 }])
      expect(await said("chain_heads", {}, { as_of: { ...asOf, ...change } })).toEqual(
        refuted("seal 5 has two roots in this bill"),
      );
    const later = { ...asOf, seal_index: 6, merkle_root: OTHER_ROOT, tree_size: 12 };
    expect((await said("chain_heads", {}, { as_of: later })).ok).toBe(true);
  });
});

describe("the roots of a line's heads", () => {
  const withSeal = (index: number, seal: ListedSeal) => new Map(published).set(index, seal);
  const sealAt = (index: number): Seal => world.seals[index] ?? expect.unreachable("no such seal");

  test("are those that are published", async () => {
    const detail = "the roots are those of seal 0 and seal 5";
    expect(await said("published_heads", {})).toEqual({ ok: true, detail });
  });

  test("are refuted where none is published there, or a different one", async () => {
    const check = (index: number, seal: Seal | null) =>
      said("published_heads", {}, {}, withSeal(index, seal));
    expect(await check(5, null)).toEqual(refuted("no root is published under 5"));
    expect(await check(0, { ...sealAt(0), merkle_root: OTHER_ROOT })).toEqual(
      refuted("a different root is published under 0"),
    );
    expect(await check(5, { ...sealAt(5), tree_size: 12 })).toEqual(
      refuted("a different root is published under 5"),
    );
  });

  test("are left open by a list that ends before them, if it contradicts no other", async () => {
    const older = withSeal(5, "too_new");
    const detail = "the list of published roots at hand ends before 5";
    expect(await said("published_heads", {}, {}, older)).toEqual({ ok: null, detail });
    const ahead = { opening: { ...first.closing, seal_index: 9 } };
    const contradicted = withSeal(9, "too_new").set(5, { ...sealAt(5), tree_size: 12 });
    expect(await said("published_heads", ahead, {}, contradicted)).toEqual(
      refuted("a different root is published under 5"),
    );
  });

  test("are not compared with one that was not given", async () => {
    const detail = "not compared with the published root 0";
    expect(await said("published_heads", {}, {}, new Map())).toEqual({ ok: null, detail });
  });
});
