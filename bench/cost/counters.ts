// Proxies that count what the service asks of AWS, where the requests leave the process. DynamoDB itself says how many
// units a request takes.
import type { IncomingMessage } from "node:http";
import { PARTITIONS } from "../../contract/table.ts";
import { listen, type Reply, readBody } from "../../host/server/http-server.ts";
import { RECEIPT_CORE } from "../../service/ledger/chain-leaf.ts";
import { ITEM_OVERHEAD_BYTES, itemBytes } from "./item-bytes.ts";

const MAX_BODY_BYTES = 16 * 1024 * 1024;
const OF_TABLES = /(?:Table|TimeToLive)$/;
const WRITES = new Set(["TransactWriteItems", "PutItem", "UpdateItem"]);

/** Everything that is counted, by its words in the table of the result. Texts count as UTF-8. */
export const COUNTED = {
  calls: "runs counted",
  authorizations: "authorizer runs",
  /** Requests to DynamoDB, KMS and S3. */
  requests: "requests to DynamoDB, KMS, S3",
  /** Queries for the newest seals: what receipts name in `recorded_after` is found by these alone. */
  sealQueries: "of them for the newest seals",
  writeUnits: "write units",
  readUnits: "read units",
  /** Bytes that stay in the table for good. */
  storedBytes: "bytes kept",
  /** Those of them that hold receipts, and the bytes of these receipts as JSON text. */
  storedCoreBytes: "of them receipts",
  coreTextBytes: "receipts as text, bytes",
  macs: "GenerateMac",
  signatures: "Sign",
  timestamps: "timestamps",
  s3Puts: "S3 PUT",
  s3Gets: "S3 GET",
  logLines: "log lines",
  logBytes: "log bytes",
  answerBytes: "answer bytes",
};

/** Totals of one run. */
export type Counts = Record<keyof typeof COUNTED, number>;

export const noCounts = (): Counts =>
  Object.fromEntries(Object.keys(COUNTED).map((name) => [name, 0])) as Counts;

export function combine(a: Counts, b: Counts, by: (a: number, b: number) => number): Counts {
  const result = noCounts();
  for (const name of Object.keys(result) as (keyof Counts)[]) result[name] = by(a[name], b[name]);
  return result;
}

/** A request on its way to AWS, and the bytes of its body. */
interface ProxiedCall {
  readonly request: IncomingMessage;
  readonly body: Uint8Array;
}

/** Passes everything on to `target`, as `before` has changed it, and shows `after` what came back. */
async function startProxy(
  target: string,
  before: (call: ProxiedCall) => Uint8Array,
  after: (call: ProxiedCall, answer: Uint8Array) => void = () => {},
) {
  const { url, close } = await listen(async (request): Promise<Reply> => {
    const passing = { request, body: await readBody(request, MAX_BODY_BYTES) };
    const body = before(passing);
    const response = await fetch(target + request.url, {
      method: request.method ?? "GET",
      headers: headersOf(request),
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    const answer = new Uint8Array(await response.arrayBuffer());
    after(passing, answer);
    return { status: response.status, headers: answerHeaders(response), body: answer };
  });
  return { url, close };
}

export const countDynamoDb = (target: string, counts: Counts) =>
  startProxy(target, askForUnits, (passing, answer) => {
    counts.requests++;
    if (asksForNewestSeals(passing)) counts.sealQueries++;
    const units = consumedUnits(parseJson(answer));
    if (WRITES.has(operationOf(passing.request))) counts.writeUnits += units;
    else counts.readUnits += units;
    const kept = keptItems(parseJson(passing.body));
    counts.storedBytes += sumOf(kept, (item) => itemBytes(item) + ITEM_OVERHEAD_BYTES);
    counts.storedCoreBytes += sumOf(kept, coreBytes);
  });

export const countKms = (target: string, counts: Counts) =>
  startProxy(target, ({ request, body }) => {
    counts.requests++;
    if (operationOf(request) === "GenerateMac") counts.macs++;
    if (operationOf(request) === "Sign") counts.signatures++;
    return body;
  });

export const countS3 = (target: string, counts: Counts) =>
  startProxy(target, ({ request, body }) => {
    counts.requests++;
    if (request.method === "PUT") counts.s3Puts++;
    else counts.s3Gets++;
    return body;
  });

export const countTimestamps = (target: string, counts: Counts) =>
  startProxy(target, ({ body }) => {
    counts.timestamps++;
    return body;
  });

/** Counts the lines that the handlers write instead of showing them; `end` shows lines again. */
export function countLogs(counts: Counts): { readonly end: () => void } {
  const write = process.stdout.write;
  process.stdout.write = (chunk: string | Uint8Array) => {
    counts.logLines++;
    counts.logBytes += Buffer.byteLength(chunk);
    return true;
  };
  return {
    end: () => {
      process.stdout.write = write;
    },
  };
}

const operationOf = ({ headers }: IncomingMessage): string =>
  String(headers["x-amz-target"]).split(".").at(-1) ?? "";

function asksForNewestSeals({ request, body }: ProxiedCall): boolean {
  if (operationOf(request) !== "Query") return false;
  const { ScanIndexForward, ExpressionAttributeValues = {} } = parseJson(body);
  const values = Object.values(ExpressionAttributeValues as Record<string, { S?: string }>);
  return ScanIndexForward === false && values.some(({ S }) => S === PARTITIONS.seals);
}

/** Operations on the table itself, as CreateTable, consume no units and do not take the question. */
const askForUnits = ({ request, body }: ProxiedCall): Uint8Array =>
  OF_TABLES.test(operationOf(request))
    ? body
    : Buffer.from(JSON.stringify({ ...parseJson(body), ReturnConsumedCapacity: "TOTAL" }));

/** One table's units, or a list where a request could have named several tables. */
function consumedUnits({ ConsumedCapacity = [] }: Json): number {
  const all = [ConsumedCapacity].flat() as { CapacityUnits: number }[];
  return all.reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
}

/** New items that don't expire. */
function keptItems({ TransactItems = [] }: Json): Json[] {
  const items = (TransactItems as { Put?: { Item: Json } }[]).flatMap(({ Put }) => (Put ? [Put.Item] : []));
  return items.filter((item) => item.expires_at === undefined);
}

/** The value alone: its name is there in any form. */
const coreBytes = ({ [RECEIPT_CORE]: core }: Json): number =>
  core === undefined ? 0 : itemBytes({ "": core });

const sumOf = <T>(list: readonly T[], of: (member: T) => number): number =>
  list.reduce((sum, member) => sum + of(member), 0);

type Json = Record<string, unknown>;
const parseJson = (bytes: Uint8Array): Json => JSON.parse(Buffer.from(bytes).toString("utf8"));

const NOT_PASSED_ON = new Set(["host", "connection", "content-length", "expect", "transfer-encoding"]);
const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !NOT_PASSED_ON.has(name))
      .map(([name, value]) => [name, String(value)]),
  );
const answerHeaders = ({ headers }: Response): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !NOT_PASSED_ON.has(name)));
