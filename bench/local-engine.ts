// `node bench/local-engine.ts [--against URL] [--folder FOLDER]`: how long the local DynamoDB takes to answer, and how
// many requests it answers a second. Beside another DynamoDB, in turns, the ratios say which is faster on this machine.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startDynamoDb } from "../local/dynamodb.ts";
import { machine, medianOf } from "./measuring.ts";

const ROUNDS = 5;
const ROUND_MS = 600;
const MS_PER_SECOND = 1_000;
const OK = 200;
const TABLE = `bench-${randomUUID()}`;
/** As large as a receipt's leaf, and as what is written beside it. */
const [LEAF, SMALL] = ["x".repeat(1_400), "y".repeat(150)];
const QUERY_LIMIT = 20;

const { values: wanted } = parseArgs({
  options: { against: { type: "string" }, folder: { type: "string", default: tmpdir() } },
});

/** Sends one request. Throws where it is refused. */
type EngineCall = (operation: string, request: object) => Promise<void>;
type Work = (call: EngineCall, caller: number) => Promise<void>;
interface EngineRow {
  readonly name: string;
  readonly callers: number;
  readonly work: Work;
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

const transact: Work = (call, caller) =>
  call("TransactWriteItems", {
    ClientRequestToken: randomUUID(),
    TransactItems: [
      insert(`chain#${caller}`, randomUUID(), LEAF),
      insert(`conversation#${randomUUID()}`, "turn", SMALL),
      insert(`idempotency#${randomUUID()}`, "-", SMALL),
    ],
  });
const put: Work = (call, caller) =>
  call("PutItem", { TableName: TABLE, Item: { ...key(`one#${caller}`, randomUUID()), value: { S: SMALL } } });
const query: Work = (call) =>
  call("Query", {
    TableName: TABLE,
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
    ExpressionAttributeValues: { ":pk": { S: "chain#0" }, ":from": { S: " " }, ":to": { S: "~" } },
    ConsistentRead: true,
    Limit: QUERY_LIMIT,
  });

const rowsOf = (name: string, work: Work, callers: readonly number[]): EngineRow[] =>
  callers.map((count) => ({ name: `${name}, ${count} at once`, callers: count, work }));
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
async function runRound({ callers, work }: EngineRow, call: EngineCall): Promise<number[]> {
  const took: number[] = [];
  const end = performance.now() + ROUND_MS;
  const callOn = async (caller: number): Promise<void> => {
    for (let start = performance.now(); start < end; start = performance.now()) {
      await work(call, caller);
      took.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => callOn(caller)));
  return took;
}

/** Rounds in turns, so that whatever else the machine does is no engine's own. */
async function measure(row: EngineRow, engines: readonly EngineCall[]): Promise<number[][]> {
  const took: number[][] = engines.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, call] of engines.entries()) took[i]?.push(...(await runRound(row, call)));
  }
  return took;
}

function lineOf({ name }: EngineRow, [ours = [], other]: readonly number[][]): string {
  const rate = (ours.length / (ROUNDS * ROUND_MS)) * MS_PER_SECOND;
  const own = `${name}: ${medianOf(ours).toFixed(2)} ms, ${rate.toFixed(0)} a second`;
  if (other === undefined) return own;
  const times = (medianOf(other) / medianOf(ours)).toFixed(2);
  return `${own}; the other ${medianOf(other).toFixed(2)} ms, ${times} times as long`;
}

const folder = mkdtempSync(join(wanted.folder, "disclosure-receipts-engine-"));
const engine = await startDynamoDb({ file: join(folder, "d") });
try {
  const endpoints = [engine.endpoint, ...(wanted.against === undefined ? [] : [wanted.against])];
  const calls = endpoints.map(callTo);
  for (const call of calls) await createTable(call);
  const [warmUp] = ROWS;
  if (warmUp !== undefined) await measure(warmUp, calls);
  console.log(`${machine()}; files in ${wanted.folder}`);
  for (const row of ROWS) console.log(lineOf(row, await measure(row, calls)));
} finally {
  agent.destroy();
  await engine.close();
  rmSync(folder, { recursive: true });
}
