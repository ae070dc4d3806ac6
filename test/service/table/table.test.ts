// What the one table promises over DynamoDB: reads to the end, writes once, and errors that say what happened.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { DescribeTableCommand, DescribeTimeToLiveCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { noItemExists } from "../../../service/table/condition.ts";
import { MAX_TRANSACTION_ITEMS, Table } from "../../../service/table/table.ts";
import { ensureTable, tableSchema } from "../../../service/table/table-schema.ts";
import { openEngine } from "../../support/engine.ts";
import { Calls, conflict, type Interceptor, outage, throttling, undisturbed } from "../../support/faults.ts";
import { startLedgerStack } from "../../support/ledger-stack.ts";
import { ascending } from "../../support/trees.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const itemOf = (sk: string, value = "") => ({ pk: { S: "p" }, sk: { S: sk }, value: { S: value } });
const keyOf = (sk: string) => ({ pk: { S: "p" }, sk: { S: sk } });

async function newWorld(intercept?: Interceptor) {
  const ledger = await stack.newLedger();
  const { calls, table } = ledger.newProcess(intercept);
  return { ledger, calls, table };
}

/** Lets the first `answers.length` transactions meet what is listed, after or instead of being carried out. */
const transactionsMeet =
  (...answers: ("takes effect, then an outage" | Error)[]): Interceptor =>
  async (call, send) => {
    const answer = call.name === "TransactWriteItems" ? answers[call.nth - 1] : undefined;
    if (answer === undefined) return send();
    if (answer instanceof Error) throw answer;
    await send();
    throw outage();
  };

test("a write of unknown outcome is sent again under its token until the outcome is known", async () => {
  const { table, calls } = await newWorld(
    transactionsMeet(outage(), "takes effect, then an outage", outage()),
  );
  const outcome = await table.transact([{ insert: itemOf("a") }], randomUUID());
  expect(outcome).toEqual({ kind: "committed" });
  expect(calls.steps).toHaveLength(4);
  expect(await table.get(keyOf("a"))).toEqual(itemOf("a"));
});

test("a refused write says which condition failed and what stood there", async () => {
  const { table } = await newWorld();
  await table.put(itemOf("a", "old"));
  const writes = [{ insert: itemOf("b") }, { insert: itemOf("a", "new") }];
  expect(await table.transact(writes, randomUUID())).toEqual({
    kind: "refused",
    refusals: [
      { code: "None", item: null },
      { code: "ConditionalCheckFailed", item: itemOf("a", "old") },
    ],
  });
  expect(await table.get(keyOf("b"))).toBeNull();
});

test("a throttled or conflicting first send has done nothing; a later one says nothing of the first", async () => {
  const write = (table: Table) => table.transact([{ insert: itemOf("a") }], randomUUID());
  const call = { name: "TransactWriteItems", nth: 1, input: { TransactItems: [1] } };
  const first = await newWorld(transactionsMeet(throttling()));
  expect(await write(first.table)).toEqual({ kind: "throttled" });
  const second = await newWorld(transactionsMeet(conflict(call)));
  expect(await write(second.table)).toMatchObject({
    kind: "refused",
    refusals: [{ code: "TransactionConflict" }],
  });
  // The first send did take effect here: to take the later answers for the outcome would write it twice.
  const later = await newWorld(
    transactionsMeet("takes effect, then an outage", throttling(), conflict(call)),
  );
  expect(await write(later.table)).toEqual({ kind: "committed" });
  expect(later.calls.steps).toHaveLength(4);
});

test("an outcome that stays unknown is an error, after a bounded number of sends", async () => {
  const { table, calls } = await newWorld(transactionsMeet(...ascending(20, outage)));
  const write = table.transact([{ insert: itemOf("a") }], randomUUID());
  await expect(write).rejects.toMatchObject({ code: "ledger_unavailable" });
  expect(calls.steps).toHaveLength(4);
});

test("a request that can't be right is not sent again", async () => {
  const { table, calls } = await newWorld();
  const write = table.transact([{ insert: { ...itemOf("a"), pk: { N: "1" } } }], randomUUID());
  await expect(write).rejects.toMatchObject({
    code: "ledger_unavailable",
  });
  expect(calls.steps).toHaveLength(1);
});

test("a write that is late before its first send is not sent", async () => {
  const { table, calls } = await newWorld();
  const outcome = await table.transact([{ insert: itemOf("a") }], randomUUID(), () => true);
  expect(outcome).toEqual({ kind: "late" });
  expect(calls.steps).toEqual([]);
});

test("a write that grows late in the moment of its first send is sent", async () => {
  const { table, calls } = await newWorld();
  const asked = [false, true].values();
  const isLate = () => asked.next().value ?? true;
  const outcome = await table.transact([{ insert: itemOf("a") }], randomUUID(), isLate);
  expect(outcome).toEqual({ kind: "committed" });
  expect(calls.steps).toHaveLength(1);
});

test("an update says whether its condition held, and anything else that stops it is an error", async () => {
  const { ledger, table } = await newWorld();
  const once = { key: keyOf("a"), set: { n: { N: "1" } }, when: noItemExists };
  expect([await table.update(once), await table.update(once)]).toEqual([true, false]);
  for (const error of [outage(), throttling()]) {
    const failing = ledger.newProcess(() => Promise.reject(error)).table;
    await expect(failing.update(once)).rejects.toMatchObject({ code: "ledger_unavailable" });
  }
});

test("transactions go through the client that does not send again by itself, and nothing else does", async () => {
  const ledger = await stack.newLedger();
  const [reads, writes] = [new Calls(undisturbed), new Calls(undisturbed)];
  const clients = {
    reader: reads.through(ledger.clients.dynamoDb),
    writer: writes.through(ledger.clients.writer),
  };
  const table = new Table(clients, ledger.name);
  await table.transact([{ put: itemOf("a") }], randomUUID());
  await table.get(keyOf("a"));
  expect(writes.steps).toEqual([{ name: "TransactWriteItems", nth: 1 }]);
  expect(reads.steps).toEqual([{ name: "GetItem", nth: 1 }]);
});

test("a transaction holds as many items as DynamoDB allows", async () => {
  const { table } = await newWorld();
  const writes = ascending(MAX_TRANSACTION_ITEMS, (i) => ({ insert: itemOf(`${i}`) }));
  expect(await table.transact(writes, randomUUID())).toEqual({ kind: "committed" });
});

test("every read is strongly consistent", async () => {
  const inputs: unknown[] = [];
  const { ledger, table } = await newWorld((call, send) => {
    inputs.push(call.input);
    return send();
  });
  await table.get(keyOf("a"));
  await table.query({ partition: "p" });
  await table.batchGet([keyOf("a")]);
  const ConsistentRead = true;
  const batch = { RequestItems: { [ledger.name]: { ConsistentRead } } };
  expect(inputs).toMatchObject([{ ConsistentRead }, { ConsistentRead }, batch]);
});

test("a query reads page after page, in order, within its bounds and up to its limit", async () => {
  const { table } = await newWorld();
  const long = "x".repeat(300_000);
  const names = ascending(9, (i) => `item-${i}`);
  for (const name of names) await table.put(itemOf(name, long));
  const read = async (query: object) =>
    (await table.query({ partition: "p", ...query })).map(({ sk }) => sk?.S);
  expect(await read({})).toEqual(names);
  expect(await read({ descending: true })).toEqual([...names].reverse());
  expect(await read({ from: "item-2", upTo: "item-4" })).toEqual(["item-2", "item-3", "item-4"]);
  expect(await read({ limit: 5 })).toEqual(names.slice(0, 5));
  expect((await table.newest("p", "item-3~"))?.sk).toEqual({ S: "item-3" });
  expect(await table.newest("q")).toBeNull();
});

test("a read of more items than one request holds finds all that exist", async () => {
  const { table } = await newWorld();
  const names = ascending(230, (i) => `item-${i}`);
  for (let start = 0; start < names.length; start += MAX_TRANSACTION_ITEMS) {
    const chunk = names.slice(start, start + MAX_TRANSACTION_ITEMS);
    await table.transact(
      chunk.map((name) => ({ put: itemOf(name) })),
      randomUUID(),
    );
  }
  const found = await table.batchGet([...names, "missing"].map(keyOf));
  expect(found.map(({ sk }) => sk?.S).sort()).toEqual([...names].sort());
});

test("items that the table holds back are asked for again, but not for ever", async () => {
  const ledger = await stack.newLedger();
  await ledger.newProcess().table.put(itemOf("a"));
  const holdingBack = (rounds: number) => {
    const calls = new Calls(async (call, send) => {
      if (call.nth > rounds) return send();
      const { RequestItems } = call.input as { RequestItems: object };
      return { Responses: {}, UnprocessedKeys: RequestItems } as never;
    });
    const client = calls.through(ledger.clients.dynamoDb);
    return new Table({ reader: client, writer: client }, ledger.name);
  };
  expect(await holdingBack(3).batchGet([keyOf("a")])).toEqual([itemOf("a")]);
  const never = holdingBack(100).batchGet([keyOf("a")]);
  await expect(never).rejects.toMatchObject({ code: "ledger_unavailable" });
});

test("ensureTable makes the table and its time to live, once, however often it runs", async () => {
  const engine = await openEngine({ file: join(stack.folder, "ensured") });
  onTestFinished(engine.close);
  vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", engine.endpoint);
  vi.stubEnv("AWS_REGION", "local");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "local");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "local");
  onTestFinished(() => void vi.unstubAllEnvs());
  const TableName = `ensured-${randomUUID()}`;
  await Promise.all([ensureTable(TableName), ensureTable(TableName)]);
  await ensureTable(TableName);
  const client = new DynamoDBClient();
  const { Table: table } = await client.send(new DescribeTableCommand({ TableName }));
  expect(table).toMatchObject({ TableStatus: "ACTIVE", KeySchema: tableSchema(TableName).KeySchema });
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  expect(TimeToLiveDescription).toEqual({ TimeToLiveStatus: "ENABLED", AttributeName: "expires_at" });
});
