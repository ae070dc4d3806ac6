// A bill against the history of its tenant's chains: which heads a line must name, which chains a bill must have, and what
// a history that ends before the bill can't say.
import { describe, expect, test } from "vitest";
import type { Bill, BillLine } from "../../../../evidence/core/formats/bill.ts";
import type { SealedHead } from "../../../../evidence/core/formats/chain-history.ts";
import type { CrossTenantProof } from "../../../../evidence/core/formats/compliance-receipt.ts";
import { chainHeadEntry } from "../../../../evidence/core/formats/metachain.ts";
import { chainIdOf } from "../../../../evidence/core/formats/tenant-anchor.ts";
import { ChainHistory } from "../../../../evidence/core/log/chain-history.ts";
import { HeadWalk } from "../../../../evidence/core/log/head-walk.ts";
import { fullName } from "../../../../evidence/core/verify/check.ts";
import type { TenantHistory } from "../../../../evidence/core/verify/tenant-history.ts";
import { verifyBill } from "../../../../evidence/core/verify/verify-bill.ts";
import { chainsOfBill } from "../../../../evidence/core/verify/verify-bill-log.ts";
import { finalBill, historyAt, world } from "../../../support/bill-inputs.ts";
import { lineAt } from "../../../support/bill-lies.ts";
import { ANCHOR, OTHER_ANCHOR } from "../../../support/bill-world.ts";
import { plainLeaf } from "../../../support/receipt-leaf.ts";

const history = await historyAt();
const [first, second] = [lineAt(finalBill, 0), lineAt(finalBill, 1)];
const opening = first.opening ?? expect.unreachable("the line has an opening head");
const asOf = finalBill.as_of ?? expect.unreachable("a seal was published");
const OTHER_ROOT = `0x${"7".repeat(64)}`;
async function said(check: string, change: Partial<Bill>, told: TenantHistory = history, walk?: HeadWalk) {
  const { checks } = await verifyBill({ ...finalBill, ...change }, { history: told, ...(walk && { walk }) });
  const found = checks.find((one) => fullName(one) === check);
  return { ok: found?.ok, detail: found?.detail };
}
const saidOfLine = (change: Partial<BillLine>, told: TenantHistory = history, walk?: HeadWalk) =>
  said("lines/0/chain_history", { lines: [{ ...first, ...change }, second] }, told, walk);
const refuted = (detail: string) => ({ ok: false, detail });

const headWith = (head: CrossTenantProof, leaf: object, more: object = {}): CrossTenantProof => ({
  ...head,
  ...more,
  leaf: { ...head.leaf, ...leaf },
});

/** The history with so many heads of the line's chain. */
function withHeads(change: (heads: readonly SealedHead[]) => readonly SealedHead[]): TenantHistory {
  const { chainId, heads } = history.chains.get(first.chain_id) ?? expect.unreachable();
  const { chain } = world.chains.find((one) => one.chain.id === chainId) ?? expect.unreachable();
  const leaves = chain.cores.map(plainLeaf);
  const shorter = new ChainHistory(chainId, (from, to) => Buffer.concat(leaves.slice(from, to)));
  for (const head of change(heads)) shorter.add(head);
  return { ...history, chains: new Map([...history.chains, [chainId, shorter]]) };
}

/** A walk up to the bill's seal, over the entries of the world or changed ones. */
function walkOver(change: (entries: Uint8Array[]) => Uint8Array[] = (entries) => entries): HeadWalk {
  const walk = new HeadWalk(chainsOfBill(finalBill, history));
  for (const entry of change(Array.from({ length: asOf.tree_size }, (_, i) => world.entryAt(i))))
    walk.add(entry);
  return walk;
}

describe("the heads of a line", () => {
  const ALL_THERE = "all 8 leaves up to head 4 are there";

  test("are those of the history, and the leaves up to the closing one are there", async () => {
    expect(await saidOfLine({}, history, walkOver())).toEqual({
      ok: true,
      detail: `${ALL_THERE}; one history up to entry ${asOf.tree_size}`,
    });
  });

  test("are consistent with the file, and no more, where nobody walked the log", async () => {
    expect(await saidOfLine({})).toEqual({ ok: true, detail: `consistent with this file: ${ALL_THERE}` });
  });

  const none = (head: number, entry: number) =>
    `the proof's head ${head}, at entry ${entry}, is none of the history`;
  test.each<[what: string, Partial<BillLine>, detail: string]>([
    [
      "the closing one has another root",
      { closing: headWith(first.closing, { root: OTHER_ROOT }) },
      none(4, first.closing.leaf_index),
    ],
    [
      "the closing one has more receipts than the history",
      { closing: headWith(first.closing, { tree_size: 99_999 }) },
      none(4, first.closing.leaf_index),
    ],
    [
      "the closing one has a number that the history has not",
      { closing: headWith(first.closing, { head_index: 1_000_000 }) },
      none(1_000_000, first.closing.leaf_index),
    ],
    [
      "the opening one has another root",
      { opening: headWith(opening, { root: OTHER_ROOT }) },
      none(0, opening.leaf_index),
    ],
    [
      "the closing one is another entry of the log",
      { closing: headWith(first.closing, {}, { leaf_index: 6 }) },
      none(4, 6),
    ],
    [
      "the opening one is published by a seal before the first over it",
      { opening: headWith(opening, {}, { seal_index: opening.seal_index - 1 }) },
      none(0, opening.leaf_index),
    ],
    [
      "there is a newer one before the month",
      { from: 4 },
      "by the history, the newest head of at most 4 receipts is head 1; the opening one is head 0",
    ],
    [
      "the one before the month is missing",
      { opening: null },
      "by the history, the newest head of at most 2 receipts is head 0; the opening one is none",
    ],
    [
      "an earlier one closes the month",
      { to: 0 },
      "by the history, the first head of more than 0 receipts is head 0; the closing one is head 4",
    ],
    [
      "it closes before the month ends",
      { closing: opening, opening: null, from: 0, to: 4 },
      "by the history, the first head of more than 4 receipts is head 2; the closing one is head 0",
    ],
    [
      "it is not closed by the newest",
      { closing: opening, opening: null, from: 0, to: 8 },
      "by the history, the newest head is head 4; the closing one is head 0",
    ],
  ])("are refuted where %s", async (_, change, detail) => {
    expect(await saidOfLine(change)).toEqual(refuted(detail));
    expect(await saidOfLine(change, history, walkOver())).toEqual(refuted(detail));
  });

  test("are those below the seal as of which the bill was made", async () => {
    const asOfSize = (tree_size: number) => ({
      as_of: { ...asOf, tree_size },
      lines: [{ ...first, closing: opening, opening: null, from: 0, to: 1 }, second],
    });
    const next = history.chains.get(first.chain_id)?.heads[1]?.leaf_index ?? 0;
    expect((await said("lines/0/chain_history", asOfSize(next))).ok).toBe(true);
    expect((await said("lines/0/chain_history", asOfSize(next + 1))).ok).toBe(false);
  });
});

describe("a history that the log breaks", () => {
  const chain = history.chains.get(first.chain_id) ?? expect.unreachable();
  const planted = (head_index: number) =>
    chainHeadEntry({ chain_id: chain.chainId, head_index, tree_size: 50, root: OTHER_ROOT });
  const replaced = (head: number) => {
    const at = chain.heads[head]?.leaf_index ?? 0;
    return walkOver((entries) => entries.with(at, planted(head)));
  };

  test("refutes every bill that reaches behind the break, and none before it", async () => {
    const at = chain.heads[2]?.leaf_index ?? 0;
    const break_ = `one history up to entry ${at}: there the log has not the history's head 2`;
    expect(await saidOfLine({}, history, replaced(2))).toEqual(refuted(break_));
    const early = { ...first, closing: opening, opening: null, from: 0, to: 1 };
    const bill = { as_of: { ...asOf, tree_size: opening.leaf_index + 1 }, lines: [early] };
    expect(await said("lines/0/chain_history", bill, history, replaced(2))).toMatchObject({
      ok: true,
      detail: expect.stringContaining(`one history up to entry ${at}`),
    });
  });
});

describe("a history that ends before the bill", () => {
  const ends = (entry: number) => ({
    ok: null,
    detail: `the history ends at entry ${entry}, before this bill; fetch it again`,
  });
  const shorter = withHeads((heads) => heads.slice(0, 4));
  const [, , , last, closing] = history.chains.get(first.chain_id)?.heads ?? [];

  test("does not say which heads a line must have, and refutes what it knows better", async () => {
    expect(await saidOfLine({}, shorter)).toEqual(ends((last?.leaf_index ?? 0) + 1));
    expect(await saidOfLine({}, shorter, walkOver())).toEqual(ends(closing?.leaf_index ?? 0));
    const lie = { opening: headWith(opening, { root: OTHER_ROOT }) };
    expect((await saidOfLine(lie, shorter)).ok).toBe(false);
    expect((await saidOfLine({ from: 4 }, shorter)).ok).toBe(false);
  });

  test("says nothing of a chain that it has not", async () => {
    const chains = new Map([...history.chains].filter(([id]) => id !== first.chain_id));
    const lacking = { ...history, chains };
    expect(await saidOfLine({}, lacking)).toEqual({ ok: null, detail: "the history has no such chain" });
    expect((await said("all_chains", {}, lacking)).ok).toBe(true);
  });
});

describe("the chains of a bill", () => {
  test("are all of the history that had a published receipt", async () => {
    const detail = "each of 2 chains of the history is billed, if it has receipts";
    expect(await said("all_chains", {})).toEqual({ ok: true, detail });
    expect(await said("all_chains", { lines: [first] })).toEqual(
      refuted(`chain ${second.chain_id} of the history is left out`),
    );
  });

  test("may lack one whose first head stands behind the bill's seal, or that has none", async () => {
    const firstHead = history.chains.get(second.chain_id)?.heads[0] ?? expect.unreachable();
    const asOfSize = (tree_size: number) => ({ lines: [first], as_of: { ...asOf, tree_size } });
    expect((await said("all_chains", asOfSize(firstHead.leaf_index + 1))).ok).toBe(false);
    expect((await said("all_chains", asOfSize(firstHead.leaf_index))).ok).toBe(true);
    expect((await said("all_chains", { lines: [first], as_of: null })).ok).toBe(true);
    const empty = new Map([
      ...history.chains,
      ["c".repeat(32), new ChainHistory("c".repeat(32), () => Buffer.of())],
    ]);
    const detail = "each of 3 chains of the history is billed, if it has receipts";
    expect(await said("all_chains", {}, { ...history, chains: empty })).toEqual({ ok: true, detail });
  });
});

describe("the tenant of a bill", () => {
  const { fingerprint } = finalBill.tenant;
  const tenantSaid = async (
    told: TenantHistory | undefined,
    change: Partial<Bill> = {},
    expected?: string,
  ) => {
    const knowledge = { history: told, ...(expected !== undefined && { fingerprint: expected }) };
    const { checks } = await verifyBill({ ...finalBill, ...change }, knowledge as never);
    const found = checks.find(({ name }) => name === "tenant");
    return { ok: found?.ok, detail: found?.detail };
  };

  test("is the one that the history's anchor and the reader name", async () => {
    const detail = "2 chains of the tenant with this fingerprint";
    expect(await tenantSaid(history, {}, fingerprint)).toEqual({ ok: true, detail });
    expect(await tenantSaid(history, {}, "7".repeat(64))).toEqual(refuted("the bill is another tenant's"));
    expect(await tenantSaid({ ...history, tenantAnchor: OTHER_ANCHOR })).toEqual(
      refuted("the history is another tenant's than the bill"),
    );
  });

  test("has chains that follow from its anchor", async () => {
    const lines = [first, { ...second, shard: 2 }];
    expect(chainIdOf(ANCHOR, 1)).toBe(second.chain_id);
    expect(await tenantSaid(history, { lines })).toEqual(
      refuted(`chain ${second.chain_id} is not chain 2 of this tenant`),
    );
  });

  test("is not compared where the history was fetched without an anchor, or none was given", async () => {
    const unchecked = {
      ok: null,
      detail: "which chains are the tenant's shows a history that was fetched with its anchor",
    };
    expect(await tenantSaid({ ...history, tenantAnchor: null })).toEqual(unchecked);
    expect(await tenantSaid(undefined, {}, fingerprint)).toEqual(unchecked);
    expect(world.chains).toHaveLength(2);
  });
});
