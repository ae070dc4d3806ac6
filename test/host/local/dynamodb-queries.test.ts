// Queries, their pages and projections, that the local engine and, in `npm run test:deploy`, DynamoDB Local answer alike.
import { beforeEach, describe, expect, test } from "vitest";
import { callDynamoDb, newTable, type Outcome, outcomeOf } from "../../support/dynamodb-wire.ts";
import { useEngine } from "../../support/engine.ts";

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
const invalid = { error: "ValidationException" };

describe("a query", () => {
  const ranged = (from: string, to: string, pk = "p") => ({
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
    ExpressionAttributeValues: { ":pk": { S: pk }, ":from": { S: from }, ":to": { S: to } },
  });
  const query = (from: string, to: string, more: object = {}) =>
    ask("Query", { TableName, ConsistentRead: true, ...ranged(from, to), ...more });
  const page = (names: string[], last?: string) => ({
    body: {
      Items: names.map((name) => itemOf(name)),
      Count: names.length,
      ScannedCount: names.length,
      ...(last !== undefined && { LastEvaluatedKey: keyOf(last) }),
    },
  });
  const put = (Item: object) => ask("PutItem", { TableName, Item });

  beforeEach(async () => {
    for (const sk of ["a", "b", "B", "ä", "c"]) await put(itemOf(sk));
    await put({ ...itemOf("a"), pk: { S: "other" } });
  });

  test.each<[string, object, object]>([
    ["all, in the order of their bytes", {}, page(["B", "a", "b", "c", "ä"])],
    ["the other way round", { ScanIndexForward: false }, page(["ä", "c", "b", "a", "B"])],
    ["up to a limit, and says that there may be more", { Limit: 2 }, page(["B", "a"], "a")],
    ["up to a limit that is their number, too", { Limit: 5 }, page(["B", "a", "b", "c", "ä"], "ä")],
    ["up to their end", { Limit: 6 }, page(["B", "a", "b", "c", "ä"])],
    ["behind a key", { ExclusiveStartKey: keyOf("a") }, page(["b", "c", "ä"])],
    ["behind a key that is not there", { ExclusiveStartKey: keyOf("aa") }, page(["b", "c", "ä"])],
    ["behind the last", { ExclusiveStartKey: keyOf("ä") }, page([])],
    ["before a key", { ScanIndexForward: false, ExclusiveStartKey: keyOf("b") }, page(["a", "B"])],
    ["between two keys, both included", ranged("a", "b"), page(["a", "b"])],
    ["of one key", ranged("b", "b"), page(["b"])],
    ["up to a limit that is at the end of the range", { ...ranged("a", "b"), Limit: 2 }, page(["a", "b"])],
    ["of no key", ranged("d", "e"), page([])],
    ["of no partition", ranged(" ", "~", "none"), page([])],
  ])("gives the items %s", async (_what, more, expected) => {
    expect(await query(" ", "\u{10FFFF}", more)).toEqual(expected);
  });

  test.each<[string, object]>([
    ["a limit of 0", { Limit: 0 }],
    ["bounds in the wrong order", ranged("b", "a")],
    ["an empty partition", ranged("a", "b", "")],
    ["an empty bound", ranged("", "b")],
    [
      "a bound of another type",
      { ExpressionAttributeValues: { ":pk": { S: "p" }, ":from": { N: "1" }, ":to": { N: "2" } } },
    ],
    ["half a key to start behind", { ExclusiveStartKey: { pk: { S: "p" } } }],
    ["a key to start behind that is of another partition", { ExclusiveStartKey: keyOf("a", "other") }],
    [
      "a key to start behind that is out of its bounds",
      { ...ranged("a", "b"), ExclusiveStartKey: keyOf("c") },
    ],
    [
      "a key to start behind that is the last one in its bounds",
      { ...ranged("a", "b"), ExclusiveStartKey: keyOf("b") },
    ],
    ["an expression that is none", { KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND" }],
    [
      "an expression that leaves a value out",
      { KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :from" },
    ],
  ])("with %s is refused", async (_what, more) => {
    expect(await query("a", "b", more)).toEqual(invalid);
  });

  const projected = (ProjectionExpression: string, names: object) => ({
    ProjectionExpression,
    ExpressionAttributeNames: names,
  });

  test.each<[string, object, readonly object[]]>([
    [
      "two",
      projected("#s, #v", { "#s": "sk", "#v": "v" }),
      [
        { sk: { S: "a" }, v: { S: "" } },
        { sk: { S: "b" }, v: { S: "" } },
      ],
    ],
    ["one", projected("#s", { "#s": "sk" }), [{ sk: { S: "a" } }, { sk: { S: "b" } }]],
    ["one that no item has", projected("#o", { "#o": "toString" }), [{}, {}]],
  ])("gives %s of the attributes", async (_what, more, Items) => {
    expect(await query("a", "b", more)).toEqual({ body: { Items, Count: 2, ScannedCount: 2 } });
  });

  test.each<[string, object]>([
    ["an attribute twice", projected("#s, #s", { "#s": "sk" })],
    ["an attribute under two names", projected("#s, #t", { "#s": "sk", "#t": "sk" })],
    ["no attribute", projected("", { "#s": "sk" })],
    ["a comma behind the last", projected("#s,", { "#s": "sk" })],
    ["a name that is not given", projected("#o", { "#s": "sk" })],
    ["a name that is not used", projected("#s", { "#s": "sk", "#v": "v" })],
  ])("for %s is refused", async (_what, more) => {
    expect(await query("a", "b", more)).toEqual(invalid);
  });

  test("gives pages of 1 MB", async () => {
    for (const sk of ["m1", "m2", "m3", "m4", "m5"]) await put(itemOf(sk, long(300_000)));
    const { body } = await callDynamoDb(engine, "Query", { TableName, ...ranged("m", "n") });
    const page = { Count: 4, LastEvaluatedKey: keyOf("m4") };
    expect(body).toMatchObject(page);
    // A page ends by what was read, of which a projection shows some.
    const { body: keys } = await callDynamoDb(engine, "Query", {
      TableName,
      ...ranged("m", "n"),
      ...projected("#s", { "#s": "sk" }),
    });
    expect(keys).toMatchObject(page);
  });
});
