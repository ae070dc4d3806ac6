// How long the local DynamoDB takes to answer, and how many requests it answers a second.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDynamoDb } from "../../../local/dynamodb.ts";
import { medianOf } from "../../measuring.ts";
import { type Cell, columnsOf, type Measure, NOTHING_ELSE } from "../result.ts";

const PACES = { whole: { rounds: 5, roundMs: 600 }, short: { rounds: 1, roundMs: 100 } };
const MS_PER_SECOND = 1_000;
const OK = 200;
const TABLE = `bench-${randomUUID()}`;
/** As large as a receipt's leaf, and as what is written beside it. */
const [LEAF, SMALL] = ["x".repeat(1_400), "y".repeat(150)];
const QUERY_LIMIT = 20;

/** Sends one request. Throws where it is refused. */
type EngineCall = (operation: string, request: object) => Promise<void>;
type EngineWork = (call: EngineCall, caller: number) => Promise<void>;
interface EngineRow {
  readonly name: string;
  readonly callers: number;
  readonly work: EngineWork;
}

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

const transact: EngineWork = (call, caller) =>
  call("TransactWriteItems", {
    ClientRequestToken: randomUUID(),
    TransactItems: [
      insert(`chain#${caller}`, randomUUID(), LEAF),
      insert(`conversation#${randomUUID()}`, "turn", SMALL),
      insert(`idempotency#${randomUUID()}`, "-", SMALL),
    ],
  });
const put: EngineWork = (call, caller) =>
  call("PutItem", { TableName: TABLE, Item: { ...key(`one#${caller}`, randomUUID()), value: { S: SMALL } } });
const query: EngineWork = (call) =>
  call("Query", {
    TableName: TABLE,
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
    ExpressionAttributeValues: { ":pk": { S: "chain#0" }, ":from": { S: " " }, ":to": { S: "~" } },
    ConsistentRead: true,
    Limit: QUERY_LIMIT,
  });

const rowsOf = (name: string, work: EngineWork, callers: readonly number[]): EngineRow[] =>
  callers.map((count) => ({ name, callers: count, work }));
const ROWS: readonly EngineRow[] = [
  ...rowsOf("transaction of three items", transact, [1, 16, 64]),
  ...rowsOf("put", put, [1, 16]),
  ...rowsOf(`query of ${QUERY_LIMIT} items`, query, [1, 16]),
];

const agent = new Agent({ keepAlive: true });

const callTo =
  (endpoint: string): EngineCall =>
  async (operation, request) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const headers = {
      "x-amz-target": `DynamoDB_20120810.${operation}`,
      "content-type": "application/x-amz-json-1.0",
      authorization:
        "AWS4-HMAC-SHA256 Credential=local/20400501/local/dynamodb/aws4_request, SignedHeaders=host, Signature=none",
      "x-amz-date": "20400501T000000Z",
    };
    const sent = httpRequest(endpoint, { agent, method: "POST", headers }, (response) => {
      const isAnswered = response.statusCode === OK;
      response
        .resume()
        .on("end", () => (isAnswered ? resolve() : reject(new Error(`${operation} is refused`))));
    });
    sent.on("error", reject).end(JSON.stringify(request));
    return promise;
  };

const createTable = (call: EngineCall): Promise<void> =>
  call("CreateTable", {
    TableName: TABLE,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: ["pk", "sk"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
    KeySchema: [
      { AttributeName: "pk", KeyType: "HASH" },
      { AttributeName: "sk", KeyType: "RANGE" },
    ],
  });

/** How long each request of a round took. */
async function runRound({ callers, work }: EngineRow, call: EngineCall, ms: number): Promise<number[]> {
  const took: number[] = [];
  const end = performance.now() + ms;
  const callOn = async (caller: number): Promise<void> => {
    for (let start = performance.now(); start < end; start = performance.now()) {
      await work(call, caller);
      took.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => callOn(caller)));
  return took;
}

async function measureRow(row: EngineRow, call: EngineCall, { rounds, roundMs }: (typeof PACES)["whole"]) {
  const took: number[] = [];
  for (let round = 0; round < rounds; round++) took.push(...(await runRound(row, call, roundMs)));
  const rate = (took.length / (rounds * roundMs)) * MS_PER_SECOND;
  return [row.name, row.callers, medianOf(took), rate];
}

export const measure: Measure = async ({ isQuick, progress }) => {
  const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-engine-"));
  const engine = await startDynamoDb({ file: join(folder, "d") });
  const pace = isQuick ? PACES.short : PACES.whole;
  const rows: Cell[][] = [];
  try {
    const call = callTo(engine.endpoint);
    await createTable(call);
    const [warmUp] = ROWS;
    if (warmUp !== undefined) await measureRow(warmUp, call, pace);
    for (const row of ROWS) {
      progress(`${row.name}, ${row.callers} at once`);
      rows.push(await measureRow(row, call, pace));
    }
  } finally {
    agent.destroy();
    await engine.close();
    rmSync(folder, { recursive: true });
  }
  return { columns: COLUMNS, rows, figures: [], ...NOTHING_ELSE };
};

const COLUMNS = columnsOf(["request", "text"], ["at once", "count"], ["p50", "ms"], ["answered", "/s"]);
