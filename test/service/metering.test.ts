// What the ledger counts for alarms and bills: a receipt once, a lost race as one.
import { afterAll, expect, test } from "vitest";
import { conflict, type Interceptor, throttling } from "../support/faults.ts";
import { startLedgerStack } from "../support/ledger-stack.ts";
import { requestOf } from "../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

/** The first transactions of a process fail, one for each error, as the table makes them fail. */
const failing =
  (errors: readonly Parameters<typeof errorOf>[0][]): Interceptor =>
  async (call, send) => {
    const kind = call.name === "TransactWriteItems" ? errors[call.nth - 1] : undefined;
    if (kind === undefined) return send();
    throw errorOf(kind, call);
  };

const errorOf = (kind: "conflict" | "throttle", call: Parameters<typeof conflict>[0]): Error =>
  kind === "conflict" ? conflict(call) : throttling();

test("each receipt is counted once, and a replay of its Idempotency-Key not at all", async () => {
  const ledger = await stack.newLedger();
  const caller = await ledger.newTenant("tenant");
  const [first, other] = [ledger.newProcess(), ledger.newProcess()];
  await first.attest(caller, requestOf("call"), "key");
  await first.attest(caller, requestOf("call"), "another key");
  await first.attest(caller, requestOf("call"), "key");
  await other.attest(caller, requestOf("call"), "key");
  expect([first.counted, other.counted]).toEqual([{ attestations: 2, lostRaces: 0 }, {}]);
});

test("a transaction that another process was faster than is a lost race, and one that is throttled is none", async () => {
  const ledger = await stack.newLedger();
  const caller = await ledger.newTenant("tenant");
  const process = ledger.newProcess(failing(["conflict", "throttle", "conflict"]));
  await process.attest(caller, requestOf("call"));
  expect(process.counted).toEqual({ attestations: 1, lostRaces: 2 });
});

test("an attestation that fails is not counted", async () => {
  const ledger = await stack.newLedger();
  const caller = await ledger.newTenant("tenant");
  const process = ledger.newProcess();
  await expect(process.attest(caller, requestOf("call", { jurisdiction: "NL" }))).rejects.toThrow();
  expect(process.counted).toEqual({});
});
