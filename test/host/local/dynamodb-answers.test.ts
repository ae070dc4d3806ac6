// Answers to single items and their conditions, that the local engine and, in `npm run test:deploy`, DynamoDB Local give
// alike: results, error names, old items, and cancellation reasons in their order.
import { beforeEach, describe, expect, test } from "vitest";
import { callDynamoDb, newTable, type Outcome, outcomeOf } from "../../support/dynamodb-wire.ts";
import { isSecondEngine, useEngine } from "../../support/engine.ts";

const engine = await useEngine();

let TableName = "";
beforeEach(async () => {
  TableName = await newTable(engine);
});

const ask = async (operation: string, request: object): Promise<Outcome> =>
  outcomeOf(await callDynamoDb(engine, operation, { TableName, ...request }));
const keyOf = (sk: string, pk = "p") => ({ pk: { S: pk }, sk: { S: sk } });
const put = (Item: object, more: object = {}) => ask("PutItem", { Item, ...more });
const get = async (sk: string) => (await ask("GetItem", { Key: keyOf(sk), ConsistentRead: true })) as object;
const update = (UpdateExpression: string, more: object = {}, sk = "a") =>
  ask("UpdateItem", { Key: keyOf(sk), UpdateExpression, ...more });

const done = { body: {} };
const invalid = { error: "ValidationException" };
const failed = { error: "ConditionalCheckFailedException" };
const notFound = { error: "ResourceNotFoundException" };
const long = (bytes: number) => "x".repeat(bytes);
/** An item of exactly so many bytes. */
const itemOf = (bytes: number) => ({ ...keyOf("a"), v: { S: long(bytes - "pkpskav".length) } });
const MAX_ITEM_BYTES = 400 * 1024;
const nestedIn = (lists: number): object => (lists === 0 ? { S: "x" } : { L: [nestedIn(lists - 1)] });

describe("an item's", () => {
  test.each([
    ["1.0", "1"],
    ["-0", "0"],
    ["1e3", "1000"],
    ["+5", "5"],
    [".5", "0.5"],
    ["0.00001230", "0.0000123"],
    ["-120.50", "-120.5"],
    ["1E-130", `0.${"0".repeat(129)}1`],
    ["9.9E125", `99${"0".repeat(124)}`],
    ["12345678901234567890123456789012345678", "12345678901234567890123456789012345678"],
  ])("number %s is read as %s", async (N, read) => {
    expect(await put({ ...keyOf("a"), v: { N } })).toEqual(done);
    expect(await get("a")).toEqual({ body: { Item: { ...keyOf("a"), v: { N: read } } } });
  });

  test.each(["123456789012345678901234567890123456789", "1E126", "1E-131", "abc", "", " 1", "NaN", "0x1"])(
    "number can't be %j",
    async (N) => {
      expect(await put({ ...keyOf("a"), v: { N } })).toEqual(invalid);
    },
  );

  test("values of all types are read as they were written", async () => {
    const values = {
      text: { S: "ü\u0000\u{1F600}" },
      empty: { S: "" },
      bytes: { B: "AP8=" },
      flag: { BOOL: false },
      nothing: { NULL: true },
      list: { L: [{ S: "a" }, { L: [{ N: "1" }] }] },
      map: { M: { "a.b": { S: "c" }, constructor: { N: "0" } } },
      "#odd name": { SS: ["a"] },
    };
    expect(await put({ ...keyOf("a"), ...values })).toEqual(done);
    expect(await get("a")).toEqual({ body: { Item: { ...keyOf("a"), ...values } } });
  });

  test.each([
    ["an empty set", { SS: [] }],
    ["a set with a member twice", { SS: ["a", "a"] }],
    ["a set with a number twice", { NS: ["1", "1.0"] }],
    ["no type", {}],
    ["two types", { S: "a", N: "1" }],
    ["an unknown type", { X: "a" }],
    ["a null that is false", { NULL: false }],
    ["a list that is 32 deep", nestedIn(32)],
  ])("value can't be %s", async (_what, value) => {
    expect(await put({ ...keyOf("a"), v: value })).toEqual(invalid);
  });

  test("list can be 31 deep", async () => {
    expect(await put({ ...keyOf("a"), v: nestedIn(31) })).toEqual(done);
  });

  test("size is 400 KB at most, also after an update", async () => {
    expect(await put(itemOf(MAX_ITEM_BYTES))).toEqual(done);
    expect(await put(itemOf(MAX_ITEM_BYTES + 1))).toEqual(invalid);
    const more = { ExpressionAttributeNames: { "#w": "w" }, ExpressionAttributeValues: { ":w": { S: "" } } };
    expect(await update("SET #w = :w", more)).toEqual(invalid);
  });
});

describe("a key", () => {
  test.each([
    ["without a part", { pk: { S: "p" } }],
    ["of another type", { pk: { N: "1" }, sk: { S: "a" } }],
    ["that is empty in its first part", keyOf("a", "")],
    ["that is empty in its second part", keyOf("")],
    ["of 2,049 bytes in its first part", keyOf("a", long(2_049))],
    ["of 1,025 bytes in its second part", keyOf(long(1_025))],
  ])("%s is refused", async (_what, key) => {
    expect(await put(key)).toEqual(invalid);
    expect(await ask("GetItem", { Key: key })).toEqual(invalid);
  });

  test("has 2,048 and 1,024 bytes at most", async () => {
    expect(await put(keyOf(long(1_024), long(2_048)))).toEqual(done);
  });

  test("to read by has nothing beside it", async () => {
    expect(await ask("GetItem", { Key: { ...keyOf("a"), v: { S: "a" } } })).toEqual(invalid);
  });
});

const item = { ...keyOf("a"), n: { N: "5" }, s: { S: "m" }, b: { B: "AQI=" }, set: { SS: ["a", "b"] } };
const names = { "#n": "n", "#s": "s", "#b": "b", "#set": "set", "#none": "constructor", "#pk": "pk" };
const values = {
  ":4": { N: "4" },
  ":5": { N: "5.0" },
  ":40": { N: "40" },
  ":m": { S: "m" },
  ":b": { B: "AgE=" },
};
const set = { ":set": { SS: ["b", "a"] } };

/** A condition with those names and values that are in it. */
function conditionOf(ConditionExpression: string, all: object = { ...values, ...set }) {
  const used = (map: object) =>
    Object.fromEntries(
      Object.entries(map).filter(([name]) => ConditionExpression.match(/[#:]\w+/g)?.includes(name)),
    );
  const [ExpressionAttributeNames, ExpressionAttributeValues] = [used(names), used(all)];
  return {
    ConditionExpression,
    ...(Object.keys(ExpressionAttributeNames).length > 0 && { ExpressionAttributeNames }),
    ...(Object.keys(ExpressionAttributeValues).length > 0 && { ExpressionAttributeValues }),
  };
}

describe("a condition", () => {
  beforeEach(() => put(item));

  test.each([
    ["#n = :5", true],
    ["#n <> :5", false],
    ["#n < :5", false],
    ["#n <= :5", true],
    ["#n > :4", true],
    ["#n >= :40", false],
    ["#n < :m", false],
    ["#s >= :m", true],
    ["#b < :b", true],
    ["#set = :set", true],
    ["#none = :5", false],
    ["#none <> :5", true],
    ["#none < :5", false],
    ["attribute_exists(#n)", true],
    ["attribute_exists(#none)", false],
    ["attribute_not_exists(#none)", true],
    ["(#n = :4) OR (#s = :m)", true],
    ["#n = :4 OR #n = :5 AND #s <> :m", false],
    ["(#n = :4 or #n = :5) and #s = :m", true],
    ["((#n = :4) AND (#s = :m)) OR (attribute_exists(#pk))", true],
  ])("%s is %s", async (expression, holds) => {
    expect(await put(item, conditionOf(expression))).toEqual(holds ? done : failed);
  });

  test.each([
    "",
    "#n = ",
    "#n :5",
    "attribute_exists(#n) AND",
    "attribute_exists(#n",
    "ATTRIBUTE_EXISTS(#n)",
    "other(#n)",
    "((#n = :5))",
    "#n > :set",
    "#undefined = :5",
    "#n = :undefined",
    `${"attribute_exists(#n) AND ".repeat(170)}attribute_exists(#n)`,
  ])("%s is none", async (expression) => {
    expect(await put(item, conditionOf(expression))).toEqual(invalid);
  });

  test("with a name or a value that it does not use is refused", async () => {
    const exists = conditionOf("attribute_exists(#n)");
    expect(await put(item, { ...exists, ExpressionAttributeNames: names })).toEqual(invalid);
    expect(await put(item, { ...exists, ExpressionAttributeValues: { ":5": { N: "5" } } })).toEqual(invalid);
    expect(await put(item, { ExpressionAttributeNames: { "#n": "n" } })).toEqual(invalid);
    expect(await put(item, { ...exists, ExpressionAttributeValues: {} })).toEqual(invalid);
  });

  test("that fails shows the old item where it is asked for, and nothing where there is none", async () => {
    const shown = { ReturnValuesOnConditionCheckFailure: "ALL_OLD" };
    const { error, item: old } = (await put(item, { ...conditionOf("#n = :4"), ...shown })) as {
      error: string;
      item: typeof item;
    };
    expect([error, { ...old, set: { SS: old.set.SS.toSorted() } }]).toEqual([failed.error, item]);
    const other = { ...keyOf("other"), n: { N: "5" } };
    expect(await put(other, { ...conditionOf("#n = :4"), ...shown })).toEqual(failed);
  });
});

describe("an update", () => {
  const sets = (members: string[]) => ({
    ExpressionAttributeNames: { "#set": "set" },
    ExpressionAttributeValues: { ":set": { SS: members } },
  });
  const one = { ExpressionAttributeNames: { "#v": "v" }, ExpressionAttributeValues: { ":v": { N: "1" } } };

  test("makes an item, sets, sets once, and removes", async () => {
    expect(await update("SET #v = :v", one)).toEqual(done);
    const two = { ...one, ExpressionAttributeValues: { ":v": { N: "2" } } };
    expect(await update("SET #v = if_not_exists(#v, :v)", two)).toEqual(done);
    expect(await get("a")).toEqual({ body: { Item: { ...keyOf("a"), v: { N: "1" } } } });
    expect(await update("REMOVE #v", { ExpressionAttributeNames: { "#v": "v" } })).toEqual(done);
    expect(await get("a")).toEqual({ body: { Item: keyOf("a") } });
  });

  test("adds to sets and takes from them, until one is gone", async () => {
    expect(await update("ADD #set :set", sets(["a", "b"]))).toEqual(done);
    expect(await update("ADD #set :set", sets(["b", "c"]))).toEqual(done);
    expect(await update("DELETE #set :set", sets(["a", "b", "z"]))).toEqual(done);
    expect(await get("a")).toEqual({ body: { Item: { ...keyOf("a"), set: { SS: ["c"] } } } });
    expect(await update("DELETE #set :set", sets(["c"]))).toEqual(done);
    expect(await get("a")).toEqual({ body: { Item: keyOf("a") } });
    expect(await update("DELETE #set :set", sets(["c"]))).toEqual(done);
  });

  test.each([
    ["", {}],
    ["SET #v = :v SET #w = :v", { ...one, ExpressionAttributeNames: { "#v": "v", "#w": "w" } }],
    ["SET #v = :v REMOVE #v", one],
    ["SET #v = :v, #v = :v", one],
    ["SET #v = :v", { ...one, ExpressionAttributeNames: { "#v": "pk" } }],
    ["REMOVE #v", { ExpressionAttributeNames: { "#v": "sk" } }],
    ["SET #v :v", one],
    ["PUT #v = :v", one],
    ["SET #v = :v", { ...one, ExpressionAttributeValues: { ":v": { N: "1" }, ":w": { N: "1" } } }],
    ["DELETE #v :v", one],
    ["ADD #v :v", { ...one, ExpressionAttributeValues: { ":v": { S: "1" } } }],
  ])("%j is none", async (expression, more) => {
    expect(await update(expression, more)).toEqual(invalid);
  });

  test("of a set's members can't be done to another type", async () => {
    await update("SET #v = :v", one);
    const members = { ...one, ExpressionAttributeValues: { ":v": { NS: ["1"] } } };
    expect(await update("ADD #v :v", members)).toEqual(invalid);
    expect(await get("a")).toEqual({ body: { Item: { ...keyOf("a"), v: { N: "1" } } } });
  });
});

test("of a table that is not there, every operation says so", async () => {
  TableName = "none";
  expect(await get("a")).toEqual(notFound);
  expect(await put(item)).toEqual(notFound);
  for (const operation of ["DescribeTable", "DescribeTimeToLive"]) {
    expect(await ask(operation, {})).toEqual(notFound);
  }
});

const ranged = {
  KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
  ExpressionAttributeValues: { ":pk": { S: "p" }, ":from": { S: "a" }, ":to": { S: "b" } },
};

// The engine's own: DynamoDB knows more than the service uses.
test.skipIf(isSecondEngine).each([
  ["an operation", "TransactGetItems", { TransactItems: [] }, /operation TransactGetItems/],
  ["a member", "PutItem", { Item: item, ReturnValues: "ALL_OLD" }, /ReturnValues in a put/],
  ["an index", "Query", { IndexName: "i" }, /IndexName in Query/],
  ["a bare name to show", "Query", { ...ranged, ProjectionExpression: "sk" }, /ProjectionExpression other/],
  ["a function", "PutItem", { Item: item, ...conditionOf("begins_with(#s, :m)") }, /begins_with/],
  ["NOT", "PutItem", { Item: item, ...conditionOf("NOT #s = :m") }, /NOT/],
  ["a range", "PutItem", { Item: item, ...conditionOf("#n BETWEEN :4 AND :5") }, /BETWEEN/],
  ["a bare name", "PutItem", { Item: item, ...conditionOf("s = :m") }, /attribute s without a #/],
  ["a path", "PutItem", { Item: item, ...conditionOf("#s.#n = :m") }, /path/],
  [
    "arithmetic",
    "UpdateItem",
    {
      Key: keyOf("a"),
      UpdateExpression: "SET #n = :4 + :5",
      ExpressionAttributeNames: { "#n": "n" },
      ExpressionAttributeValues: values,
    },
    /\+ in an update/,
  ],
])("%s that the service does not use is refused by its name", async (_what, operation, request, name) => {
  const { status, error, body } = await callDynamoDb(engine, operation, { TableName, ...request });
  expect([status, error]).toEqual([400, "ValidationException"]);
  expect(body.message).toMatch(name);
});
