// The day on which a key was used: noted once a key and day, never put back, and on no call's way.
import { afterAll, expect, test } from "vitest";
import type { Table } from "../../../service/table/table.ts";
import { ApiKeys } from "../../../service/tenants/api-keys.ts";
import { KeyUses } from "../../../service/tenants/key-uses.ts";
import { HOUR, type Ledger, startLedgerStack } from "../../support/ledger-stack.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const KEY = "0123456789abcdef0123";
const DAY = 24 * HOUR;

/** A process that notes uses, with the writes that it began. */
function processOf(ledger: Ledger, table: Pick<Table, "update"> = ledger.newProcess().table) {
  const [writes, faults]: [Promise<unknown>[], unknown[]] = [[], []];
  const update: Table["update"] = (change) => {
    const writing = table.update(change);
    writes.push(writing);
    return writing;
  };
  const onFault = (error: unknown) => faults.push(error);
  return { uses: new KeyUses({ table: { update }, clock: ledger.clock, onFault }), writes, faults };
}

const lastUse = async (ledger: Ledger) =>
  (await new ApiKeys(ledger.newProcess().table, ledger.clock).lastUses([KEY, "f".repeat(20)])).get(KEY);

test("a day is written once for a key and process, and anew on the next day", async () => {
  const ledger = await stack.newLedger({ isSigned: false });
  const { uses, writes, faults } = processOf(ledger);
  expect(await lastUse(ledger)).toBeUndefined();
  for (let call = 0; call < 50; call++) uses.note(KEY);
  await Promise.all(writes);
  expect([writes.length, await lastUse(ledger)]).toEqual([1, "2040-05-01"]);
  ledger.now += DAY;
  uses.note(KEY);
  uses.note("another-key");
  await Promise.all(writes);
  expect([writes.length, await lastUse(ledger), faults]).toEqual([3, "2040-05-02", []]);
});

test("a process that lags behind does not put the day back", async () => {
  const ledger = await stack.newLedger({ isSigned: false });
  const first = processOf(ledger);
  first.uses.note(KEY);
  await Promise.all(first.writes);
  ledger.now -= DAY;
  const late = processOf(ledger);
  late.uses.note(KEY);
  expect(await Promise.all(late.writes)).toEqual([false]);
  expect([await lastUse(ledger), late.faults]).toEqual(["2040-05-01", []]);
});

test("a write that hangs or fails holds up nobody, is told of, and is tried again with the next call", async () => {
  const ledger = await stack.newLedger({ isSigned: false });
  const { promise: hanging, reject } = Promise.withResolvers<boolean>();
  const { uses, writes, faults } = processOf(ledger, { update: () => hanging });
  uses.note(KEY);
  uses.note(KEY);
  expect(writes).toHaveLength(1);
  reject(new Error("no table"));
  await expect(hanging).rejects.toThrow();
  await Promise.resolve();
  expect(faults).toHaveLength(1);
  uses.note(KEY);
  expect(writes).toHaveLength(2);
  const broken = new KeyUses({
    table: { update: () => expect.unreachable() },
    clock: () => expect.unreachable("no clock"),
    onFault: () => {},
  });
  expect(() => broken.note(KEY)).not.toThrow();
});
