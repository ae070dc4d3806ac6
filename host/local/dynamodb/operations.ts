// The operations that this engine knows, by name: those that the service, its tests and its benches send.
import { consumed, writeUnits } from "./capacity.ts";
import { unsupported } from "./errors.ts";
import { query, scan } from "./query.ts";
import { batchGetItem, getItem } from "./reads.ts";
import type { Request } from "./request.ts";
import type { Store } from "./store.ts";
import { createTable, describeTable, describeTimeToLive, updateTimeToLive } from "./tables.ts";
import { transactWriteItems } from "./transaction.ts";
import {
  apply,
  conditionFailed,
  judge,
  parseDelete,
  parseItemUpdate,
  parsePut,
  type WriteRequest,
  writtenBytes,
} from "./write.ts";

/** Returns the answer's JSON, or throws a DynamoDbError before its first write. */
type RunOperation = (store: Store, request: Request, now: number) => string;

export interface Operation {
  /** A write is answered once it is on disk. */
  readonly isWrite: boolean;
  readonly run: RunOperation;
}

const CAPACITY = ["ReturnConsumedCapacity"];

const reading = (run: RunOperation): Operation => ({ isWrite: false, run });
const writing = (run: (...args: Parameters<RunOperation>) => object): Operation => ({
  isWrite: true,
  run: (...args) => JSON.stringify(run(...args)),
});

const writingItem = (
  parse: (store: Store, request: Request, members: readonly string[]) => WriteRequest,
): Operation => writing((store, request) => writeItem(store, request, parse(store, request, CAPACITY)));

const OPERATIONS: ReadonlyMap<string, Operation> = new Map([
  ["CreateTable", writing(createTable)],
  ["DescribeTable", reading((store, request) => JSON.stringify(describeTable(store, request)))],
  ["DescribeTimeToLive", reading((store, request) => JSON.stringify(describeTimeToLive(store, request)))],
  ["UpdateTimeToLive", writing(updateTimeToLive)],
  ["GetItem", reading(getItem)],
  ["BatchGetItem", reading(batchGetItem)],
  ["Query", reading(query)],
  ["Scan", reading(scan)],
  ["PutItem", writingItem(parsePut)],
  ["UpdateItem", writingItem(parseItemUpdate)],
  ["DeleteItem", writingItem(parseDelete)],
  ["TransactWriteItems", writing(transactWriteItems)],
]);

/** Throws ValidationException, with its name, for one that this engine does not know. */
export function operationNamed(name: string): Operation {
  const operation = OPERATIONS.get(name);
  if (operation === undefined) throw unsupported(`the operation ${name}`);
  return operation;
}

function writeItem(store: Store, request: Request, write: WriteRequest): object {
  const judged = judge(store, write);
  if (judged.kind === "refused") throw conditionFailed(judged.item);
  apply(store, judged);
  return consumed(request, write.table.name, writeUnits(writtenBytes(judged)));
}
