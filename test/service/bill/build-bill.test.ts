// The bill of a month: it counts the receipts of that month, proves both ends in every chain, and says whether it is final.
import { afterAll, describe, expect, test } from "vitest";
import type { Price } from "../../../contract/plans.ts";
import type { Bill } from "../../../evidence/core/formats/bill.ts";
import { monthNamed } from "../../../evidence/core/formats/month.ts";
import { buildBillPage, buildWholeBill, readTotals } from "../../../service/bill/build-bill.ts";
import { leafKey, logPartition } from "../../../service/table/keys.ts";
import { checkBill } from "../../support/check-bill.ts";
import {
  HOUR,
  type Ledger,
  MINUTE,
  SECOND,
  startLedgerStack,
  type TestCaller,
} from "../../support/ledger-stack.ts";
import { deleteItem } from "../../support/tamper.ts";
import { requestOf, type TestProcess } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

/** Ledgers of these tests begin on the first of May, 2040. */
const JUNE = Date.parse("2040-06-01T00:00:00.000Z");
const JULY = Date.parse("2040-07-01T00:00:00.000Z");
const PRICE: Price = { currency: "EUR", base: 900, tiers: [{ upTo: null, perThousand: 1_000 }] };
const PLANS = new Map([["test", { price: PRICE }]]);

interface World {
  readonly ledger: Ledger;
  readonly caller: TestCaller;
  readonly process: TestProcess;
}

async function newWorld(chains = 1): Promise<World> {
  const ledger = await stack.newLedger({ isSigned: false });
  return { ledger, caller: await ledger.newTenant("tenant", chains), process: ledger.newProcess() };
}

const billOf = (process: TestProcess, month: string): Promise<Bill> =>
  buildWholeBill({ table: process.table, plans: PLANS }, "tenant", monthNamed(month));

/** So many receipts at this time, each of a conversation of its own. */
async function attestAt({ ledger, caller, process }: World, at: number, count: number): Promise<void> {
  ledger.now = at;
  await Promise.all(
    Array.from({ length: count }, (_, i) => process.attest(caller, requestOf(`call-${at}-${i}`))),
  );
}

async function sealAt({ ledger, process }: World, at: number): Promise<void> {
  ledger.now = at;
  await process.seal();
}

describe("the bill of a month", () => {
  test("counts the receipts that are dated in it, wherever its seals are", async () => {
    const world = await newWorld(3);
    await attestAt(world, JUNE - HOUR, 7);
    await sealAt(world, JUNE - HOUR + SECOND);
    await attestAt(world, JUNE - 1, 10);
    await attestAt(world, JUNE, 20);
    // This seal holds receipts of both months.
    await sealAt(world, JUNE + MINUTE);
    await attestAt(world, JULY - 1, 5);
    await attestAt(world, JULY, 1);
    await sealAt(world, JULY + 2 * HOUR);
    const counts = { "2040-05": 17, "2040-06": 25, "2040-07": 1 };
    for (const [month, count] of Object.entries(counts)) {
      const bill = await billOf(world.process, month);
      expect(bill).toMatchObject({ month, count, tenant: { id: "tenant" }, chains: 3 });
      expect(bill.status).toBe(month === "2040-07" ? "open" : "final");
      expect(bill.amount?.total).toBe(900 + count);
      await checkBill(world.process, bill);
    }
  });

  test("proves that a chain stood still", async () => {
    const world = await newWorld();
    await attestAt(world, JUNE - HOUR, 3);
    await sealAt(world, JUNE - HOUR + SECOND);
    world.ledger.now = JULY;
    const bill = await billOf(world.process, "2040-06");
    expect(bill.lines).toMatchObject([{ from: 3, to: 3, count: 0, first: null, last: null, after: null }]);
    expect(bill.lines[0]?.opening).toEqual(bill.lines[0]?.closing);
    await checkBill(world.process, bill);
  });

  test("has no line of a chain without a published receipt, and no amount of a plan without a price", async () => {
    const { ledger, process } = await newWorld(2);
    const { table } = process;
    ledger.now += SECOND;
    const bill = await buildWholeBill({ table, plans: new Map() }, "tenant", monthNamed("2040-05"));
    expect(bill).toMatchObject({ status: "open", lines: [], count: 0, chains: 2, as_of: null, amount: null });
  });

  test("costs as many requests in an old chain as its logarithm asks", async () => {
    const world = await newWorld();
    await attestAt(world, JUNE - HOUR, 60);
    await attestAt(world, JUNE, 40);
    await sealAt(world, JUNE + MINUTE);
    const reader = world.ledger.newProcess();
    const bill = await billOf(reader, "2040-06");
    expect(bill.count).toBe(40);
    // One for the tenant; the seals and heads; seven steps of halving; and the proofs, which share theirs.
    expect(reader.calls.steps.length).toBeLessThanOrEqual(22);
  });
});

describe("receipts that are not published yet", () => {
  test("are not counted in an open bill", async () => {
    const world = await newWorld();
    await attestAt(world, JUNE, 4);
    await sealAt(world, JUNE + MINUTE);
    await attestAt(world, JUNE + 2 * MINUTE, 3);
    const bill = await billOf(world.process, "2040-06");
    expect(bill).toMatchObject({ status: "open", count: 4 });
    await checkBill(world.process, bill);
  });

  test("keep the bill of their month open, and are counted once they are published", async () => {
    const world = await newWorld();
    await attestAt(world, JUNE, 4);
    await sealAt(world, JUNE + MINUTE);
    await attestAt(world, JULY - 1, 3);
    world.ledger.now = JULY + 2 * HOUR;
    expect(await billOf(world.process, "2040-06")).toMatchObject({ status: "open", count: 4 });
    await sealAt(world, JULY + 2 * HOUR);
    // Those of the next month that wait are none of this one's.
    await attestAt(world, JULY + 2 * HOUR, 1);
    expect(await billOf(world.process, "2040-06")).toMatchObject({ status: "final", count: 7 });
  });

  test("are none an hour after the month ended, and not a moment before", async () => {
    const world = await newWorld();
    await attestAt(world, JUNE, 1);
    await sealAt(world, JUNE + MINUTE);
    world.ledger.now = JULY + HOUR - 1;
    expect((await billOf(world.process, "2040-06")).status).toBe("open");
    world.ledger.now += 1;
    expect((await billOf(world.process, "2040-06")).status).toBe("final");
  });
});

describe("a bill that can't be made", () => {
  test.each([
    ["2040-04", "the tenant was created on 2040-05-01T12:00:00.000Z"],
    ["2040-08", "2040-08 has not begun yet"],
  ])("of %s is refused, with the reason", async (month, reason) => {
    const { process } = await newWorld();
    const refusal = { code: "invalid_request", message: expect.stringContaining(reason) };
    await expect(billOf(process, month)).rejects.toMatchObject(refusal);
  });

  test("over a leaf that is lost is refused, for nobody knows what it was", async () => {
    const world = await newWorld();
    await attestAt(world, JUNE, 5);
    await sealAt(world, JUNE + MINUTE);
    const { sk } = leafKey(world.caller.chainIds[0] ?? "", 2);
    await deleteItem(world.ledger, [logPartition(world.caller.chainIds[0] ?? ""), sk.S]);
    await expect(billOf(world.process, "2040-06")).rejects.toMatchObject({ code: "ledger_corrupt" });
  });
});

test("a page has the lines from a shard on, and the count of all of them", async () => {
  const world = await newWorld(4);
  await attestAt(world, JUNE, 30);
  await sealAt(world, JUNE + MINUTE);
  const services = { table: world.process.table, plans: PLANS };
  const month = monthNamed("2040-06");
  const page = await buildBillPage(services, "tenant", month, 2);
  expect(page.lines.map(({ shard }) => shard)).toEqual([2, 3]);
  expect(page).toMatchObject({ count: 30, next_shard: null });
  const { lines: _lines, next_shard: _next, ...totals } = page;
  expect(await readTotals(services, "tenant", month)).toEqual(totals);
});
