// Random requests to the local engine and to DynamoDB Local, side by side: both answer alike, to the last of a run.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, inject, test } from "vitest";
import { startDynamoDb } from "../../host/local/dynamodb.ts";
import { callDynamoDb, newTable, outcomeOf } from "../support/dynamodb-wire.ts";

const RUNS = 150;
const MAX_REQUESTS = 40;

const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-"));
const ours = await startDynamoDb({ file: join(folder, "d") });
const theirs = { endpoint: inject("dynamoDbEndpoint") ?? "" };
afterAll(async () => {
  await ours.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Asked {
  readonly operation: string;
  readonly request: object;
}

/** Few keys and values, so that requests meet each other's items. */
const KEYS = ["a", "b", "c", "ä", "\u{1F600}"];
const key = fc
  .record({ pk: fc.constantFrom("p", "q"), sk: fc.constantFrom(...KEYS) })
  .map(({ pk, sk }) => ({ pk: { S: pk }, sk: { S: sk } }));
/** DynamoDB writes a number in one way; DynamoDB Local keeps it in an update, and in a list, as it was sent. */
const number = fc.oneof(
  fc.integer({ min: -3, max: 3 }).map(String),
  fc.constantFrom("1.5", "-20", "100", "0.1", "12345678901234567890123456789012345678", "1E126"),
);
const members = fc.uniqueArray(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 3 });
const value = fc.oneof(
  number.map((N) => ({ N })),
  fc.constantFrom("", "a", "b", "ü").map((S) => ({ S })),
  fc.constantFrom("", "AA==", "AQI=").map((B) => ({ B })),
  members.map((SS) => ({ SS })),
  fc.boolean().map((BOOL) => ({ BOOL })),
  fc.constant({ L: [{ N: "1" }, { S: "x" }] }),
);
const ATTRIBUTES = ["v", "w", "size"];
const attribute = fc.constantFrom(...ATTRIBUTES);
const item = fc
  .tuple(key, fc.dictionary(attribute, value, { maxKeys: 3 }))
  .map(([k, rest]) => ({ ...rest, ...k }));

const clause = fc.oneof(
  fc
    .tuple(fc.constantFrom("attribute_exists", "attribute_not_exists"), fc.constantFrom("pk", ...ATTRIBUTES))
    .map(([name, of]) => `${name}(#${of})`),
  fc
    .tuple(attribute, fc.constantFrom("=", "<>", "<", "<=", ">", ">="))
    .map(([of, is]) => `#${of} ${is} :${of}`),
);
const joined = fc
  .tuple(fc.array(clause, { minLength: 1, maxLength: 3 }), fc.constantFrom(" AND ", " OR "))
  .map(([clauses, by]) => clauses.map((text) => `(${text})`).join(by));
const condition = fc.oneof(clause, joined);
const change = fc.oneof(
  attribute.map((of) => `SET #${of} = :${of}`),
  attribute.map((of) => `SET #${of} = if_not_exists(#${of}, :${of})`),
  attribute.map((of) => `REMOVE #${of}`),
  attribute.map((of) => `ADD #${of} :${of}_members`),
  attribute.map((of) => `DELETE #${of} :${of}_members`),
  fc.constant("SET #v = :v, #w = :w REMOVE #size"),
);

/** Names and values for the placeholders that the expressions have. */
const placeholders = (text: string, values: Record<string, object>, sets: Record<string, object>) => {
  const used = [...new Set(text.match(/[#:]\w+/g) ?? [])];
  const names = used.filter((word) => word.startsWith("#")).map((word) => [word, word.slice(1)]);
  const held = used
    .filter((word) => word.startsWith(":"))
    .map((word) => {
      const name = word.slice(1);
      return [word, name.endsWith("_members") ? sets[name.replace("_members", "")] : values[name]];
    });
  return {
    ...(names.length > 0 && { ExpressionAttributeNames: Object.fromEntries(names) }),
    ...(held.length > 0 && { ExpressionAttributeValues: Object.fromEntries(held) }),
  };
};
const values = fc.record({ v: value, w: value, size: value });
const sets = fc
  .record({ v: members, w: members, size: members })
  .map((all) => Object.fromEntries(Object.entries(all).map(([name, SS]) => [name, { SS }])));

const guard = fc.tuple(fc.option(condition), values, fc.boolean()).map(([text, held, isShown]) => ({
  ...(text !== null && { ConditionExpression: text, ...placeholders(text, held, {}) }),
  ...(isShown && text !== null && { ReturnValuesOnConditionCheckFailure: "ALL_OLD" }),
}));
const put = fc.tuple(item, guard).map(([Item, more]) => ({ Item, ...more }));
const check = fc.tuple(key, condition, values).map(([Key, text, held]) => ({
  Key,
  ConditionExpression: text,
  ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  ...placeholders(text, held, {}),
}));
const update = fc
  .tuple(key, change, fc.option(condition), values, sets)
  .map(([Key, how, text, held, of]) => ({
    Key,
    UpdateExpression: how,
    ...(text !== null && { ConditionExpression: text, ReturnValuesOnConditionCheckFailure: "ALL_OLD" }),
    ...placeholders(`${how} ${text ?? ""}`, held, of),
  }));
const projection = (names: readonly string[]) => ({
  ProjectionExpression: names.map((name) => `#${name}`).join(", "),
  ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
});
const query = fc
  .record({
    pk: fc.constantFrom("p", "q"),
    bounds: fc.tuple(fc.constantFrom(" ", ...KEYS), fc.constantFrom("~", ...KEYS, "\u{10FFFF}")),
    isForward: fc.boolean(),
    limit: fc.option(fc.integer({ min: 1, max: 4 })),
    start: fc.option(key),
    shown: fc.option(fc.array(fc.constantFrom("sk", ...ATTRIBUTES), { minLength: 1, maxLength: 3 })),
  })
  .map(({ pk, bounds: [from, to], isForward, limit, start, shown }) => ({
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
    ExpressionAttributeValues: { ":pk": { S: pk }, ":from": { S: from }, ":to": { S: to } },
    ScanIndexForward: isForward,
    ConsistentRead: true,
    ...(limit !== null && { Limit: limit }),
    ...(start !== null && { ExclusiveStartKey: start }),
    ...(shown !== null && projection(shown)),
  }));
const TOKENS = ["one", "two", "three"];

type Keyed = Readonly<Record<"pk" | "sk", unknown>>;
const write = fc.oneof(
  put.map((Put) => ({ Put })),
  check.map((ConditionCheck) => ({ ConditionCheck })),
);
function keyOf(of: { Put: { Item: Keyed } } | { ConditionCheck: { Key: Keyed } }): string {
  const { pk, sk } = "Put" in of ? of.Put.Item : of.ConditionCheck.Key;
  return JSON.stringify([pk, sk]);
}

/** A request to a table whose name is not known yet. */
const asked = (operation: string, requests: fc.Arbitrary<object>) =>
  requests.map(
    (request) =>
      (TableName: string): Asked => ({ operation, request: { TableName, ...request } }),
  );
const request = fc.oneof(
  asked("PutItem", put),
  asked("UpdateItem", update),
  asked(
    "DeleteItem",
    key.map((Key) => ({ Key })),
  ),
  asked(
    "GetItem",
    key.map((Key) => ({ Key, ConsistentRead: true })),
  ),
  asked("Query", query),
  fc
    .tuple(
      // Two writes of one item are refused; DynamoDB Local does that after other refusals, and DynamoDB before.
      fc.uniqueArray(write, { minLength: 1, maxLength: 4, selector: keyOf }),
      fc.option(fc.constantFrom(...TOKENS)),
    )
    .map(([writes, token]) => (TableName: string): Asked => {
      const TransactItems = writes.map((write) =>
        Object.fromEntries(Object.entries(write).map(([kind, of]) => [kind, { TableName, ...of }])),
      );
      // A token is of the table's name, so that no run knows those of another.
      const ClientRequestToken =
        token === null ? {} : { ClientRequestToken: `${token}-${TableName.slice(-30)}` };
      return { operation: "TransactWriteItems", request: { TransactItems, ...ClientRequestToken } };
    }),
);

/** A set has no order. */
const orderless = (_name: string, held: unknown): unknown =>
  Array.isArray(held) && held.every((member) => typeof member === "string") ? held.toSorted() : held;

test("any requests are answered alike", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: MAX_REQUESTS }), async (requests) => {
      const [here, there] = [await newTable(ours), await newTable(theirs)];
      for (const [place, build] of requests.entries()) {
        const answers = [];
        for (const [engine, table] of [
          [ours, here],
          [theirs, there],
        ] as const) {
          const { operation, request: body } = build(table);
          const outcome = outcomeOf(await callDynamoDb(engine, operation, body));
          answers.push(JSON.parse(JSON.stringify(outcome, orderless)));
        }
        expect(answers[0], `${place}: ${JSON.stringify(build("table"))}`).toEqual(answers[1]);
      }
    }),
    { numRuns: RUNS },
  );
});
