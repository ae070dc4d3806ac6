// A bill against the history of its tenant's chains: which heads a line must name, which chains a bill must have, and what
// a history that ends before the bill can't say.
import { describe, expect, test } from "vitest";
import type { Bill, BillLine } from "../../../../evidence/core/formats/bill.ts";
import type { SealedHead } from "../../../../evidence/core/formats/chain-history.ts";
import type { CrossTenantProof } from "../../../../evidence/core/formats/compliance-receipt.ts";
import { chainIdOf } from "../../../../evidence/core/formats/tenant-anchor.ts";
import { ChainHistory } from "../../../../evidence/core/log/chain-history.ts";
import { fullName } from "../../../../evidence/core/verify/check.ts";
import { verifyBill } from "../../../../evidence/core/verify/verify-bill.ts";
import type { BillHistory } from "../../../../evidence/core/verify/verify-bill-history.ts";
import { finalBill, historyAt, world } from "../../../support/bill-inputs.ts";
import { lineAt } from "../../../support/bill-lies.ts";
import { ANCHOR, OTHER_ANCHOR } from "../../../support/bill-world.ts";

const history = await historyAt();
const [first, second] = [lineAt(finalBill, 0), lineAt(finalBill, 1)];
const opening = first.opening ?? expect.unreachable("the line has an opening head");
const asOf = finalBill.as_of ?? expect.unreachable("a seal was published");
const OTHER_ROOT = `0x${"7".repeat(64)}`;
const STALE = {
  ok: null,
  detail: "the history was fetched before the bill was made; fetch it again",
};

async function said(check: string, change: Partial<Bill>, told: BillHistory = history) {
  const { checks } = await verifyBill({ ...finalBill, ...change }, { history: told });
  const found = checks.find((one) => fullName(one) === check);
  return { ok: found?.ok, detail: found?.detail };
}
const saidOfLine = (change: Partial<BillLine>, told: BillHistory = history) =>
  said("lines/0/chain_history", { lines: [{ ...first, ...change }, second] }, told);
const refuted = (detail: string) => ({ ok: false, detail });

const headWith = (head: CrossTenantProof, leaf: object, more: object = {}): CrossTenantProof => ({
  ...head,
  ...more,
  leaf: { ...head.leaf, ...leaf },
});

/** The history with so many heads of the line's chain. */
function withHeads(change: (heads: readonly SealedHead[]) => readonly SealedHead[]): BillHistory {
  const { chainId, heads, size } = history.chains.get(first.chain_id) ?? expect.unreachable();
  const whole = history.chains.get(chainId) ?? expect.unreachable();
  const leaves = Array.from({ length: size }, (_, i) => whole.leafHash(i) ?? expect.unreachable());
  const shorter = new ChainHistory(chainId, (from, to) => Buffer.concat(leaves.slice(from, to)));
  for (const head of change(heads)) shorter.add(head);
  return { ...history, chains: new Map([...history.chains, [chainId, shorter]]) };
}

describe("the heads of a line", () => {
  test("are those of the history, and the leaf hashes up to the closing one are there", async () => {
    const detail = "all 8 leaf hashes up to head 4 are there";
    expect(await saidOfLine({})).toEqual({ ok: true, detail });
  });

  test.each<[what: string, Partial<BillLine>, detail: string]>([
    [
      "the closing one has another root",
      { closing: headWith(first.closing, { root: OTHER_ROOT }) },
      "the chain has another root with 8 receipts",
    ],
    [
      "the opening one has another root",
      { opening: headWith(opening, { root: OTHER_ROOT }) },
      "the chain has another root with 1 receipt",
    ],
    [
      "the closing one is another entry of the log",
      { closing: headWith(first.closing, {}, { leaf_index: 12 }) },
      "head 4 of the history is another than the proof's",
    ],
    [
      "the opening one is published by another seal",
      { opening: headWith(opening, {}, { seal_index: 1 }) },
      "head 0 of the history is another than the proof's",
    ],
    [
      "there is a newer one before the month",
      { from: 4 },
      "by the history, the newest head of at most 4 receipts is head 1; the opening one is head 0",
    ],
    [
      "there is none before the month",
      { from: 0 },
      "by the history, the newest head of at most 0 receipts is none; the opening one is head 0",
    ],
    [
      "the one before the month is missing",
      { opening: null },
      "by the history, the newest head of at most 2 receipts is head 0; the opening one is none",
    ],
    [
      "an earlier one closes the month",
      { to: 0 },
      "by the history, the first head of more than 0 receipts, or else the newest is head 0; the closing one is head 4",
    ],
  ])("are refuted where %s", async (_, change, detail) => {
    expect(await saidOfLine(change)).toEqual(refuted(detail));
  });

  test("are those that were published by the seal as of which the bill was made", async () => {
    const as_of = { ...asOf, seal_index: opening.seal_index };
    const earlier = { ...first, closing: opening, opening: null, from: 0, to: 1 };
    expect((await said("lines/0/chain_history", { as_of, lines: [earlier, second] })).ok).toBe(true);
    const before = { ...asOf, seal_index: opening.seal_index - 1 };
    expect(await said("lines/0/chain_history", { as_of: before, lines: [earlier, second] })).toEqual(
      refuted(
        "by the history, the first head of more than 1 receipt, or else the newest is none; the closing one is head 0",
      ),
    );
  });
});

describe("a history that ends before the bill", () => {
  const stale = { ...history, searchedSeal: asOf.seal_index - 1 };

  test("does not say which heads a line must have, and refutes what it knows better", async () => {
    expect(await saidOfLine({}, stale)).toEqual(STALE);
    expect(await saidOfLine({}, { ...history, searchedSeal: null })).toEqual(STALE);
    const lie = { opening: headWith(opening, { root: OTHER_ROOT }) };
    expect(await saidOfLine(lie, stale)).toEqual(refuted("the chain has another root with 1 receipt"));
  });

  test("may lack a chain; a later one has every chain", async () => {
    const lacking = (told: BillHistory): BillHistory => ({
      ...told,
      chains: new Map([...told.chains].filter(([id]) => id !== first.chain_id)),
    });
    expect(await saidOfLine({}, lacking(stale))).toEqual(STALE);
    expect(await said("all_chains", {}, lacking(stale))).toEqual(STALE);
    expect(await saidOfLine({}, lacking(history))).toEqual(refuted("the tenant's history has no such chain"));
    expect(await said("all_chains", {}, lacking(history))).toEqual(
      refuted("it says that the tenant has 2 chains, and the history has 1"),
    );
  });

  test("lacks heads; a later one that lacks the closing head contradicts the bill", async () => {
    const shorter = withHeads((heads) => heads.slice(0, 4));
    expect(await saidOfLine({}, { ...shorter, searchedSeal: asOf.seal_index - 1 })).toEqual(STALE);
    expect(await saidOfLine({}, shorter)).toEqual(
      refuted(
        "by the history, the first head of more than 7 receipts, or else the newest is head 3; the closing one is head 4",
      ),
    );
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

  test("may lack one whose first head was published after the bill's seal, or that has none", async () => {
    const firstHead = history.chains.get(second.chain_id)?.heads[0] ?? expect.unreachable();
    const asOfSeal = (seal_index: number) => ({ lines: [first], as_of: { ...asOf, seal_index } });
    expect((await said("all_chains", asOfSeal(firstHead.seal_index))).ok).toBe(false);
    expect((await said("all_chains", asOfSeal(firstHead.seal_index - 1))).ok).toBe(true);
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
  const tenantSaid = async (told: BillHistory | undefined, change: Partial<Bill> = {}, expected?: string) => {
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
