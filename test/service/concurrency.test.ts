// Many callers at once, in one process and in several that share nothing but the table.
import { afterAll, expect, test } from "vitest";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import { MANY_CALLS, ONE_CALL_AT_A_TIME } from "../../service/ledger/process-kind.ts";
import { MINUTE, startLedgerStack } from "../support/ledger-stack.ts";
import { attestPatiently } from "../support/patient-caller.ts";
import { requestOf } from "../support/test-process.ts";
import { ascending } from "../support/trees.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const placesOf = (answers: readonly ComplianceReceipt[]): number[] =>
  answers.flatMap(({ receipts }) => receipts.map(({ sequence }) => sequence)).sort((a, b) => a - b);

test("64 callers of one process share few transactions and get 64 places", async () => {
  const ledger = await stack.newLedger();
  const caller = await ledger.newTenant("a");
  const process = ledger.newProcess();
  const answers = await Promise.all(
    ascending(64, (i) => process.attest(caller, requestOf(`call-${i}`), `key-${i}`)),
  );
  expect(placesOf(answers)).toEqual(ascending(64, (i) => i));
  // One goes alone; 33 of three items each fill a transaction of 100 together with the marker.
  const transactions = process.calls.steps.filter(({ name }) => name === "TransactWriteItems");
  expect(transactions).toHaveLength(3);
  expect((await ledger.check()).receipts).toBe(64);
});

test("a full transaction has room for the marker of a minute that begins while its members wait", async () => {
  const ledger = await stack.newLedger();
  const caller = await ledger.newTenant("a");
  const sizes: (number | undefined)[] = [];
  const process = ledger.newProcess(async (call, send) => {
    if (call.name !== "TransactWriteItems") return send();
    sizes.push(call.input.TransactItems?.length);
    if (call.nth === 1) ledger.now += MINUTE;
    return send();
  });
  await Promise.all(ascending(60, (i) => process.attest(caller, requestOf(`call-${i}`))));
  // A leaf and a turn each: the first with its marker, 49 with the new minute's, and the rest.
  expect(sizes).toEqual([3, 99, 20]);
  expect((await ledger.check()).receipts).toBe(60);
});

test("320 turns of one conversation at once are turns 1 to 320", async () => {
  const ledger = await stack.newLedger();
  const caller = await ledger.newTenant("a");
  const process = ledger.newProcess();
  const answers = await Promise.all(ascending(320, () => process.attest(caller, requestOf("call"))));
  const turns = answers.flatMap(({ receipts }) => receipts.map(({ turn }) => turn)).sort((a, b) => a - b);
  expect(turns).toEqual(ascending(320, (i) => i + 1));
  const log = await ledger.check();
  expect([...log.conversations.values()].map((items) => items.length)).toEqual([320]);
});

test.each([
  ["with many calls", MANY_CALLS],
  ["with one call at a time", ONE_CALL_AT_A_TIME],
])(
  "four processes %s of the same conversations and keys write one receipt for each",
  async (_, processKind) => {
    const ledger = await stack.newLedger();
    const caller = await ledger.newTenant("a");
    const processes = ascending(4, () => ledger.newProcess(undefined, { processKind }));
    // Every key is used in two processes, as by a client that did not wait for the first answer.
    const uses = ascending(96, (i) => {
      const n = i % 48;
      return { body: requestOf(`call-${n % 7}`, { agent_identity: `agent/${n}` }), key: `key-${n}` };
    });
    const answers = await Promise.all(
      uses.map(({ body, key }, i) =>
        attestPatiently(processes[(i + Math.floor(i / 48)) % 4], caller, body, key),
      ),
    );
    for (const [i, answer] of answers.slice(0, 48).entries()) {
      expect(answers[i + 48]?.receipts).toEqual(answer?.receipts);
    }
    const log = await ledger.check();
    expect(log.receipts).toBe(48);
    expect(log.idempotencyRecords).toHaveLength(48);
  },
);

test("six processes that plan the very same receipt in one millisecond write six", async () => {
  const ledger = await stack.newLedger();
  const caller = await ledger.newTenant("a");
  const answers = await Promise.all(
    ascending(6, () => attestPatiently(ledger.newProcess(), caller, requestOf("call"))),
  );
  expect(placesOf(answers)).toEqual([0, 1, 2, 3, 4, 5]);
  expect((await ledger.check()).receipts).toBe(6);
});

test("a batch that begins with another process's very receipt is not taken for written", async () => {
  const ledger = await stack.newLedger();
  const caller = await ledger.newTenant("a");
  const [first, second] = [ledger.newProcess(), ledger.newProcess()];
  const twice = (process: typeof first, key: string) =>
    [requestOf("call"), requestOf("call"), requestOf(`call-${key}`)].map((body) =>
      attestPatiently(process, caller, body),
    );
  const answers = await Promise.all([...twice(first, "a"), ...twice(second, "b")]);
  expect(placesOf(answers)).toEqual([0, 1, 2, 3, 4, 5]);
  await ledger.check();
});

test("a tenant's conversations spread over its chains, and each stays on one", async () => {
  const ledger = await stack.newLedger();
  const [caller, other] = [await ledger.newTenant("a", 3), await ledger.newTenant("b", 1)];
  const processes = ascending(2, () => ledger.newProcess());
  await Promise.all(
    ascending(60, (i) =>
      attestPatiently(processes[i % 2], i % 5 === 0 ? other : caller, requestOf(`call-${i % 12}`)),
    ),
  );
  const { chains } = await ledger.check();
  expect([...chains.keys()].sort()).toEqual([...caller.chainIds, ...other.chainIds].sort());
});

test("overlapping sealer runs seal every receipt once, while receipts come in", async () => {
  const ledger = await stack.newLedger();
  const callers = [await ledger.newTenant("a", 2), await ledger.newTenant("b")];
  const attester = ledger.newProcess();
  const attestAll = (round: number) =>
    callers.flatMap((caller) =>
      ascending(4, (i) => attester.attest(caller, requestOf(`call-${round}-${i}`))),
    );
  for (let round = 0; round < 5; round++) {
    const runs = ascending(2 + (round % 3), () => ledger.newProcess().seal());
    await Promise.all([...attestAll(round), ...runs]);
    ledger.now += MINUTE / 2;
  }
  await ledger.newProcess().seal();
  const log = await ledger.check();
  expect(log.receipts).toBe(5 * 8);
  expect(log.publishedReceipts).toBe(log.receipts);
});
