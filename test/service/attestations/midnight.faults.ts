// Midnight, when the key of the codes changes: between a receipt and its answer, and in the middle of many calls.
import { afterAll, describe, expect, test } from "vitest";
import type { Receipt } from "../../../evidence/core/formats/receipt.ts";
import { outcomeOf } from "../../support/deaths.ts";
import { type FaultMode, faultAt, type Interceptor, undisturbed } from "../../support/faults.ts";
import { SECOND, startLedgerStack } from "../../support/ledger-stack.ts";
import { requestOf } from "../../support/test-process.ts";
import { ascending } from "../../support/trees.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const LAST_SECOND = Date.parse("2040-05-01T23:59:59.500Z");
const [OLD_DAY, NEW_DAY] = ["2040-05-01", "2040-05-02"];

async function newWorld() {
  const ledger = await stack.newLedger();
  const caller = await ledger.newTenant("tenant");
  ledger.now = LAST_SECOND;
  /** A process for which midnight falls when its first receipt is written. */
  const newProcess = (intercept: Interceptor) =>
    ledger.newProcess(async (call, send) => {
      const answer = await intercept(call, send);
      if (call.name === "TransactWriteItems" && call.nth === 1) ledger.now += SECOND;
      return answer;
    });
  return { ledger, caller, newProcess };
}

const daysOf = ({ key_id, receipts }: { key_id: string | null; receipts: readonly Receipt[] }) =>
  [receipts[0]?.key_id, key_id].map((keyId) => keyId?.slice(-OLD_DAY.length));

describe.concurrent("where midnight falls between a receipt and its answer", () => {
  test("each has the key of its own day", async () => {
    const { ledger, caller, newProcess } = await newWorld();
    const process = newProcess(undisturbed);
    expect(daysOf(await process.attest(caller, requestOf("call")))).toEqual([OLD_DAY, NEW_DAY]);
    expect(daysOf(await process.attest(caller, requestOf("call")))).toEqual([NEW_DAY, NEW_DAY]);
    await ledger.check();
  });

  test.each<FaultMode>([
    "fails",
    "fails after taking effect",
    "fails, and so do all that follow",
    "is never made, for the process dies",
    "is the last that the process makes",
  ])("and the derivation of the new day's key %s, a retry finds the receipt", async (mode) => {
    const { ledger, caller, newProcess } = await newWorld();
    const death = Promise.withResolvers<void>();
    const faults = { rival: async () => {}, died: death.resolve };
    const process = newProcess(faultAt({ name: "GenerateMac", nth: 2 }, mode, faults));
    const died = death.promise.then(() => ({ kind: "died" }) as const);
    const outcome = await Promise.race([outcomeOf(process.attest(caller, requestOf("call"), "key")), died]);
    if (outcome.kind === "refused") expect(outcome.error.code).toBe("mac_unavailable");
    expect(outcome.kind).not.toBe("answered");

    const answer = await ledger.newProcess().attest(caller, requestOf("call"), "key");
    expect(daysOf(answer)).toEqual([OLD_DAY, NEW_DAY]);
    expect((await ledger.check()).receipts).toBe(1);
  });
});

test("calls of both days that are under way at once each have their day's key, and ask for two", async () => {
  const { ledger, caller, newProcess } = await newWorld();
  const process = newProcess(undisturbed);
  const answers = await Promise.all(ascending(90, (i) => process.attest(caller, requestOf(`call-${i}`))));
  const days = answers.map((answer) => daysOf(answer)[0]);
  expect(new Set(days)).toEqual(new Set([OLD_DAY, NEW_DAY]));
  for (const {
    receipts: [receipt],
    key_id,
  } of answers) {
    expect(receipt?.key_id).toBe(`${ledger.key.id}/${receipt?.issued_at.slice(0, 10)}`);
    expect(key_id).toBe(`${ledger.key.id}/${NEW_DAY}`);
  }
  expect(process.calls.steps.filter(({ name }) => name === "GenerateMac")).toHaveLength(2);
  await ledger.check();
});
