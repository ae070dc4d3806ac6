// Tokens in answers: a token that a reader would refuse is not given out.
import { afterAll, expect, test } from "vitest";
import { verifyReceipt } from "../../../evidence/core/verify/verify-receipt.ts";
import { MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { REAL_START, realTokens } from "../../support/real-tokens.ts";
import { requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

test.each([
  ["two minutes ahead", 2, "included", true],
  ["four minutes ahead, and the authority two behind", 4, "pending", null],
] as const)("after a receipt by a clock %s", async (_, ahead, status, ok) => {
  const ledger = await stack.newLedger();
  ledger.now = REAL_START;
  const caller = await ledger.newTenant("tenant");
  const isBehind = status === "pending";
  const time = () => new Date(ledger.now - (isBehind ? 2 * MINUTE : 0));
  const { optionsBy, trustAnchors } = realTokens(time);
  const fast = ledger.newProcess(
    undefined,
    optionsBy(() => new Date(ledger.now + ahead * MINUTE)),
  );
  await fast.attest(caller, requestOf("call"));
  // The process with the right clock can't date its receipt before the one that is there.
  const right = ledger.newProcess(undefined, optionsBy(ledger.clock));
  const answer = await right.attest(caller, requestOf("call"));
  expect(answer.tsa_timestamp.status).toBe(status);
  const { checks } = await verifyReceipt(answer, { trustAnchors });
  expect(checks.find(({ name }) => name === "timestamp")?.ok).toBe(ok);
});
