// A walk through the public log up to the bill's seal, and what it says of a line's heads and of further chains.
import { describe, expect, test } from "vitest";
import type { Bill } from "../../../../evidence/core/formats/bill.ts";
import { MAX_SHARD } from "../../../../evidence/core/formats/event-id.ts";
import { chainHeadEntry } from "../../../../evidence/core/formats/metachain.ts";
import { chainIdOf } from "../../../../evidence/core/formats/tenant-anchor.ts";
import { HeadWalk } from "../../../../evidence/core/log/head-walk.ts";
import { fullName } from "../../../../evidence/core/verify/check.ts";
import { verifyBill } from "../../../../evidence/core/verify/verify-bill.ts";
import { chainsOfBill } from "../../../../evidence/core/verify/verify-bill-log.ts";
import { finalBill, historyAt, world } from "../../../support/bill-inputs.ts";
import { lineAt } from "../../../support/bill-lies.ts";
import { ANCHOR } from "../../../support/bill-world.ts";

const history = await historyAt();
const [closed, open] = [lineAt(finalBill, 0), lineAt(finalBill, 1)];
const size = finalBill.as_of?.tree_size ?? 0;
const entries = Array.from({ length: size }, (_, i) => world.entryAt(i));
const headOf = (chain_id: string, head_index: number): Uint8Array =>
  chainHeadEntry({ chain_id, head_index, tree_size: 9, root: `0x${"1".repeat(64)}` });

test("a walk looks for the chains of the lines and of the history, and for all others of its anchor", () => {
  expect(chainsOfBill(finalBill, null)).toEqual(new Set([closed.chain_id, open.chain_id]));
  const wanted = chainsOfBill({ ...finalBill, lines: [] }, history);
  expect(wanted.size).toBe(MAX_SHARD + 1);
  expect(wanted.has(chainIdOf(ANCHOR, MAX_SHARD))).toBe(true);
  expect(chainsOfBill(finalBill, { ...history, tenantAnchor: null }).size).toBe(2);
});

/** What the check says of a bill, by a walk over these entries; undefined: nobody walked, null: the log is too short. */
async function said(check: string, told: readonly Uint8Array[] | null | undefined, bill: Bill = finalBill) {
  let walk: HeadWalk | null | undefined = null;
  if (told === undefined) walk = undefined;
  else if (told !== null) {
    walk = new HeadWalk(chainsOfBill(bill, history));
    for (const entry of told) walk.add(entry);
  }
  const { checks } = await verifyBill(bill, { history, ...(walk !== undefined && { walk }) });
  const found = checks.find((one) => fullName(one) === check);
  return [found?.ok, found?.detail];
}

describe("the heads of a line", () => {
  test("are those of the chain, and the last one where no later receipt is shown", async () => {
    expect(await said("lines/0/public_heads", entries)).toEqual([
      true,
      `head 4 of the chain, among ${size} entries`,
    ]);
    const { head_index } = open.closing.leaf;
    expect(await said("lines/1/public_heads", entries)).toEqual([
      true,
      `head ${head_index} of the chain, and its last one among ${size} entries`,
    ]);
  });

  test("leave out a newer head, which only counts where no later receipt is shown", async () => {
    const newer = (line: Bill["lines"][number]) => headOf(line.chain_id, line.closing.leaf.head_index + 1);
    expect((await said("lines/0/public_heads", [...entries, newer(closed)]))[0]).toBe(true);
    const { head_index } = open.closing.leaf;
    expect(await said("lines/1/public_heads", [...entries, newer(open)])).toEqual([
      false,
      `the log has head ${head_index + 1} of this chain at entry ${size}, which the bill leaves out`,
    ]);
  });

  test.each(["opening", "closing"] as const)(
    "are refuted where the log has another as the %s one",
    async (which) => {
      const { leaf, leaf_index } = closed[which] ?? expect.unreachable();
      const others = entries.with(leaf_index, headOf(leaf.chain_id, leaf.head_index));
      expect(await said("lines/0/public_heads", others)).toEqual([
        false,
        expect.stringMatching(new RegExp(`^entry ${leaf_index} is no head of the chain`)),
      ]);
    },
  );

  test("are not judged without a walk up to the bill's seal", async () => {
    expect(await said("lines/0/public_heads", undefined)).toEqual([null, "the public log was not walked"]);
    const late = [null, "the files of the public log do not reach the bill's seal yet"];
    expect(await said("lines/0/public_heads", null)).toEqual(late);
    expect(await said("other_chains", null)).toEqual(late);
  });
});

describe("the tenant's chains", () => {
  test("are all that the log has", async () => {
    expect(await said("other_chains", entries)).toEqual([
      true,
      `no other chain of this anchor among ${size} entries`,
    ]);
    expect(await said("other_chains", undefined)).toEqual([undefined, undefined]);
  });

  test("are those of an older history and of the bill's lines, where one began in between", async () => {
    const older = { ...history, chains: new Map([...history.chains].slice(0, 1)) };
    const walk = new HeadWalk(chainsOfBill(finalBill, older));
    for (const entry of entries) walk.add(entry);
    const { valid, checks } = await verifyBill(finalBill, { history: older, walk });
    expect(valid).toBe(true);
    const reasons = new Map(checks.map((check) => [fullName(check), check.ok]));
    expect([reasons.get("other_chains"), reasons.get("lines/1/chain_history")]).toEqual([true, null]);
    const { lines } = finalBill;
    const short = { ...finalBill, lines: lines.slice(0, 1) };
    const found = (await verifyBill(short, { history: older, walk })).checks;
    expect(found.find(({ name }) => name === "other_chains")?.ok).toBe(false);
  });

  test("are more than the bill shows where the log has another one", async () => {
    const hidden = chainIdOf(ANCHOR, MAX_SHARD);
    expect(await said("other_chains", [...entries, headOf(hidden, 0)])).toEqual([
      false,
      `the log has chain ${hidden} of this anchor at entry ${size}, which is not shown`,
    ]);
  });
});
