import { afterAll, expect, test } from "vitest";
import { startLedgerStack } from "../support/ledger-stack.ts";
import { requestOf } from "../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

test("smoke", async () => {
  const t0 = performance.now();
  const ledger = await stack.newLedger();
  console.log("ledger", performance.now() - t0);
  const caller = await ledger.newTenant("a", 2);
  const p = ledger.newProcess();
  for (let i = 0; i < 5; i++) await p.attest(caller, requestOf(`c${i % 3}`), `k${i}`);
  console.log(p.calls.names.join(" "));
  const s = ledger.newProcess();
  console.log(await s.seal());
  console.log(s.calls.names.join(" "));
  const log = await ledger.check();
  console.log(log.receipts, log.publishedReceipts, performance.now() - t0);
  await p.attest(caller, requestOf("c1"), null);
  const s2 = ledger.newProcess();
  await s2.seal();
  console.log(s2.calls.names.join(" "));
  await ledger.check();
  const again = await p.attest(caller, requestOf("c1"), "k1");
  expect(again.receipts[0]?.sequence).toBeGreaterThanOrEqual(0);
});
