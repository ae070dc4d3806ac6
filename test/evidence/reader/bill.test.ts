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
  sourceOf,
  world,
} from "../../support/bill-inputs.ts";
import { BILL_LIES, lineAt, PLANTED_LIES, withLines, withoutHeads } from "../../support/bill-lies.ts";
import { FINAL_AT, TENANT } from "../../support/bill-world.ts";

const history = await historyAt();
const full = () => ({ ...logInputs(), history });
const offline = { now: NOW, published: new PublishedSeals(null), walkLog: null };

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

  test("is no more than consistent with a history alone, which may be another reader's or incomplete", async () => {
    const { stated } = await examine(finalBill, { ...full(), walkLog: null });
    expect(stated).toEqual(expect.arrayContaining(["newest", "sizes", "chains"]));
  });

  test("holds so far without the public log", async () => {
    const examination = await examine(finalBill, offline);
    expect(examination.outcome).toBe("holds_so_far");
    expect(namesOf(examination, null)).toEqual([
      "as_of",
      "lines/0/published_heads",
      "lines/0/public_heads",
      "lines/1/published_heads",
      "lines/1/public_heads",
    ]);
    expect(examination.stated).toContain("published");
  });

  test("can't be judged where the public log can't be read", async () => {
    const root = async (): Promise<never> => {
      throw new DisclosureError("publication_unavailable", "no answer in time");
    };
    const published = new PublishedSeals({ ...source, root });
    const { outcome, unavailable } = await examine(finalBill, { now: NOW, published, walkLog: null });
    expect([outcome, unavailable]).toEqual(["unreadable", "no answer in time"]);
  });

  test("waits for a history that was fetched before it was made", async () => {
    const examination = await examine(finalBill, { ...logInputs(), history: await historyAt(3) });
    expect(examination.outcome).toBe("holds_so_far");
    expect(namesOf(examination, null)).toEqual(["lines/0/chain_history", "lines/1/chain_history"]);
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

describe("an honest bill", () => {
  const [ahead, next] = PLANTED_LIES.map(({ world }) => world);

  test("holds beside an entry that the operator planted with the number of a later head", async () => {
    const world = ahead ?? expect.unreachable();
    const history = await historyAt(world.seals.length, world);
    const { outcome } = await examine(billAt(FINAL_AT, {}, world), {
      ...logInputs(sourceOf(world)),
      history,
    });
    expect(outcome).toBe("holds");
  });

  test("does not hold behind a planted head, and one of an earlier month keeps holding", async () => {
    const world = next ?? expect.unreachable();
    const inputs = { ...logInputs(sourceOf(world)), history: await historyAt(world.seals.length, world) };
    expect(namesOf(await examine(billAt(FINAL_AT, {}, world), inputs), false)).toEqual([
      "lines/0/chain_history",
    ]);
    const early = billAt("2026-09-15T00:00:30.000Z", { month: "2026-09" }, world);
    const { checks } = await examine(early, { ...inputs, published: new PublishedSeals(sourceOf(world)) });
    expect(checks.filter(({ name, ok }) => name.endsWith("_history") && ok !== true)).toEqual([]);
  });
});

describe("a false bill", () => {
  test.each(BILL_LIES)("$reason", async ({ bill, failing }) => {
    expect(namesOf(await examine(bill, full()), false)).toEqual(failing);
  });

  test.each(PLANTED_LIES)("$reason", async ({ bill, failing, world }) => {
    const [log, history] = [logInputs(sourceOf(world)), await historyAt(world.seals.length, world)];
    expect(bill.count).toBe(finalBill.count + 3);
    expect(namesOf(await examine(bill, { ...log, history }), false)).toEqual(failing);
  });

  test("closes with a planted head that no history reaches: the public log shows that it is none", async () => {
    const [{ bill, world } = expect.unreachable()] = PLANTED_LIES;
    const log = logInputs(sourceOf(world));
    expect(namesOf(await examine(bill, log), false)).toEqual(["lines/0/public_heads"]);
    const stale = { ...log, history: await historyAt(1, world) };
    expect(namesOf(await examine(bill, stale), false)).toEqual(["lines/0/public_heads"]);
    const alone = await examine(bill, { ...stale, walkLog: null });
    expect([alone.outcome, namesOf(alone, null)]).toEqual([
      "holds_so_far",
      expect.arrayContaining(["lines/0/chain_history", "lines/0/public_heads"]),
    ]);
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
    expect(namesOf(await examine(bill), false)).toEqual(["lines/0/public_heads"]);
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
