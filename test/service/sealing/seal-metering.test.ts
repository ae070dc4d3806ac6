// What a sealer run tells those who watch: how long the oldest thing has waited, and what was sealed.
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, expect, test } from "vitest";
import { rootPath } from "../../../contract/metachain-paths.ts";
import type { Interceptor } from "../../support/faults.ts";
import { CORE } from "../../support/leaf-items.ts";
import { MINUTE, SECOND, startLedgerStack } from "../../support/ledger-stack.ts";
import { keysUnder, readItem, without, writeItem } from "../../support/tamper.ts";
import { requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

/** What every run counts that comes to its end, with nothing to tell. */
const NONE = { damagedChains: 0, sealLag: 0, incompleteSeals: 0, checkpointAge: 0 };

const refusing =
  (name: string): Interceptor =>
  (call, send) =>
    call.name === name ? Promise.reject(new Error("no answer")) : send();

async function newWorld() {
  const ledger = await stack.newLedger();
  const callers = [await ledger.newTenant("tenant"), await ledger.newTenant("other")];
  const attest = (count = 1) => {
    const process = ledger.newProcess();
    return Promise.all(
      callers.flatMap((caller) =>
        Array.from({ length: count }, () => process.attest(caller, requestOf("call"))),
      ),
    );
  };
  /** What a run counts, whether it succeeds or fails. */
  const countsOf = async (intercept?: Interceptor) => {
    const process = ledger.newProcess(intercept);
    await process.seal().catch(() => undefined);
    return process.counted;
  };
  return { ledger, callers, attest, countsOf };
}

test("a run that publishes counts the chains and the receipts, and nothing waits after it", async () => {
  const { attest, countsOf } = await newWorld();
  await attest(3);
  expect(await countsOf()).toEqual({ ...NONE, chainsWithNews: 2, sealedReceipts: 6 });
  expect(await countsOf()).toEqual({ ...NONE, chainsWithNews: 2 });
});

test("a run that fails over one chain counts what it published of the others all the same", async () => {
  const { ledger, attest, countsOf, callers } = await newWorld();
  await attest();
  const [key = ["", ""]] = await keysUnder(ledger, `chain#${callers[0]?.chainIds[0]}`);
  await writeItem(ledger, without(await readItem(ledger, key), CORE));
  expect(await countsOf()).toEqual({ ...NONE, chainsWithNews: 2, sealedReceipts: 1, damagedChains: 1 });
});

test("a run that can't publish tells how long the seal has waited, and one that finishes it counts both seals", async () => {
  const { ledger, attest, countsOf } = await newWorld();
  await attest();
  expect(await countsOf(refusing("Stamp"))).toEqual({ ...NONE, chainsWithNews: 2 });
  ledger.now += MINUTE + SECOND;
  await attest();
  expect(await countsOf(refusing("Stamp"))).toMatchObject({ sealLag: 61 });
  expect(await countsOf(refusing("PutObject"))).toEqual({
    sealLag: 61,
    incompleteSeals: 0,
    checkpointAge: 0,
  });
  expect(await countsOf()).toMatchObject({ sealedReceipts: 4, sealLag: 0 });
});

test("a run that fails before it seals tells how long the oldest news has waited", async () => {
  const { ledger, attest, countsOf } = await newWorld();
  await countsOf();
  ledger.now += MINUTE;
  await attest();
  ledger.now += 5 * MINUTE;
  await attest();
  expect(await countsOf(refusing("TransactWriteItems"))).toEqual({
    sealLag: 5 * 60,
    incompleteSeals: 0,
    checkpointAge: 0,
  });
  expect(await countsOf()).toMatchObject({ sealedReceipts: 4, sealLag: 0 });
});

test("another root under the index of a seal is counted as a conflict each time that it is met", async () => {
  const { ledger, attest, countsOf } = await newWorld();
  await attest();
  const forged = new PutObjectCommand({ Bucket: ledger.name, Key: rootPath(0), Body: '{"index":0}' });
  await countsOf(refusing("PutObject"));
  await ledger.clients.s3.send(forged);
  expect(await countsOf()).toMatchObject({ publicationConflicts: 1, sealLag: 0 });
  ledger.now += MINUTE;
  expect(await countsOf()).toMatchObject({ publicationConflicts: 1, sealLag: 60 });
});

test("where the table can't be read no lag is told, which an alarm takes for the worst", async () => {
  const { countsOf } = await newWorld();
  expect(await countsOf(refusing("Query"))).toEqual({});
});

test("seals that lack tokens are counted until they have them", async () => {
  const { ledger, attest, countsOf } = await newWorld();
  await attest();
  for (let run = 0; run < 2; run++) {
    expect(await countsOf(refusing("Stamp"))).toMatchObject({ incompleteSeals: 0 });
    ledger.now += MINUTE;
  }
  expect(await countsOf(refusing("Stamp"))).toMatchObject({ sealedReceipts: 2, incompleteSeals: 1 });
  expect(await countsOf()).toMatchObject({ sealLag: 0, incompleteSeals: 0 });
});

test("what no seal covers counts as lag, though its entry is in the metachain", async () => {
  const { ledger, attest, countsOf } = await newWorld();
  await countsOf();
  ledger.now += MINUTE;
  await attest();
  let transactions = 0;
  const onlyEntries: Interceptor = (call, send) =>
    call.name === "TransactWriteItems" && ++transactions > 1 ? Promise.reject(new Error("no")) : send();
  for (let run = 0; run < 3; run++) {
    expect(await countsOf(onlyEntries)).toMatchObject({ sealLag: run * 600 });
    ledger.now += 10 * MINUTE;
  }
  expect(await countsOf()).toMatchObject({ sealedReceipts: 2, sealLag: 0 });
});

test("a receipt that earlier runs passed by counts as lag in the run that seals it", async () => {
  const { ledger, callers, countsOf } = await newWorld();
  await countsOf();
  const [signed, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const late = ledger.newProcess(async (call, send) => {
    if (call.name !== "TransactWriteItems") return send();
    signed.resolve();
    await written.promise;
    return send();
  });
  const [caller = await ledger.newTenant("late")] = callers;
  const attesting = late.attest(caller, requestOf("late"));
  await signed.promise;
  for (let minute = 0; minute < 12; minute++) {
    ledger.now += MINUTE;
    expect(await countsOf()).toMatchObject({ sealLag: 0 });
  }
  written.resolve();
  await attesting;
  const lags: number[] = [];
  for (let minute = 0; minute < 15; minute++) {
    ledger.now += MINUTE;
    lags.push((await countsOf()).sealLag ?? -1);
  }
  expect(Math.max(...lags)).toBeGreaterThanOrEqual(13 * 60);
  expect((await ledger.check()).publishedReceipts).toBe(1);
});
