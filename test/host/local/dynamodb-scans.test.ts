// Scans with a filter, that the local engine and, in `npm run test:deploy`, DynamoDB Local answer alike. A table of one
// partition is read in the order of its sort keys by both.
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
const keyOf = (sk: string) => ({ pk: { S: "p" }, sk: { S: sk } });
const itemOf = (sk: string, v: string) => ({ ...keyOf(sk), v: { S: v } });
const invalid = { error: "ValidationException" };

describe("a scan", () => {
  const equals = (value: string) => ({
    FilterExpression: "#v = :v",
    ExpressionAttributeNames: { "#v": "v" },
    ExpressionAttributeValues: { ":v": { S: value } },
  });
  const scan = (more: object) => ask("Scan", { TableName, ...more });

  test("gives the items that its filter leaves, of as many as its limit reads", async () => {
    for (const sk of ["a", "b", "c"]) await ask("PutItem", { TableName, Item: itemOf(sk, sk) });
    expect(await scan(equals("b"))).toEqual({
      body: { Items: [itemOf("b", "b")], Count: 1, ScannedCount: 3 },
    });
    expect(await scan({ ...equals("c"), Limit: 2 })).toEqual({
      body: { Items: [], Count: 0, ScannedCount: 2, LastEvaluatedKey: keyOf("b") },
    });
    expect(await scan({ ...equals("c"), ExclusiveStartKey: keyOf("b") })).toEqual({
      body: { Items: [itemOf("c", "c")], Count: 1, ScannedCount: 1 },
    });
  });

  test.each<[string, object]>([
    ["a filter that is none", { ...equals("a"), FilterExpression: "#v =" }],
    ["a value that its filter does not use", { ...equals("a"), FilterExpression: "attribute_exists(#v)" }],
    ["values and no filter", { ExpressionAttributeValues: { ":v": { S: "a" } } }],
  ])("with %s is refused", async (_what, more) => {
    expect(await scan(more)).toEqual(invalid);
  });
});
