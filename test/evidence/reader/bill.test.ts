// A bill that is true holds; one that counts a receipt too many or too few, twice, or of another month or tenant does not,
// and the line is named. Here an operator lies with all that it has: every path and sum of the false bill is recomputed.
import { describe, expect, test } from "vitest";
import { DisclosureError } from "../../../evidence/core/errors.ts";
import { PublishedSeals } from "../../../evidence/reader/published-seals.ts";
import {
  billAt,
  examine,
  finalBill,
  historyAt,
  logInputs,
  NOW,
  namesOf,
  openBill,
  source,
  world,
} from "../../support/bill-inputs.ts";
import { BILL_LIES, lineAt, withLines, withoutHeads } from "../../support/bill-lies.ts";
import { FINAL_AT, TENANT } from "../../support/bill-world.ts";

const history = await historyAt();
const full = () => ({ ...logInputs(), history });
const offline = { now: NOW, published: new PublishedSeals(null), search: null };

describe("a true bill", () => {
  test.each([
    ["of a month that is over", finalBill, "final", 8],
    ["of a month under way", openBill, "open", 6],
    ["of a month before the first receipt", billAt(FINAL_AT, { month: "2026-08" }), "final", 0],
    ["of the first month", billAt(FINAL_AT, { month: "2026-09" }), "final", 3],
    ["of a month that began just now", billAt(FINAL_AT, { month: "2026-11" }), "open", 1],
    [
      "of a month after the last receipt",
      billAt("2027-01-05T00:00:00.000Z", { month: "2026-12" }),
      "final",
      0,
    ],
    ["before the first seal", billAt("2026-09-10T00:00:00.000Z", { month: "2026-09" }), "open", 0],
    ["without a price", billAt(FINAL_AT, { plan: { name: "free", price: null } }), "final", 8],
  ])("%s holds with the public log and the history", async (_, bill, status, count) => {
    const examination = await examine(bill, full());
    expect(namesOf(examination, false)).toEqual([]);
    expect([examination.outcome, bill.status, bill.count]).toEqual(["holds", status, count]);
  });

  test("says what is stated and not proven without the history", async () => {
    const { outcome, stated } = await examine(finalBill);
    expect(outcome).toBe("holds");
    expect(stated).toEqual(["price", "names", "receipts", "made_at", "unsealed", "sizes", "chains"]);
  });

  test("says what is not proven with the history alone, which can't be known to be complete", async () => {
    const { stated } = await examine(finalBill, { ...full(), search: null });
    expect(stated).toContain("newest");
    expect(stated).toContain("chains");
    expect(stated).not.toContain("sizes");
  });

  test("holds so far without the public log", async () => {
    const examination = await examine(finalBill, offline);
    expect(examination.outcome).toBe("holds_so_far");
    expect(namesOf(examination, null)).toEqual([
      "as_of",
      "lines/0/published_heads",
      "lines/1/published_heads",
      "lines/1/newest_head",
    ]);
    expect(examination.stated).toContain("published");
  });

  test("can't be judged where the public log can't be read", async () => {
    const root = async (): Promise<never> => {
      throw new DisclosureError("publication_unavailable", "no answer in time");
    };
    const published = new PublishedSeals({ ...source, root });
    const { outcome, unavailable } = await examine(finalBill, { now: NOW, published, search: null });
    expect([outcome, unavailable]).toEqual(["unreadable", "no answer in time"]);
  });

  test("waits for a history that was fetched before it was made", async () => {
    const examination = await examine(finalBill, { ...logInputs(), history: await historyAt(3) });
    expect(examination.outcome).toBe("holds_so_far");
    expect(namesOf(examination, null)).toEqual([
      "all_chains",
      "lines/0/chain_history",
      "lines/1/chain_history",
    ]);
  });

  test("does not show a receipt that was removed: that the chain's earlier ones end there is stated", async () => {
    const [line, ...rest] = finalBill.lines;
    const bill = { ...finalBill, lines: [{ ...(line ?? expect.fail("no line")), before: null }, ...rest] };
    const examination = await examine(bill, full());
    expect(examination.outcome).toBe("holds_so_far");
    expect(namesOf(examination, null)).toEqual(["lines/0/month_ends"]);
    expect(examination.stated).toContain("before");
  });

  test("is checked for the tenant that the reader expects", async () => {
    const other = await examine(finalBill, { ...full(), fingerprint: `sha256:${"0".repeat(64)}` });
    expect(namesOf(other, false)).toEqual(["tenant"]);
    const own = await examine(finalBill, { ...full(), fingerprint: TENANT.fingerprint });
    expect(own.outcome).toBe("holds");
  });
});

describe("a false bill", () => {
  test.each(BILL_LIES)("$reason", async ({ bill, failing }) => {
    expect(namesOf(await examine(bill, full()), false)).toEqual(failing);
  });

  test("is told which member it lacks", async () => {
    const opened = finalBill.lines.findIndex(({ opening }) => opening !== null);
    const line = { ...lineAt(finalBill, opened), consistency_path: null };
    const bill = { ...finalBill, amount: null, lines: finalBill.lines.with(opened, line) };
    const { checks } = await examine(bill, full());
    expect(checks.filter(({ ok }) => ok === false).map(({ detail }) => detail)).toEqual([
      "it must have an amount exactly where its plan has a price",
      "it must have a consistency path exactly where it has an opening head",
      "the closing head does not extend the opening one: the path is too short",
    ]);
  });

  test("says that it was made at a time that is yet to come", async () => {
    const now = "2026-10-20T12:30:00.000Z";
    const tooSoon = { ...openBill, status: "final", made_at: "2026-11-01T02:00:00.000Z" } as const;
    const bySeal = { ...logInputs(), published: new PublishedSeals(source), now };
    expect(namesOf(await examine(tooSoon, bySeal), false)).toContain("status");
    expect(namesOf(await examine(openBill, bySeal), false)).toEqual([]);
  });

  test("hides a receipt behind an older head: the public log shows it, even without the history", async () => {
    const bill = withoutHeads(4);
    expect(bill.count).toBe(finalBill.count - 1);
    expect(namesOf(await examine(bill), false)).toEqual(["lines/0/newest_head"]);
  });

  test("leaves out a chain: without the history, that there is no other is stated", async () => {
    const { outcome, stated } = await examine(withLines([lineAt(finalBill, 0)]));
    expect(outcome).toBe("holds");
    expect(stated).toContain("chains");
  });

  test("leaves out a chain that the history leaves out, too: the anchor shows it in the public log", async () => {
    const history = await historyAt(world.seals.length, { ...world, chains: world.chains.slice(0, 1) });
    const bill = { ...withLines([lineAt(finalBill, 0)]), chains: 1 };
    expect(namesOf(await examine(bill, { ...logInputs(), history }), false)).toEqual(["other_chains"]);
  });
});
