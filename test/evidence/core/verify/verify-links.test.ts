import { describe, expect, test } from "vitest";
import type { Receipt, ReceiptCore } from "../../../../evidence/core/formats/receipt.ts";
import type { Check } from "../../../../evidence/core/verify/check.ts";
import { verifyLinks } from "../../../../evidence/core/verify/verify-links.ts";
import { forgeReceipts } from "../../../support/lying-service.ts";

const OTHER_DIGEST = `sha256:${"5".repeat(64)}`;
const EARLIER = "2026-01-01T00:00:00.000Z";
const SEAL_BEFORE = { seal_index: 3, seal_hash: OTHER_DIGEST };

const failing = (checks: readonly Check[]): string[] =>
  checks.filter(({ ok }) => ok === false).map(({ name, detail }) => `${name}: ${detail}`);

const failingIn = async (receipts: readonly Receipt[]): Promise<string[]> =>
  failing((await verifyLinks(receipts)).checks);

describe("the links between receipts", () => {
  test("hold where each receipt names the one before it", async () => {
    expect(await verifyLinks(forgeReceipts([{}, {}, {}]))).toEqual({
      valid: true,
      checks: [
        { name: "chain_links", ok: true, detail: "2 links of the chain" },
        { name: "turn_links", ok: true, detail: "turns 1 to 3 of the conversation" },
      ],
    });
  });

  test.each<[lie: Partial<ReceiptCore>, reason: string]>([
    [{ previous_hash: OTHER_DIGEST }, "chain_links: receipt 1 does not link to the one before it"],
    [{ previous_turn_hash: OTHER_DIGEST }, "turn_links: turn 2 does not link to the one before it"],
    [{ turn: 3 }, "turn_links: turn 3 comes after turn 1"],
    [{ turn: 1, previous_turn_hash: OTHER_DIGEST }, "turn_links: the first turn links back"],
  ])("do not hold where the second says %j", async (lie, reason) => {
    expect(await failingIn(forgeReceipts([{}, lie]))).toEqual([reason]);
  });

  test("do not hold where a later turn is older", async () => {
    expect(await failingIn(forgeReceipts([{}, { issued_at: EARLIER }]))).toEqual([
      "chain_links: receipt 1 was issued before receipt 0 of its chain",
      "turn_links: turn 2 was issued before turn 1",
    ]);
    expect(
      await failingIn(forgeReceipts([{ recorded_after: SEAL_BEFORE }, { recorded_after: null }])),
    ).toEqual([
      "chain_links: receipt 1 names an older seal than receipt 0 of its chain",
      "turn_links: turn 2 names an older seal than turn 1",
    ]);
  });

  test("do not hold where a conversation goes on on another chain, whatever its place and time there", async () => {
    const elsewhere = { chain_id: "0".repeat(32), sequence: 7 };
    expect(await failingIn(forgeReceipts([{}, elsewhere]))).toEqual([
      "turn_links: turn 2 is on another chain than turn 1",
    ]);
  });

  test.each<[lie: Partial<ReceiptCore>, reason: string]>([
    [{ previous_hash: OTHER_DIGEST }, "chain_links: the first receipt links back"],
    [{ previous_turn_hash: OTHER_DIGEST }, "turn_links: the first turn links back"],
  ])("do not hold where the first says %j", async (lie, reason) => {
    expect(await failingIn(forgeReceipts([lie, {}]))).toEqual([reason]);
  });

  test("do not hold where a receipt was changed after the next one named it", async () => {
    const [first, second] = forgeReceipts([{}, {}]) as [Receipt, Receipt];
    expect(await failingIn([{ ...first, verdict: "BLOCK" }, second])).toEqual([
      "chain_links: receipt 1 does not link to the one before it",
      "turn_links: turn 2 does not link to the one before it",
    ]);
  });

  test("cover members of a receipt that this reader doesn't know", async () => {
    const later = { verdict: "MODIFY", unknown_member: "as written" } as const;
    const [first, second] = forgeReceipts([later, {}]) as [Receipt, Receipt];
    expect(await failingIn([first, second])).toEqual([]);
    expect(await failingIn([{ ...first, ...{ unknown_member: "changed" } }, second])).toHaveLength(2);
  });

  test("do not hold where a turn is missing or two changed places", async () => {
    const [first, second, third] = forgeReceipts([{}, {}, {}]) as [Receipt, Receipt, Receipt];
    expect(await failingIn([first, third])).toEqual(["turn_links: turn 3 comes after turn 1"]);
    expect(await failingIn([second, first, third])).toEqual(["turn_links: turn 1 comes after turn 2"]);
  });

  test("do not hold where a chain forks, however well the receipts after the fork link", async () => {
    const [first, second, third] = forgeReceipts([{}, {}, {}]) as [Receipt, Receipt, Receipt];
    const fork = { ...second, verdict: "BLOCK" } as const;
    const reason = "chain_links: two receipts claim place 1 of one chain";
    expect(await failingIn([first, fork, second, third])).toContain(reason);
    expect(await failingIn([first, second, fork, third])).toContain(reason);
  });

  test("hold for the chain where one receipt was handed in twice", async () => {
    const [first, second] = forgeReceipts([{}, {}]) as [Receipt, Receipt];
    const { checks } = await verifyLinks([first, second, { ...second, signature: first.signature }]);
    expect(checks[0]).toMatchObject({ name: "chain_links", ok: true });
  });

  test("are not believed of what is no receipt", async () => {
    const [first, second] = forgeReceipts([{}, {}]) as [Receipt, Receipt];
    const reason = "a receipt is not as the format says";
    expect(await failingIn([first, { ...second, key_id: "" }])).toEqual([
      `chain_links: ${reason}`,
      `turn_links: ${reason}`,
    ]);
  });

  test("are those of each chain alone", async () => {
    const ours = forgeReceipts([{}, {}]);
    const [theirs] = forgeReceipts([{ chain_id: "f".repeat(32), issued_at: "2036-01-01T00:00:00.000Z" }]);
    const { checks } = await verifyLinks([...ours, { ...ours[1], ...theirs }]);
    expect(checks[0]).toEqual({ name: "chain_links", ok: true, detail: "1 link of the chain" });
  });
});
