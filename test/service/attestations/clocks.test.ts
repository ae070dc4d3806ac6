// What is recorded under a clock that is not right: nothing that could never be proved.
import { afterAll, describe, expect, test } from "vitest";
import { DisclosureError } from "../../../evidence/core/errors.ts";
import { verifyReceipt } from "../../../evidence/core/verify/verify-receipt.ts";
import type { Interceptor } from "../../support/faults.ts";
import { HOUR, MINUTE, SECOND, startLedgerStack } from "../../support/ledger-stack.ts";
import { REAL_START, realTokens } from "../../support/real-tokens.ts";
import { requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

async function newWorld() {
  const ledger = await stack.newLedger();
  const caller = await ledger.newTenant("tenant");
  return { ledger, caller, attest: () => ledger.newProcess().attest(caller, requestOf("call")) };
}

const refused = { code: "ledger_unavailable", message: expect.stringMatching(/time still to come/) };

test("after a receipt that lies more than five minutes ahead, none is recorded and none is sealed", async () => {
  const { ledger, attest } = await newWorld();
  await attest();
  await ledger.newProcess().seal();
  ledger.now += HOUR;
  await attest();
  await ledger.newProcess().seal();
  ledger.now -= HOUR;
  await expect(attest()).rejects.toMatchObject(refused);
  // The receipt of the chain is sealed already; another chain's would be dated an hour ahead by the next seal.
  await ledger.newProcess().attest(await ledger.newTenant("other"), requestOf("call"));
  const process = ledger.newProcess();
  await expect(process.seal()).rejects.toMatchObject(refused);
  expect((await ledger.check()).seals).toHaveLength(2);
  ledger.now += HOUR - 4 * MINUTE;
  await attest();
  await ledger.newProcess().seal();
  const { receipts, publishedReceipts } = await ledger.check();
  expect([receipts, publishedReceipts]).toEqual([4, 4]);
});

test("a clock that steps back by seconds dates nothing before what is there", async () => {
  const { ledger, attest } = await newWorld();
  const first = await attest();
  ledger.now -= 30 * SECOND;
  const second = await attest();
  expect(second.receipts[0]?.issued_at).toBe(first.receipts[0]?.issued_at);
  await ledger.check();
});

test("a process whose clock AWS contradicts records nothing and seals nothing", async () => {
  const { ledger, caller, attest } = await newWorld();
  await attest();
  const clock = (): Date => {
    throw new DisclosureError("clock_off", "our clock is more than a minute from AWS's");
  };
  const off = ledger.newProcess(undefined, { clock });
  await expect(off.attest(caller, requestOf("call"))).rejects.toMatchObject({ code: "clock_off" });
  await expect(off.seal()).rejects.toMatchObject({ code: "clock_off" });
  // No lag is told either, which the alarm takes for the worst.
  expect(off.counted).toEqual({});
  expect(off.calls.steps.filter(({ name }) => name === "TransactWriteItems")).toEqual([]);
  const { receipts, seals } = await ledger.check();
  expect([receipts, seals.length]).toEqual([1, 0]);
});

test("a clock that jumped since the table's last answer is found off before a receipt is dated by it", async () => {
  const { ledger, caller, attest } = await newWorld();
  let [ahead, known] = [0, 0];
  // As the clock of a table learns: from each answer.
  const learning: Interceptor = async (_call, send) => {
    const answer = await send();
    known = ahead;
    return answer;
  };
  const clock = (): Date => {
    if (known > MINUTE) throw new DisclosureError("clock_off", "our clock is more than a minute from AWS's");
    return new Date(ledger.now + ahead);
  };
  const process = ledger.newProcess(learning, { clock });
  await process.attest(caller, requestOf("call"));
  // A process that remembers chain and conversation asks the table nothing before it writes.
  await process.attest(caller, requestOf("call"));
  ahead = 7 * MINUTE;
  await expect(process.attest(caller, requestOf("call"))).rejects.toMatchObject({ code: "clock_off" });
  await attest();
  expect((await ledger.check()).receipts).toBe(3);
});

describe("a process that meets a seal of a time still to come by its clock", () => {
  /** A receipt is sealed by a right clock, and tokens by an authority's; then a process tries whose clock is behind. */
  async function attestAfterSeal({ authorityAhead = 0, behind = 0 }) {
    const ledger = await stack.newLedger();
    ledger.now = REAL_START;
    const { optionsBy, trustAnchors } = realTokens(() => new Date(ledger.now + authorityAhead));
    const right = ledger.newProcess(undefined, optionsBy(ledger.clock));
    await right.attest(await ledger.newTenant("first"), requestOf("call"));
    await right.seal();
    const slow = ledger.newProcess(
      undefined,
      optionsBy(() => new Date(ledger.now - behind)),
    );
    const caller = await ledger.newTenant("second");
    const attest = () => slow.attest(caller, requestOf("call"));
    return { ledger, slow, attest, trustAnchors };
  }

  test("records nothing where the sealer and its authorities agree, and names the seal once its clock is right", async () => {
    const { ledger, slow, attest } = await attestAfterSeal({ behind: 2 * MINUTE });
    await expect(attest()).rejects.toMatchObject({ code: "clock_off" });
    expect(slow.calls.steps.filter(({ name }) => name === "TransactWriteItems")).toEqual([]);
    ledger.now += MINUTE;
    const { receipts } = await attest();
    expect(receipts[0]?.recorded_after).toMatchObject({ seal_index: 0 });
  });

  test("does not name it where an authority alone is ahead, and names it later", async () => {
    const { ledger, attest, trustAnchors } = await attestAfterSeal({ authorityAhead: 2 * MINUTE });
    expect((await attest()).receipts[0]?.recorded_after).toBeNull();
    ledger.now += MINUTE;
    const later = await attest();
    expect(later.receipts[0]?.recorded_after).toMatchObject({ seal_index: 0 });
    const sealBefore = await ledger.newProcess().roots.seal(0);
    const { checks } = await verifyReceipt(later, { trustAnchors, sealBefore });
    expect(checks.find(({ name }) => name === "recorded_after")?.ok).toBe(true);
  });
});
