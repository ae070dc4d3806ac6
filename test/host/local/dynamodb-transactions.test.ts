// Transactions, batches of reads and tables, that the local engine and, in `npm run test:deploy`, DynamoDB Local answer alike.
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { callDynamoDb, newTable, type Outcome, outcomeOf, TABLE } from "../../support/dynamodb-wire.ts";
import { isSecondEngine, useEngine } from "../../support/engine.ts";
import { ascending } from "../../support/trees.ts";

const engine = await useEngine();

let TableName = "";
beforeEach(async () => {
  TableName = await newTable(engine);
});

const ask = async (operation: string, request: object): Promise<Outcome> =>
  outcomeOf(await callDynamoDb(engine, operation, request));
const keyOf = (sk: string, pk = "p") => ({ pk: { S: pk }, sk: { S: sk } });
const itemOf = (sk: string, v = "") => ({ ...keyOf(sk), v: { S: v } });
const long = (length: number) => "x".repeat(length);

const done = { body: {} };
const invalid = { error: "ValidationException" };
const NONE = ["None", null];

describe("a transaction", () => {
  const onKey = (condition: string) => ({
    ConditionExpression: `attribute_${condition}(#pk)`,
    ExpressionAttributeNames: { "#pk": "pk" },
  });
  const put = (Item: object, more: object = {}) => ({ Put: { TableName, Item, ...more } });
  const insert = (Item: object) =>
    put(Item, { ...onKey("not_exists"), ReturnValuesOnConditionCheckFailure: "ALL_OLD" });
  const check = (Key: object) => ({ ConditionCheck: { TableName, Key, ...onKey("exists") } });
  const transact = (TransactItems: object[], more: object = {}) =>
    ask("TransactWriteItems", { TransactItems, ...more });
  const cancelled = (...reasons: unknown[]) => ({ error: "TransactionCanceledException", reasons });
  const written = async () => {
    const { Items } = (await callDynamoDb(engine, "Scan", { TableName })).body as {
      Items: { sk: { S: string } }[];
    };
    return Items.map(({ sk }) => sk.S).sort();
  };

  test("writes all of its items", async () => {
    expect(await transact([insert(itemOf("a")), put(itemOf("b"))])).toEqual(done);
    expect(await transact([check(keyOf("a")), put(itemOf("b", "new")), insert(itemOf("c"))])).toEqual(done);
    expect(await written()).toEqual(["a", "b", "c"]);
  });

  test("that is refused writes none, and says why in the order of its items, with those that are there", async () => {
    await transact([put(itemOf("b", "old")), put(itemOf("d", "old"))]);
    const quiet = put(itemOf("d"), onKey("not_exists"));
    const refused = transact([insert(itemOf("a")), insert(itemOf("b")), check(keyOf("c")), quiet]);
    expect(await refused).toEqual(
      cancelled(
        NONE,
        ["ConditionalCheckFailed", itemOf("b", "old")],
        ["ConditionalCheckFailed", null],
        ["ConditionalCheckFailed", null],
      ),
    );
    expect(await written()).toEqual(["b", "d"]);
  });

  test("changes and deletes items, each under its condition", async () => {
    await transact([put(itemOf("a", "old")), put(itemOf("b", "old")), put(itemOf("c", "old"))]);
    const set = { UpdateExpression: "SET #v = :v", ExpressionAttributeValues: { ":v": { S: "new" } } };
    const update = (Key: object, attribute: string) => ({
      Update: {
        ...{ TableName, Key, ...set, ConditionExpression: `attribute_not_exists(#${attribute})` },
        ExpressionAttributeNames: { "#v": "v", ...(attribute !== "v" && { [`#${attribute}`]: attribute }) },
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      },
    });
    const remove = (Key: object) => ({ Delete: { TableName, Key, ...onKey("exists") } });
    expect(await transact([update(keyOf("a"), "v"), remove(keyOf("b")), remove(keyOf("d"))])).toEqual(
      cancelled(["ConditionalCheckFailed", itemOf("a", "old")], NONE, ["ConditionalCheckFailed", null]),
    );
    expect(await written()).toEqual(["a", "b", "c"]);
    expect(await transact([update(keyOf("a"), "w"), remove(keyOf("b")), put(itemOf("d"))])).toEqual(done);
    expect(await written()).toEqual(["a", "c", "d"]);
    expect(await ask("GetItem", { TableName, Key: keyOf("a") })).toEqual({
      body: { Item: itemOf("a", "new") },
    });
  });

  test("is judged by the items as they were before it", async () => {
    expect(await transact([insert(itemOf("a")), check(keyOf("b"))])).toEqual(
      cancelled(NONE, ["ConditionalCheckFailed", null]),
    );
    await transact([put(itemOf("b"))]);
    expect(await transact([insert(itemOf("a")), check(keyOf("b"))])).toEqual(done);
  });

  test.each([
    ["of another type", { pk: { N: "1" }, sk: { S: "a" } }],
    ["that is too long", keyOf("a", long(2_049))],
  ])("with a key %s is cancelled, and the other reasons stand beside that", async (_what, key) => {
    await transact([put(itemOf("b"))]);
    expect(await transact([put(key), insert(itemOf("b")), put(itemOf("c"))])).toEqual(
      cancelled(["ValidationError", null], ["ConditionalCheckFailed", itemOf("b")], NONE),
    );
  });

  test.each<[string, () => object[]]>([
    ["no item", () => []],
    ["101 items", () => ascending(101, (i) => put(itemOf(`${i}`)))],
    ["an item twice", () => [put(itemOf("a")), put(itemOf("a"))]],
    ["an item that it checks, too", () => [put(itemOf("a")), check(keyOf("a"))]],
    ["two writes in one member", () => [{ ...put(itemOf("a")), ...check(keyOf("b")) }]],
    ["a member without a write", () => [{}]],
    ["a check without a condition", () => [{ ConditionCheck: { TableName, Key: keyOf("a") } }]],
    ["half a key", () => [put({ pk: { S: "p" } })]],
    ["an empty key", () => [put(keyOf(""))]],
    ["a key to check that is half", () => [check({ pk: { S: "p" } })]],
    ["a number that is none", () => [put({ ...keyOf("a"), v: { N: "x" } })]],
    ["a condition that is none", () => [put(itemOf("a"), { ...onKey("exists"), ConditionExpression: "x(" })]],
    ["an item of more than 400 KB", () => [put(itemOf("a", long(400 * 1024)))]],
    ["more than 4 MB", () => ascending(11, (i) => put(itemOf(`${i}`, long(400_000))))],
  ])("with %s is refused as a whole", async (_what, members) => {
    expect(await transact(members())).toEqual(invalid);
    expect(await written()).toEqual([]);
  });

  test("has 100 items and 4 MB at most", async () => {
    expect(await transact(ascending(100, (i) => put(itemOf(`${i}`.padStart(3, "0")))))).toEqual(done);
    const large = ascending(10, (i) => put(itemOf(`large-${i}`, long(400_000))));
    expect(await transact(large)).toEqual(done);
  });

  test("with a token takes effect once", async () => {
    const more = { ClientRequestToken: randomUUID() };
    expect(await transact([insert(itemOf("a"))], more)).toEqual(done);
    await ask("DeleteItem", { TableName, Key: keyOf("a") });
    expect(await transact([insert(itemOf("a"))], more)).toEqual(done);
    expect(await written()).toEqual([]);
    const other = await transact([insert(itemOf("b"))], more);
    expect(other).toEqual({ error: "IdempotentParameterMismatchException" });
  });

  test("that was refused is judged again under its token", async () => {
    const more = { ClientRequestToken: randomUUID() };
    expect(await transact([check(keyOf("a"))], more)).toEqual(cancelled(["ConditionalCheckFailed", null]));
    await transact([put(itemOf("a"))]);
    expect(await transact([check(keyOf("a"))], more)).toEqual(done);
  });

  test("has a token of 36 characters at most", async () => {
    expect(await transact([put(itemOf("a"))], { ClientRequestToken: long(37) })).toEqual(invalid);
  });

  test("among many at once on the same items leaves the items of one", async () => {
    const racing = ascending(12, (i) => transact([insert(itemOf("a", `${i}`)), insert(itemOf("b", `${i}`))]));
    const outcomes = await Promise.all(racing);
    expect(outcomes.filter((outcome) => "body" in outcome)).toEqual([done]);
    const { body } = await callDynamoDb(engine, "Scan", { TableName });
    const values = (body as { Items: { v: { S: string } }[] }).Items.map(({ v }) => Number(v.S));
    expect(values).toEqual(Array(2).fill(outcomes.findIndex((outcome) => "body" in outcome)));
  });
});

describe("a batch of reads", () => {
  const batch = (Keys: object[]) =>
    ask("BatchGetItem", { RequestItems: { [TableName]: { Keys, ConsistentRead: true } } });

  test("finds what is there", async () => {
    await ask("PutItem", { TableName, Item: itemOf("a") });
    const body = { Responses: { [TableName]: [itemOf("a")] }, UnprocessedKeys: {} };
    expect(await batch([keyOf("a"), keyOf("b")])).toEqual({ body });
  });

  test.each<[string, object[]]>([
    ["no key", []],
    ["101 keys", ascending(101, (i) => keyOf(`${i}`))],
    ["a key twice", [keyOf("a"), keyOf("a")]],
    ["half a key", [{ pk: { S: "p" } }]],
  ])("with %s is refused", async (_what, keys) => {
    expect(await batch(keys)).toEqual(invalid);
  });

  test("of more than 16 MB leaves keys to ask for again", async () => {
    const names = ascending(45, (i) => `item-${i}`);
    for (const sk of names) await ask("PutItem", { TableName, Item: itemOf(sk, long(400_000)) });
    const { body } = (await batch(names.map((sk) => keyOf(sk)))) as unknown as { body: Batch };
    const { Responses, UnprocessedKeys } = body;
    const [found, left] = [Responses[TableName] ?? [], UnprocessedKeys[TableName]?.Keys ?? []];
    expect([found.length, left.length]).toEqual([41, 4]);
    expect([...found, ...left].map(({ sk }) => sk.S).sort()).toEqual(names.toSorted());
  });
});

interface Batch {
  readonly Responses: Readonly<Record<string, { sk: { S: string } }[]>>;
  readonly UnprocessedKeys: Readonly<Record<string, { Keys: { sk: { S: string } }[] }>>;
}

describe("a table", () => {
  test("is made once", async () => {
    expect(await ask("CreateTable", { ...TABLE, TableName })).toEqual({ error: "ResourceInUseException" });
    expect(await ask("CreateTable", { ...TABLE, TableName: "ab" })).toEqual(invalid);
  });

  test("gets its time to live once", async () => {
    const describeIt = async () => (await callDynamoDb(engine, "DescribeTimeToLive", { TableName })).body;
    expect(await describeIt()).toEqual({ TimeToLiveDescription: { TimeToLiveStatus: "DISABLED" } });
    const TimeToLiveSpecification = { Enabled: true, AttributeName: "ends" };
    const enable = () => ask("UpdateTimeToLive", { TableName, TimeToLiveSpecification });
    expect(await enable()).toEqual({ body: { TimeToLiveSpecification } });
    expect(await enable()).toEqual(invalid);
    expect(await describeIt()).toEqual({
      TimeToLiveDescription: { TimeToLiveStatus: "ENABLED", AttributeName: "ends" },
    });
  });

  test.skipIf(isSecondEngine)("says the units of what is asked of it", async () => {
    const units = async (operation: string, request: object) => {
      const { body } = await callDynamoDb(engine, operation, { ...request, ReturnConsumedCapacity: "TOTAL" });
      return [body.ConsumedCapacity]
        .flat()
        .map((capacity) => (capacity as { CapacityUnits: number }).CapacityUnits);
    };
    const Item = itemOf("a", long(5_000));
    expect(await units("PutItem", { TableName, Item })).toEqual([5]);
    expect(
      await units("TransactWriteItems", {
        TransactItems: [{ Put: { TableName, Item: itemOf("b") } }, { Put: { TableName, Item } }],
      }),
    ).toEqual([12]);
    expect(await units("GetItem", { TableName, Key: keyOf("a") })).toEqual([2]);
    expect(
      await units("BatchGetItem", { RequestItems: { [TableName]: { Keys: [keyOf("a"), keyOf("b")] } } }),
    ).toEqual([3]);
    expect(await units("Scan", { TableName })).toEqual([2]);
  });
});
