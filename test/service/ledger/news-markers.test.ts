// The markers by which the sealer finds receipts: one for each chain and minute, from any number of processes, and
// whatever their clocks say, no receipt without one.
import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { afterAll, expect, test } from "vitest";
import { NEWS_PARTITION } from "../../../service/table/keys.ts";
import { beginLateWrite } from "../../support/late-write.ts";
import { type Ledger, MINUTE, SECOND, startLedgerStack } from "../../support/ledger-stack.ts";
import { attestPatiently } from "../../support/patient-caller.ts";
import { deleteItem, keysUnder } from "../../support/tamper.ts";
import { requestOf, type TestProcess } from "../../support/test-process.ts";
import { ascending } from "../../support/trees.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

interface World {
  readonly ledger: Ledger;
  /** A process whose clock is so far from the ledger's, in milliseconds. */
  readonly processAt: (offset: number) => TestProcess;
  /** The sort keys of all markers that were written, again and again where one was. */
  readonly written: string[];
}

async function newWorld(): Promise<World> {
  const ledger = await stack.newLedger({ isSigned: false });
  const written: string[] = [];
  const processAt = (offset: number) =>
    ledger.newProcess(
      async (call, send) => {
        const answer = await send();
        const items = (call.input.TransactItems ?? []) as readonly TransactWriteItem[];
        for (const { Put } of items)
          if (Put?.Item?.pk?.S === NEWS_PARTITION) written.push(Put.Item.sk?.S ?? "");
        return answer;
      },
      { clock: () => new Date(ledger.now + offset) },
    );
  return { ledger, processAt, written };
}

/** Runs the sealer now and in the next minutes. Returns how many receipts are published then. */
async function sealFor(ledger: Ledger, minutes: number): Promise<number> {
  for (let minute = 0; minute < minutes; minute++) {
    await ledger.newProcess().seal();
    ledger.now += MINUTE;
  }
  return (await ledger.check()).publishedReceipts;
}

test("six processes with clocks up to a minute apart write one marker for each chain and minute", async () => {
  const { ledger, processAt, written } = await newWorld();
  const callers = [await ledger.newTenant("a", 2), await ledger.newTenant("b")];
  const processes = [-30, -7, 0, 0, 11, 30].map((seconds) => processAt(seconds * SECOND));
  for (let round = 0; round < 5; round++) {
    const calls = processes.flatMap((process, i) =>
      callers.map((caller) => attestPatiently(process, caller, requestOf(`call-${round}-${i % 4}`))),
    );
    await Promise.all(calls);
    ledger.now += 25 * SECOND;
  }
  expect(written.length).toBeGreaterThan(6);
  expect(new Set(written).size).toBe(written.length);
  expect(await sealFor(ledger, 2)).toBe(5 * 6 * 2);
});

test("a warm process leaves the marker to the one that has begun the minute", async () => {
  const { ledger, processAt, written } = await newWorld();
  const caller = await ledger.newTenant("a");
  const processes = ascending(5, () => processAt(0));
  for (let second = 0; second < 5; second++) {
    for (const process of processes) await process.attest(caller, requestOf("call"));
    ledger.now += SECOND;
  }
  expect(written).toHaveLength(1);
});

test.each([30, 61, 299])(
  "receipts of a process %i s behind the chain's head are sealed by the next run",
  async (seconds) => {
    const { ledger, processAt, written } = await newWorld();
    const caller = await ledger.newTenant("a");
    await processAt(seconds * SECOND).attest(caller, requestOf("call"));
    expect(await sealFor(ledger, 1)).toBe(1);
    ledger.now -= MINUTE;
    const behind = processAt(0);
    for (let i = 0; i < 3; i++) await behind.attest(caller, requestOf("call"));
    expect(written).toHaveLength(1);
    expect(await sealFor(ledger, 1)).toBe(4);
  },
);

test("a clock that steps back within a minute and over its beginning leaves no receipt unsealed", async () => {
  const { ledger, processAt, written } = await newWorld();
  const caller = await ledger.newTenant("a");
  const process = processAt(0);
  for (const step of [40, -20, 30, 20, -25, 60, -4 * 60, 5 * 60, 1]) {
    ledger.now += step * SECOND;
    await process.attest(caller, requestOf("call"));
    const { published } = await ledger.newProcess().seal();
    expect(published).toMatchObject([{ receipt_count: 1 }]);
  }
  await ledger.check();
  expect(new Set(written).size).toBe(written.length);
});

test.each([3, 19])(
  "a late write that relied on another process's marker, and comes %i minutes after it, is sealed",
  async (minutes) => {
    const { ledger, processAt, written } = await newWorld();
    const caller = await ledger.newTenant("a");
    await processAt(0).attest(caller, requestOf("call"));
    const { arrive } = await beginLateWrite(ledger, caller);
    expect(await sealFor(ledger, minutes)).toBe(1);
    await arrive();
    expect(await sealFor(ledger, 22 - minutes)).toBe(2);
    expect(written).toHaveLength(1);
  },
);

test("where the markers of a chain have expired, its next receipt brings a new one", async () => {
  const { ledger, processAt } = await newWorld();
  const caller = await ledger.newTenant("a");
  await processAt(0).attest(caller, requestOf("call"));
  await ledger.newProcess().seal();
  for (const key of await keysUnder(ledger, NEWS_PARTITION)) await deleteItem(ledger, key);
  ledger.now += 91 * 24 * 60 * MINUTE;
  await processAt(0).attest(caller, requestOf("call"));
  expect((await ledger.newProcess().seal()).published).toMatchObject([{ receipt_count: 1 }]);
});

test("the process that lost the race for a minute's first receipt relies on the winner's marker", async () => {
  const { ledger, processAt, written } = await newWorld();
  const caller = await ledger.newTenant("a");
  const processes = ascending(4, () => processAt(0));
  for (let minute = 0; minute < 3; minute++) {
    await Promise.all(processes.map((process) => attestPatiently(process, caller, requestOf("call"))));
    ledger.now += MINUTE;
  }
  expect(written).toHaveLength(3);
  expect(await sealFor(ledger, 1)).toBe(12);
});
