// Tables: made, described, and given a time to live. Both take effect at once here.
import { SECOND_MS } from "../../../contract/time.ts";
import { DynamoDbError, invalid, unsupported } from "./errors.ts";
import type { KeySchema } from "./keys.ts";
import { type Request, requireKnown, tableOf } from "./request.ts";
import type { Store, StoredTable } from "./store.ts";
import { isRecord } from "./values.ts";

const NAME = /^[a-zA-Z0-9_.-]{3,255}$/;
const PAY_PER_REQUEST = "PAY_PER_REQUEST";

/** Throws ResourceInUseException where there is one of this name. */
export function createTable(store: Store, request: Request, now: number): object {
  requireKnown(request, "CreateTable", ["TableName", "BillingMode", "AttributeDefinitions", "KeySchema"]);
  const { TableName: name, BillingMode: billing } = request;
  if (typeof name !== "string" || !NAME.test(name)) {
    throw invalid("TableName must have 3 to 255 letters, digits, dots, dashes or underscores");
  }
  if (billing !== PAY_PER_REQUEST) throw unsupported("a table that is not billed per request");
  const schema = parseSchema(request);
  if (store.table(name) !== undefined) {
    throw new DynamoDbError("ResourceInUseException", "Cannot create preexisting table");
  }
  store.addTable(name, schema, now);
  return { TableDescription: describe(tableOf(store, name)) };
}

export function describeTable(store: Store, request: Request): object {
  requireKnown(request, "DescribeTable", ["TableName"]);
  return { Table: describe(tableOf(store, request.TableName)) };
}

export function describeTimeToLive(store: Store, request: Request): object {
  requireKnown(request, "DescribeTimeToLive", ["TableName"]);
  const { timeToLive } = tableOf(store, request.TableName);
  return {
    TimeToLiveDescription:
      timeToLive === null
        ? { TimeToLiveStatus: "DISABLED" }
        : { TimeToLiveStatus: "ENABLED", AttributeName: timeToLive },
  };
}

/** Items that were written before are kept for ever, so it is done before the first. */
export function updateTimeToLive(store: Store, request: Request): object {
  requireKnown(request, "UpdateTimeToLive", ["TableName", "TimeToLiveSpecification"]);
  const table = tableOf(store, request.TableName);
  const { TimeToLiveSpecification: wanted } = request;
  const { AttributeName: name, Enabled: isEnabled } = isRecord(wanted) ? wanted : {};
  if (typeof name !== "string" || name === "") throw invalid("AttributeName must name an attribute");
  if (isEnabled !== true) throw unsupported("the end of a time to live");
  if (table.timeToLive !== null) throw invalid("TimeToLive is already enabled");
  store.setTimeToLive(table, name);
  return { TimeToLiveSpecification: { Enabled: true, AttributeName: name } };
}

/** A text for the partition, and one to sort by. */
function parseSchema({ KeySchema: keys, AttributeDefinitions: definitions }: Request): KeySchema {
  const [partition, sort] = ["HASH", "RANGE"].map((type) => nameOf(keys, "KeyType", type));
  if (partition === undefined || sort === undefined || listOf(keys).length !== 2) {
    throw unsupported("a key other than one of HASH and RANGE");
  }
  const texts = listOf(definitions).filter((definition) => definition.AttributeType === "S");
  const names = texts.map(({ AttributeName }) => AttributeName).sort();
  if (listOf(definitions).length !== 2 || String(names) !== String([partition, sort].sort())) {
    throw unsupported("a key that is not of two texts");
  }
  return { partition, sort };
}

function nameOf(list: unknown, member: string, value: string): string | undefined {
  const name = listOf(list).find((entry) => entry[member] === value)?.AttributeName;
  return typeof name === "string" ? name : undefined;
}

const listOf = (value: unknown): readonly Request[] => (Array.isArray(value) ? value.filter(isRecord) : []);

const describe = ({ name, partition, sort, createdAt }: StoredTable): object => ({
  TableName: name,
  TableStatus: "ACTIVE",
  CreationDateTime: createdAt / SECOND_MS,
  BillingModeSummary: { BillingMode: PAY_PER_REQUEST },
  AttributeDefinitions: [partition, sort].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
  KeySchema: [
    { AttributeName: partition, KeyType: "HASH" },
    { AttributeName: sort, KeyType: "RANGE" },
  ],
});
