// How long the local DynamoDB takes to answer, and how many requests it answers a second.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDynamoDb } from "../../../host/local/dynamodb.ts";
import { type LoadPlan, runCallers } from "../callers.ts";
import { type Cell, columnsOf, type Measure } from "../result.ts";

const SECONDS = { whole: 3, short: 1 };
const TABLE = `bench-${randomUUID()}`;
/** As large as a receipt's leaf, and as what is written beside it. */
const [LEAF, SMALL] = ["x".repeat(1_400), "y".repeat(150)];
const QUERY_LIMIT = 20;

const key = (pk: string, sk: string) => ({ pk: { S: pk }, sk: { S: sk } });
const insert = (pk: string, sk: string, value: string) => ({
  Put: {
    TableName: TABLE,
    Item: { ...key(pk, sk), value: { S: value }, number: { N: "12" } },
    ConditionExpression: "attribute_not_exists(#pk)",
    ExpressionAttributeNames: { "#pk": "pk" },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  },
});

/** A request to the engine. */
type EngineRequest = readonly [operation: string, request: object];

const transact = (): EngineRequest => [
  "TransactWriteItems",
  {
    ClientRequestToken: randomUUID(),
    TransactItems: [
      insert("chain#0", randomUUID(), LEAF),
      insert(`conversation#${randomUUID()}`, "turn", SMALL),
      insert(`idempotency#${randomUUID()}`, "-", SMALL),
    ],
  },
];
const put = (): EngineRequest => [
  "PutItem",
  { TableName: TABLE, Item: { ...key("one#0", randomUUID()), value: { S: SMALL } } },
];
const query = (): EngineRequest => [
  "Query",
  {
    TableName: TABLE,
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
    ExpressionAttributeValues: { ":pk": { S: "chain#0" }, ":from": { S: " " }, ":to": { S: "~" } },
    ConsistentRead: true,
    Limit: QUERY_LIMIT,
  },
];
const table = (): EngineRequest => [
  "CreateTable",
  {
    TableName: TABLE,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: ["pk", "sk"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
    KeySchema: [
      { AttributeName: "pk", KeyType: "HASH" },
      { AttributeName: "sk", KeyType: "RANGE" },
    ],
  },
];

const ROWS = [
  ["transaction of three items", transact, [1, 16, 64]],
  ["put", put, [1, 16]],
  [`query of ${QUERY_LIMIT} items`, query, [1, 16]],
] as const;

/** The call as the SDK would send it. */
const callOf = (make: () => EngineRequest): LoadPlan["nextCall"] => {
  return () => {
    const [operation, request] = make();
    const headers = {
      "x-amz-target": `DynamoDB_20120810.${operation}`,
      "content-type": "application/x-amz-json-1.0",
      authorization:
        "AWS4-HMAC-SHA256 Credential=local/20400501/local/dynamodb/aws4_request, SignedHeaders=host, Signature=none",
      "x-amz-date": "20400501T000000Z",
    };
    return { headers, body: JSON.stringify(request) };
  };
};

export const measure: Measure = async ({ isQuick, progress }) => {
  const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-engine-"));
  const engine = await startDynamoDb({ file: join(folder, "d") });
  const seconds = isQuick ? SECONDS.short : SECONDS.whole;
  const rows: Cell[][] = [];
  try {
    await fetch(engine.endpoint, { method: "POST", ...callOf(table)() } as RequestInit);
    for (const [name, make, counts] of ROWS) {
      for (const callers of counts) {
        progress(`${name}, ${callers} at once`);
        const plan = { url: engine.endpoint, callers, warmUpSeconds: 1, seconds, nextCall: callOf(make) };
        const { p50, perSecond } = await runCallers(plan);
        rows.push([name, callers, p50, perSecond]);
      }
    }
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true });
  }
  return {
    columns: columnsOf("request: text", "at once: count", "p50: ms", "answered: /s"),
    rows,
    figures: [],
  };
};
