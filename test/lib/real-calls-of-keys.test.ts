// The calls of the list of receipts and of the note of a key's use, each asked of its function's policy: as
// real-calls.test.ts does it for the calls of the ledger.
import { afterAll, expect, test } from "vitest";
import { listReceipts } from "../../service/reports/receipt-list.ts";
import { KeyUses } from "../../service/tenants/key-uses.ts";
import { type Ledger, MINUTE, startLedgerStack } from "../support/ledger-stack.ts";
import { requestOf } from "../support/test-process.ts";
import { Policies, type Request } from "./iam.ts";
import { Synthesized, VARIANTS } from "./synthesis.ts";

const policies = new Policies(new Synthesized(VARIANTS.production));
const stack = await startLedgerStack();
afterAll(stack.close);

interface Input {
  readonly Key?: { readonly pk: { readonly S: string } };
  readonly ExpressionAttributeValues?: Record<string, { readonly S: string }>;
  readonly ExpressionAttributeNames?: Record<string, string>;
}

/** A process whose calls to the table are recorded as what IAM is asked. */
function recordedProcess(ledger: Ledger) {
  const requests: Request[] = [];
  const process = ledger.newProcess((call, send) => {
    const { Key, ExpressionAttributeValues: values, ExpressionAttributeNames: names } = call.input as Input;
    const context = {
      "dynamodb:LeadingKeys": [Key?.pk.S ?? values?.[":pk"]?.S ?? "no key"],
      ...(names !== undefined && { "dynamodb:Attributes": ["pk", "sk", ...Object.values(names)] }),
    };
    requests.push({ action: `dynamodb:${call.name}`, context });
    return send();
  });
  const refusedTo = (handler: string) => requests.filter((request) => !policies.allows(handler, request));
  return { ...process, table: process.table, requests, refusedTo };
}

test("receipts may make every call that it makes, and writes nothing", async () => {
  const ledger = await stack.newLedger({ isSigned: false });
  const caller = await ledger.newTenant("tenant");
  for (const id of ["call-1", "call-2"]) await ledger.newProcess().attest(caller, requestOf(id));
  const { table, requests, refusedTo } = recordedProcess(ledger);
  const query = { from: new Date(ledger.now - MINUTE).toISOString(), to: null, verdict: null, wording: null };
  const { receipts } = await listReceipts(table, caller, query, { shard: 0, sequence: 0 });
  expect(receipts).toHaveLength(2);
  expect(new Set(requests.map(({ action }) => action))).toEqual(
    new Set(["dynamodb:Query", "dynamodb:GetItem"]),
  );
  expect(refusedTo("receipts")).toEqual([]);
});

test("the authorizer may note the day of a key's use, and those who only read may not", async () => {
  const ledger = await stack.newLedger({ isSigned: false });
  const { table, requests, refusedTo } = recordedProcess(ledger);
  const { promise, reject, resolve } = Promise.withResolvers<void>();
  const update = (...args: Parameters<typeof table.update>) => table.update(...args).finally(resolve);
  new KeyUses({ table: { update }, clock: ledger.clock, onFault: reject }).note("0".repeat(20));
  await promise;
  expect(requests).toMatchObject([
    { action: "dynamodb:UpdateItem", context: { "dynamodb:Attributes": ["pk", "sk", "day"] } },
  ]);
  expect(refusedTo("authorize")).toEqual([]);
  expect(refusedTo("receipts")).toHaveLength(1);
});
