// The walk through the public log that a bill asks for, and what it says of newer heads and of further chains.
import { describe, expect, test } from "vitest";
import { DisclosureError } from "../../../../evidence/core/errors.ts";
import type { Bill } from "../../../../evidence/core/formats/bill.ts";
import { MAX_SHARD } from "../../../../evidence/core/formats/event-id.ts";
import { chainHeadEntry } from "../../../../evidence/core/formats/metachain.ts";
import { chainIdOf } from "../../../../evidence/core/formats/tenant-anchor.ts";
import { LabelSearch } from "../../../../evidence/core/log/label-search.ts";
import { labelOf } from "../../../../evidence/core/log/verify-labels.ts";
import { type BillWalk, judgeWalk, planWalk } from "../../../../evidence/core/verify/verify-bill-log.ts";
import { finalBill, historyAt, openBill, world } from "../../../support/bill-inputs.ts";
import { lineAt } from "../../../support/bill-lies.ts";
import { ANCHOR } from "../../../support/bill-world.ts";

const history = await historyAt();
const [closed, open] = [lineAt(finalBill, 0), lineAt(finalBill, 1)];
const withLines = (...lines: Bill["lines"]): Bill => ({ ...finalBill, lines });
const nextOf = ({ chain_id, closing }: Bill["lines"][number]): string =>
  labelOf(chain_id, closing.leaf.head_index + 1);
const planned = (walk: BillWalk | null): BillWalk => walk ?? expect.unreachable("there is a walk");

describe("the walk that a bill asks for", () => {
  test("begins behind the earliest closing head of a line that shows no receipt after the month", () => {
    const { from, labels, unshown } = planned(planWalk(finalBill, undefined));
    expect(from?.leafIndex).toBe(open.closing.leaf_index);
    expect([...labels]).toEqual([nextOf(open)]);
    expect(unshown.size).toBe(0);
    for (const lines of [openBill.lines, [...openBill.lines].reverse()]) {
      const walk = planned(planWalk({ ...openBill, lines }, undefined));
      const places = openBill.lines.map(({ closing }) => closing.leaf_index);
      expect(walk.from?.leafIndex).toBe(Math.min(...places));
      expect(walk.labels).toEqual(new Set(openBill.lines.map(nextOf)));
    }
  });

  test("is none where every line shows a later receipt, or no seal was published", () => {
    expect(planWalk(withLines(closed), undefined)).toBeNull();
    expect(planWalk({ ...finalBill, as_of: null }, undefined)).toBeNull();
    expect(planWalk({ ...finalBill, as_of: null }, history)).toBeNull();
  });

  test("goes over the whole log for the chains that an anchor could have beside those of the history", () => {
    for (const bill of [finalBill, withLines(closed)]) {
      const { from, labels, unshown } = planned(planWalk(bill, history));
      expect(from).toBeNull();
      expect(unshown.size).toBe(MAX_SHARD + 1 - history.chains.size);
      expect(unshown.get(labelOf(chainIdOf(ANCHOR, MAX_SHARD), 0))).toBe(chainIdOf(ANCHOR, MAX_SHARD));
      expect(labels.size).toBe(unshown.size + bill.lines.filter(({ after }) => after === null).length);
    }
  });

  test("asks for no further chain without an anchor", () => {
    const bare = { ...history, tenantAnchor: null };
    expect(planned(planWalk(finalBill, bare)).unshown.size).toBe(0);
    expect(planWalk(withLines(closed), bare)).toBeNull();
  });
});

describe("a log that was walked", () => {
  const walk = planned(planWalk(finalBill, history));
  const size = world.seals[5]?.tree_size ?? 0;
  const entries = Array.from({ length: size }, (_, i) => world.entryAt(i));
  const judge = (told: readonly Uint8Array[], of = walk) => {
    const search = new LabelSearch(of.labels);
    for (const entry of told) search.add(entry);
    return judgeWalk(finalBill, of, search);
  };
  const headOf = (chain_id: string, head_index: number): Uint8Array =>
    chainHeadEntry({ chain_id, head_index, tree_size: 9, root: `0x${"1".repeat(64)}` });

  test("has no newer head and no further chain where the bill is true", () => {
    expect(judge(entries)).toEqual({
      newestHeads: new Map([
        [open.chain_id, { holds: `the public log has no newer head among ${size} entries` }],
      ]),
      otherChains: { holds: `no other chain of this anchor among ${size} entries` },
    });
  });

  test("refutes a bill that leaves out a newer head", () => {
    const { head_index } = open.closing.leaf;
    const { newestHeads } = judge([...entries, headOf(open.chain_id, head_index + 1)]);
    const found = newestHeads?.get(open.chain_id);
    expect(found).toBeInstanceOf(DisclosureError);
    expect(found).toMatchObject({
      code: "proof_invalid",
      message: `the public log has head ${head_index + 1} of this chain, which the bill leaves out`,
      evidence: { leafIndex: size },
    });
  });

  test("refutes a bill of a tenant that has a chain which is not shown", () => {
    const hidden = chainIdOf(ANCHOR, MAX_SHARD);
    const { otherChains } = judge([...entries, headOf(hidden, 0)]);
    expect(otherChains).toBeInstanceOf(DisclosureError);
    expect(otherChains).toMatchObject({
      code: "proof_invalid",
      message: `the public log has chain ${hidden} of this anchor, which is not shown`,
    });
  });

  test("says nothing of further chains where no anchor is known", () => {
    expect(judge(entries, planned(planWalk(finalBill, undefined)))).not.toHaveProperty("otherChains");
  });
});
