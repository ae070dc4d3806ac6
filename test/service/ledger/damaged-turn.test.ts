// A conversation whose newest turn is damaged is refused, and the calls of others that come together with it are not.
import { afterAll, expect, test } from "vitest";
import { conversationPartition } from "../../../service/table/keys.ts";
import { startLedgerStack } from "../../support/ledger-stack.ts";
import { writeItem } from "../../support/tamper.ts";
import { requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

test.each([
  ["has the number of another", { turn: { N: "7" } }],
  ["names no chain", { chain_id: { N: "1" } }],
])("a newest turn that %s holds up its own conversation alone", async (_, damage) => {
  const ledger = await stack.newLedger();
  const caller = await ledger.newTenant("tenant");
  const before = ledger.newProcess();
  await before.attest(caller, requestOf("damaged"));
  const [turn] = await before.table.query({ partition: conversationPartition(caller.tenantId, "damaged") });
  await writeItem(ledger, { ...turn, ...damage });
  const process = ledger.newProcess();
  // The first call is written alone, and the others wait for it: they go together.
  const calls = ["first", "damaged", "other"].map((id) => process.attest(caller, requestOf(id)));
  const [first, damaged, other] = await Promise.allSettled(calls);
  expect([first?.status, other?.status]).toEqual(["fulfilled", "fulfilled"]);
  expect(damaged).toMatchObject({ status: "rejected", reason: { code: "ledger_corrupt" } });
});
