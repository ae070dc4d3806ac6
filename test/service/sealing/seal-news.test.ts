// How the sealer learns of receipts, whenever they were planned, written and looked for.
import { createHash } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { NEWS_PARTITION } from "../../../service/table/keys.ts";
import { beginLateWrite } from "../../support/late-write.ts";
import { HOUR, type Ledger, MINUTE, SECOND, startLedgerStack } from "../../support/ledger-stack.ts";
import { jcs } from "../../support/plain-json.ts";
import { requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

async function newWorld() {
  const ledger = await stack.newLedger({ isSigned: false });
  return { ledger, caller: await ledger.newTenant("tenant"), process: ledger.newProcess() };
}

const seal = async (ledger: Ledger) => {
  const { published } = await ledger.newProcess().seal();
  return published[0]?.receipt_count ?? 0;
};

/** Runs the sealer once a minute. Returns how many receipts it sealed. */
async function sealEachMinute(ledger: Ledger, minutes: number): Promise<number> {
  let count = 0;
  for (let minute = 0; minute < minutes; minute++) {
    ledger.now += MINUTE;
    count += await seal(ledger);
  }
  return count;
}

test("a receipt that follows the sealer's visit in the same minute is sealed by the next run", async () => {
  const { ledger, caller, process } = await newWorld();
  await process.attest(caller, requestOf("call"));
  ledger.now += 10 * SECOND;
  expect(await seal(ledger)).toBe(1);
  ledger.now += 49 * SECOND;
  await process.attest(caller, requestOf("call"));
  const transactions = process.calls.steps.filter(({ name }) => name === "TransactWriteItems");
  expect(transactions).toHaveLength(2);
  ledger.now += 11 * SECOND;
  expect(await seal(ledger)).toBe(1);
});

test("receipts around the boundary of a minute are all sealed", async () => {
  const { ledger, caller, process } = await newWorld();
  let sealed = 0;
  for (const step of [MINUTE - 1, 1, MINUTE - 1, 1, 1, MINUTE - 2]) {
    ledger.now += step;
    await process.attest(caller, requestOf("call"));
    sealed += await seal(ledger);
    await process.attest(caller, requestOf("call"));
  }
  expect(sealed + (await sealEachMinute(ledger, 1))).toBe(12);
  await ledger.check();
});

test.each([1, 5, 19])(
  "a write that arrives %i minutes after it was signed is sealed, with no news after it",
  async (minutes) => {
    const { ledger, caller } = await newWorld();
    await seal(ledger);
    ledger.now += MINUTE - 1;
    const { arrive } = await beginLateWrite(ledger, caller);
    expect(await sealEachMinute(ledger, minutes)).toBe(0);
    await arrive();
    expect(await sealEachMinute(ledger, 25)).toBe(1);
    await ledger.check();
  },
);

test("a write that arrives two minutes after it was signed is sealed by the next run", async () => {
  const { ledger, caller } = await newWorld();
  await seal(ledger);
  const { arrive } = await beginLateWrite(ledger, caller);
  expect(await sealEachMinute(ledger, 2)).toBe(0);
  await arrive();
  expect(await sealEachMinute(ledger, 1)).toBe(1);
});

test("a receipt under a clock that is two minutes ahead is sealed by the next run", async () => {
  const { ledger, caller, process } = await newWorld();
  ledger.now += 2 * MINUTE;
  await process.attest(caller, requestOf("call"));
  ledger.now -= 2 * MINUTE;
  expect(await seal(ledger)).toBe(1);
});

test("a receipt that follows a late write in its process is sealed by the next run", async () => {
  const { ledger, caller } = await newWorld();
  await seal(ledger);
  const { process, arrive } = await beginLateWrite(ledger, caller);
  expect(await sealEachMinute(ledger, 5)).toBe(0);
  await arrive();
  await process.attest(caller, requestOf("call"));
  expect(await sealEachMinute(ledger, 1)).toBe(2);
});

test("a late write is sealed though the sealer was down in between", async () => {
  const { ledger, caller } = await newWorld();
  await seal(ledger);
  const { arrive } = await beginLateWrite(ledger, caller);
  expect(await sealEachMinute(ledger, 5)).toBe(0);
  await arrive();
  ledger.now += 7 * HOUR;
  expect(await seal(ledger)).toBe(1);
});

test("what came while the sealer was down for hours is sealed by its next run", async () => {
  const { ledger, caller, process } = await newWorld();
  const other = await ledger.newTenant("other");
  await seal(ledger);
  for (let hour = 0; hour < 5; hour++) {
    ledger.now += HOUR;
    await process.attest(hour === 2 ? other : caller, requestOf("call"));
  }
  ledger.now += 3 * HOUR;
  expect(await seal(ledger)).toBe(5);
  await ledger.check();
});

test("receipts under clocks that are minutes off are sealed", async () => {
  const { ledger, caller } = await newWorld();
  await seal(ledger);
  for (const skew of [-15 * MINUTE, -3 * MINUTE, 3 * MINUTE, 30 * MINUTE]) {
    ledger.now += skew;
    await ledger.newProcess().attest(await ledger.newTenant(`skew ${skew}`), requestOf("call"));
    ledger.now -= skew;
  }
  await ledger.newProcess().attest(caller, requestOf("call"));
  await sealEachMinute(ledger, 40);
  const { receipts, publishedReceipts } = await ledger.check();
  expect([receipts, publishedReceipts]).toEqual([5, 5]);
});

test("a receipt of a clock that is an hour ahead is sealed when its time has come, and none is dated after it", async () => {
  const { ledger, caller, process } = await newWorld();
  await seal(ledger);
  ledger.now += HOUR;
  await process.attest(caller, requestOf("call"));
  ledger.now -= HOUR;
  const next = process.attest(caller, requestOf("call"));
  await expect(next).rejects.toMatchObject({ code: "ledger_unavailable" });
  expect(await sealEachMinute(ledger, 1)).toBe(0);
  ledger.now += HOUR;
  await process.attest(caller, requestOf("call"));
  expect(await sealEachMinute(ledger, 1)).toBe(2);
});

test("a sealer whose clock is set back by ten minutes seals nothing before its time, and then goes on", async () => {
  const { ledger, caller, process } = await newWorld();
  await process.attest(caller, requestOf("call"));
  await seal(ledger);
  ledger.now -= 10 * MINUTE;
  await process.attest(await ledger.newTenant("other"), requestOf("call"));
  await expect(seal(ledger)).rejects.toMatchObject({ code: "ledger_unavailable" });
  ledger.now += 6 * MINUTE;
  expect(await sealEachMinute(ledger, 2)).toBe(1);
});

test("the news of a receipt outlives months in which no sealer runs", async () => {
  const { ledger, caller, process } = await newWorld();
  await process.attest(caller, requestOf("call"));
  const [marker] = await process.table.query({ partition: NEWS_PARTITION });
  const expiresAt = Number(marker?.expires_at?.N) * SECOND;
  expect(expiresAt - ledger.now).toBeGreaterThanOrEqual(60 * 24 * HOUR);
});

test("a run reads the chains that have news, not all chains", async () => {
  const { ledger, caller, process } = await newWorld();
  for (let i = 0; i < 5; i++) await process.attest(await ledger.newTenant(`idle-${i}`), requestOf("call"));
  await seal(ledger);
  await sealEachMinute(ledger, 30);
  await process.attest(caller, requestOf("call"));
  const { chains } = await ledger.newProcess().seal();
  expect(chains).toBe(1);
});

test("heads stand in the log in another order each time, which who does not know the chains can't compute", async () => {
  const { ledger, process } = await newWorld();
  const callers = await Promise.all([...Array(8).keys()].map((i) => ledger.newTenant(`tenant-${i}`)));
  const orders: (readonly string[])[] = [];
  for (const pass of [0, 8]) {
    for (const caller of callers) await process.attest(caller, requestOf("call"));
    expect(await sealEachMinute(ledger, 1)).toBe(8);
    const place = (chain_id = "") => createHash("sha256").update(jcs({ chain_id, pass })).digest("hex");
    orders.push(callers.flatMap(({ chainIds }) => chainIds).sort((a, b) => (place(a) < place(b) ? -1 : 1)));
  }
  const entries = await process.table.query({ partition: "chain#metachain" });
  expect(entries.map(({ chain_id }) => chain_id?.S)).toEqual(orders.flat());
});
