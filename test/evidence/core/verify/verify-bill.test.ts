// What all of a bill says: its lines in their order, its status, its amount and the seal as of which it was made. One
// member of a true bill is changed, and the check that is about it says so.
import { describe, expect, test } from "vitest";
import { type Bill, CLOSED_AFTER_MS, PUBLISHED_WITHIN_MS } from "../../../../evidence/core/formats/bill.ts";
import { amountOf } from "../../../../evidence/core/formats/bill-amount.ts";
import type { ListedSeal, Seal } from "../../../../evidence/core/formats/metachain.ts";
import { monthNamed } from "../../../../evidence/core/formats/month.ts";
import { MAX_CLOCK_DIFFERENCE_MS } from "../../../../evidence/core/timestamps/clock-difference.ts";
import { fullName } from "../../../../evidence/core/verify/check.ts";
import { type BillKnowledge, verifyBill } from "../../../../evidence/core/verify/verify-bill.ts";
import { finalBill, historyAt, openBill, world } from "../../../support/bill-inputs.ts";
import { lineAt } from "../../../support/bill-lies.ts";
import { PLAN, TENANT } from "../../../support/bill-world.ts";

const history = await historyAt();
const [first, second] = [lineAt(finalBill, 0), lineAt(finalBill, 1)];
const seals = new Map<number, Seal | null>(world.seals.map((seal) => [seal.index, seal]));
const { startsAt: start, endsAt: end } = monthNamed(finalBill.month);
const price = PLAN.price ?? expect.unreachable("the plan has a price");

async function said(check: string, change: Partial<Bill>, knowledge: BillKnowledge = {}, bill = finalBill) {
  const { checks } = await verifyBill({ ...bill, ...change }, knowledge);
  const found = checks.find((one) => fullName(one) === check);
  return { ok: found?.ok, detail: found?.detail };
}
const refuted = (detail: string) => ({ ok: false, detail });
const shifted = (instant: string, ms: number): string => new Date(Date.parse(instant) + ms).toISOString();

describe("the lines of a bill", () => {
  test("are of different chains, and add up", async () => {
    expect(await said("lines", {})).toEqual({ ok: true, detail: "8 receipts of 2 chains, each once" });
    const none = { lines: [], count: 0, as_of: null };
    expect(await said("lines", none)).toEqual({ ok: true, detail: "0 receipts of 0 chains, each once" });
  });

  test.each<[what: string, Partial<Bill>, detail: string]>([
    ["are one page", { next_shard: 2 }, "this is one page of a bill; the next one begins with chain 2"],
    ["are too many", { chains: 1 }, "chain 1 is none of the tenant's 1, which count from 0"],
    ["name one number twice", { lines: [first, { ...second, shard: 0 }] }, "chain 0 is billed twice"],
    ["are out of order", { lines: [second, first] }, "chain 0 does not come in its order"],
    [
      "name one chain under two numbers",
      { lines: [first, { ...first, shard: 1 }] },
      `chain ${first.chain_id} is billed twice`,
    ],
    [
      "count receipts before a seal was published",
      { as_of: null },
      "it counts published receipts, and says that no seal is published",
    ],
    ["do not add up", { count: 9 }, "it counts 9 receipts, and its chains have 8"],
  ])("are refuted where they %s", async (_, change, detail) => {
    expect(await said("lines", change)).toEqual(refuted(detail));
  });
});

describe("the status of a bill", () => {
  const closed = shifted(end, CLOSED_AFTER_MS);

  test("is final from the moment on at which its month was closed", async () => {
    const detail = "final: made after 2026-10 was closed";
    expect(await said("status", { made_at: closed })).toEqual({ ok: true, detail });
    const early = shifted(closed, -1);
    expect(await said("status", { made_at: early })).toEqual(
      refuted(`it is final since ${early}, and 2026-10 was closed at ${closed}`),
    );
  });

  test("is open from the month's first moment on", async () => {
    const detail = "an open bill: its count may still grow";
    expect(await said("status", { made_at: start }, {}, openBill)).toEqual({ ok: true, detail });
    const early = shifted(start, -1);
    expect(await said("status", { made_at: early }, {}, openBill)).toEqual(
      refuted(`it was made at ${early}, before 2026-10 began`),
    );
  });

  test("is refuted where it was made later than the reader's clock says, by more than clocks differ", async () => {
    const { made_at } = finalBill;
    const now = (ms: number) => ({ now: shifted(made_at, ms) });
    expect((await said("status", {}, now(-MAX_CLOCK_DIFFERENCE_MS))).ok).toBe(true);
    expect(await said("status", {}, now(-MAX_CLOCK_DIFFERENCE_MS - 1))).toEqual(
      refuted(`it says that it was made at ${made_at}, which is yet to come`),
    );
  });
});

describe("the amount of a bill", () => {
  test("follows from its prices, or is not there", async () => {
    const detail = "the cost of 8 receipts by its prices";
    expect(await said("amount", {})).toEqual({ ok: true, detail });
    const one = { count: 1, amount: amountOf(price, 1) };
    expect((await said("amount", one)).detail).toBe("the cost of 1 receipt by its prices");
    const free = { plan: { name: "free", price: null }, amount: null };
    expect(await said("amount", free)).toEqual({ ok: true, detail: "the plan has no price" });
  });

  test("is refuted where it is another, or stands on one side alone", async () => {
    const { amount } = finalBill;
    const dearer = amount && { ...amount, total: 911 };
    expect(await said("amount", { amount: dearer })).toEqual(
      refuted(
        "by its prices, the cost of 8 receipts is 910, and it says 911 (minor units, with their parts)",
      ),
    );
    const detail = "it must have an amount exactly where its plan has a price";
    expect(await said("amount", { amount: null })).toEqual(refuted(detail));
    expect(await said("amount", { plan: { name: "free", price: null } })).toEqual(refuted(detail));
  });
});

describe("the seal as of which a bill was made", () => {
  const { as_of, made_at } = finalBill;
  const asOf = as_of ?? expect.unreachable("a seal was published");
  const seal = seals.get(5) ?? expect.unreachable("it is published");
  const known = (changed: readonly (readonly [number, Seal | null])[]) => ({
    published: new Map<number, Seal | null>([...seals, ...changed]),
  });
  const next = (sealed_at: string) => known([[6, { ...seal, index: 6, sealed_at }]]);

  test("is the newest one, or there is none", async () => {
    expect(await said("as_of", {}, { published: seals })).toEqual({
      ok: true,
      detail: "seal 5 was the newest one",
    });
    const none = { published: new Map([[0, null]]) };
    expect(await said("as_of", { as_of: null, lines: [], count: 0 }, none)).toEqual({
      ok: true,
      detail: "no seal was published yet",
    });
  });

  test("is not compared where the roots were not given", async () => {
    expect(await said("as_of", {})).toEqual({ ok: null, detail: "not compared with the published root 5" });
    const newest = new Map<number, Seal | null>([[5, seal]]);
    expect(await said("as_of", {}, { published: newest })).toEqual({
      ok: null,
      detail: "the next published root was not looked for",
    });
  });

  test("is left open by a list that ends before it, and is the newest of one that ends with it", async () => {
    const listed = (at: number) => ({ published: new Map<number, ListedSeal>(seals).set(at, "too_new") });
    const detail = "the list of published roots at hand ends before 5";
    expect(await said("as_of", {}, listed(5))).toEqual({ ok: null, detail });
    expect((await said("as_of", {}, listed(6))).ok).toBe(true);
  });

  test.each<[what: string, Seal | null, detail: string]>([
    ["none is published there", null, "no root is published under 5"],
    [
      "its root is another",
      { ...seal, merkle_root: `0x${"7".repeat(64)}` },
      "a different root is published under 5",
    ],
    ["its size is another", { ...seal, tree_size: 12 }, "a different root is published under 5"],
  ])("is refuted where %s", async (_, other, detail) => {
    expect(await said("as_of", {}, known([[5, other]]))).toEqual(refuted(detail));
  });

  test("is not younger than the bill by more than clocks differ", async () => {
    const sealed = (ms: number) =>
      said("as_of", {}, known([[5, { ...seal, sealed_at: shifted(made_at, MAX_CLOCK_DIFFERENCE_MS + ms) }]]));
    expect((await sealed(0)).ok).toBe(true);
    const late = shifted(made_at, MAX_CLOCK_DIFFERENCE_MS + 1);
    expect(await sealed(1)).toEqual(refuted(`seal 5 was made at ${late}, after the bill`));
  });

  test("has none after it that was published well before the bill", async () => {
    const latest = shifted(made_at, -PUBLISHED_WITHIN_MS);
    expect((await said("as_of", {}, next(latest))).ok).toBe(true);
    const old = shifted(latest, -1);
    const detail = `seal 6 was made at ${old}, long before the bill, which leaves it out`;
    expect(await said("as_of", {}, next(old))).toEqual(refuted(detail));
    const first = known([[0, { ...seal, index: 0, sealed_at: old }]]);
    expect((await said("as_of", { as_of: null, lines: [], count: 0 }, first)).ok).toBe(false);
    expect(asOf.seal_index).toBe(5);
  });
});

describe("what a reader adds to a bill", () => {
  const namesOf = async (knowledge: BillKnowledge) =>
    (await verifyBill(finalBill, knowledge)).checks
      .filter(({ place }) => place === "")
      .map(({ name }) => name);

  test("decides which checks are made", async () => {
    const own = ["lines", "status", "amount", "as_of"];
    expect(await namesOf({})).toEqual(own);
    expect(await namesOf({ fingerprint: TENANT.fingerprint })).toEqual([...own, "tenant"]);
    expect(await namesOf({ history })).toEqual([...own, "all_chains", "tenant"]);
    expect(await namesOf({ walk: null })).toEqual(own);
    expect(await namesOf({ history, walk: null })).toEqual([...own, "all_chains", "tenant", "other_chains"]);
    const bare = { ...history, tenantAnchor: null };
    expect(await namesOf({ history: bare, walk: null })).toEqual([...own, "all_chains", "tenant"]);
  });
});
