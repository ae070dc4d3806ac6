// Bills of months whose receipts retention removed: nobody is given a count that lacks them.
import { afterAll, describe, expect, test } from "vitest";
import { monthNamed } from "../../../evidence/core/formats/month.ts";
import { Bills } from "../../../service/bill/bills.ts";
import { StoredBills } from "../../../service/bill/stored-bills.ts";
import { TenantRegistry } from "../../../service/tenants/tenant-registry.ts";
import { checkBill } from "../../support/check-bill.ts";
import { HOUR, type Ledger, MINUTE, startLedgerStack, type TestCaller } from "../../support/ledger-stack.ts";
import { retain } from "../../support/retain.ts";
import { requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const RECEIPTS = 12;
const RETENTION = { mode: "COMPLIANCE", days: 1 } as const;
const JUNE = monthNamed("2040-06");
const SEPTEMBER = monthNamed("2040-09");
const IN_OCTOBER = Date.parse("2040-10-15T00:00:00.000Z");
const beginOf = ({ startsAt }: { readonly startsAt: string }): number => Date.parse(startsAt);

interface World {
  readonly ledger: Ledger;
  readonly caller: TestCaller;
}

/** So many receipts on two chains, each of a conversation of its own, under a published seal. */
async function attestAt({ ledger, caller }: World, at: number): Promise<void> {
  const process = ledger.newProcess();
  ledger.now = at;
  const calls = Array.from({ length: RECEIPTS }, (_, i) =>
    process.attest(caller, requestOf(`call-${at}-${i}`)),
  );
  await Promise.all(calls);
  ledger.now += MINUTE;
  await process.seal();
}

async function newWorld(): Promise<World> {
  const ledger = await stack.newLedger({ isSigned: false });
  const caller = await ledger.newTenant("tenant", 2);
  await new TenantRegistry(ledger.newProcess().table, ledger.clock).setRetention("tenant", 3);
  const world = { ledger, caller };
  await attestAt(world, beginOf(JUNE));
  return world;
}

/** Has receipts of September too, and removes those of June. */
async function removeJune(world: World): Promise<void> {
  await attestAt(world, beginOf(SEPTEMBER));
  world.ledger.now = IN_OCTOBER;
  expect(await retain(world.ledger)).toMatchObject({ receipts: RECEIPTS });
}

const storedOf = ({ ledger }: World): StoredBills =>
  new StoredBills(ledger.clients.s3, `${ledger.name}-bills`, RETENTION);

function billsOf(world: World): Bills {
  const { table } = world.ledger.newProcess();
  return new Bills({ table, plans: new Map(), stored: storedOf(world) });
}

describe("a month whose receipts were removed", () => {
  test("is counted nowhere: in no bill, no page, and no totals", async () => {
    const world = await newWorld();
    await removeJune(world);
    const bills = billsOf(world);
    const refusal = {
      code: "receipt_removed",
      message: expect.stringContaining("receipts of 2040-06 may have been removed"),
    };
    await expect(bills.whole("tenant", JUNE)).rejects.toMatchObject(refusal);
    await expect(bills.totals("tenant", JUNE)).rejects.toMatchObject(refusal);
    // A page is about the whole month, where it has no line at all too.
    for (const fromShard of [0, 1, 2])
      await expect(bills.page("tenant", JUNE, fromShard)).rejects.toMatchObject(refusal);
  });

  test("has the bill that was stored before", async () => {
    const world = await newWorld();
    world.ledger.now = Date.parse(JUNE.endsAt) + 2 * HOUR;
    const final = await billsOf(world).whole("tenant", JUNE);
    expect(final).toMatchObject({ status: "final", count: RECEIPTS });
    await storedOf(world).put(JUNE, final, world.ledger.clock());
    await removeJune(world);
    expect(await billsOf(world).whole("tenant", JUNE)).toEqual(final);
    expect(await billsOf(world).totals("tenant", JUNE)).toMatchObject({ count: RECEIPTS });
  });
});

test("a month after them counts all of its own, and shows no receipt before", async () => {
  const world = await newWorld();
  await removeJune(world);
  const bill = await billsOf(world).whole("tenant", SEPTEMBER);
  expect(bill).toMatchObject({ status: "final", count: RECEIPTS });
  expect(bill.lines).toHaveLength(2);
  for (const { from, to, before, first } of bill.lines) {
    expect(from).toBeGreaterThan(0);
    expect(to).toBeGreaterThan(from);
    expect([before, first?.receipt.sequence]).toEqual([null, from]);
  }
  await checkBill(world.ledger.newProcess(), bill);
});
