// Query and Scan: items in the order of their keys, page by page.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html
import { consumed, readUnits } from "./capacity.ts";
import { type ItemTest, parseCondition } from "./condition.ts";
import { invalid, unsupported } from "./errors.ts";
import { type Key, keyAttributes, keyOf, parseKeyAttributes } from "./keys.ts";
import { Lexer } from "./lexer.ts";
import { Placeholders } from "./placeholders.ts";
import { parseProjection, project } from "./projection.ts";
import { jsonOf, listOf } from "./reads.ts";
import { type Request, requireKnown, tableOf } from "./request.ts";
import type { Store, StoredItem, StoredTable } from "./store.ts";
import { type AttributeValue, compareValues } from "./values.ts";

/** A page ends with the item that brings it to this. */
const MAX_PAGE_BYTES = 1024 * 1024;
const BEFORE_ALL: Key = { partition: "", sort: "" };

/** A partition and the range of its sort keys, both ends included. */
interface KeyRange {
  readonly partition: string;
  readonly from: string;
  readonly to: string;
}

export function query(store: Store, request: Request): string {
  requireKnown(request, "Query", [
    "TableName",
    "KeyConditionExpression",
    "ProjectionExpression",
    "ExpressionAttributeNames",
    "ExpressionAttributeValues",
    "ConsistentRead",
    "ScanIndexForward",
    "Limit",
    "ExclusiveStartKey",
    "ReturnConsumedCapacity",
  ]);
  const table = tableOf(store, request.TableName);
  const placeholders = new Placeholders(request);
  const range = parseKeyCondition(request, table, placeholders);
  const { ProjectionExpression: attributes } = request;
  const names = attributes === undefined ? null : parseProjection(attributes, placeholders);
  placeholders.requireAllUsed();
  const start = parseStart(request.ExclusiveStartKey, table);
  const isDescending = request.ScanIndexForward === false;
  // Nothing can follow it, so no page begins behind it.
  const end = isDescending ? range.from : range.to;
  if (start !== null && (!isWithin(start, range) || start.sort === end)) {
    throw invalid("The provided starting key does not match the range key predicate");
  }
  const items = store.range(table, { ...range, isDescending, after: start?.sort ?? null });
  const shown =
    names === null ? null : (page: readonly StoredItem[]) => page.map((item) => project(item, names));
  return pageOf(request, table, items, { end, shown });
}

export function scan(store: Store, request: Request): string {
  requireKnown(request, "Scan", [
    "TableName",
    "FilterExpression",
    "ExpressionAttributeNames",
    "ExpressionAttributeValues",
    "ConsistentRead",
    "Limit",
    "ExclusiveStartKey",
    "ReturnConsumedCapacity",
  ]);
  const table = tableOf(store, request.TableName);
  const start = parseStart(request.ExclusiveStartKey, table);
  const filter = parseFilter(request);
  const shown =
    filter && ((page: readonly StoredItem[]) => page.filter(({ json }) => filter(JSON.parse(json))));
  return pageOf(request, table, store.scan(table, start ?? BEFORE_ALL), { end: null, shown });
}

/** Null where every item is wanted. */
function parseFilter(request: Request): ItemTest | null {
  const placeholders = new Placeholders(request);
  const { FilterExpression: expression } = request;
  const filter =
    expression === undefined ? null : parseCondition(expression, placeholders, "FilterExpression");
  placeholders.requireAllUsed();
  return filter;
}

/** `pk = :pk AND sk BETWEEN :from AND :to`, with the names of the table's key attributes. */
function parseKeyCondition(request: Request, table: StoredTable, placeholders: Placeholders): KeyRange {
  const lexer = new Lexer(request.KeyConditionExpression, "KeyConditionExpression");
  const operand = (name: string) => keyOperand(placeholders.value(lexer.take()), name);
  const attribute = (name: string, operator: string) => {
    const found = lexer.peek().startsWith("#") ? placeholders.attribute(lexer.take()) : lexer.take();
    if (found !== name || !lexer.takeIf(operator)) {
      throw unsupported(`a key condition other than ${table.partition} = … AND ${table.sort} BETWEEN …`);
    }
  };
  attribute(table.partition, "=");
  const partition = operand(table.partition);
  lexer.expect("AND");
  attribute(table.sort, "BETWEEN");
  const from = operand(table.sort);
  lexer.expect("AND");
  const to = operand(table.sort);
  lexer.expectEnd();
  if (isBefore(to, from)) {
    throw invalid("The BETWEEN operator requires upper bound to be greater than or equal to lower bound");
  }
  return { partition, from, to };
}

function keyOperand(value: AttributeValue, name: string): string {
  if (!("S" in value)) throw invalid("Condition parameter type does not match schema type");
  if (value.S !== "") return value.S;
  throw invalid(`The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`);
}

function parseStart(value: unknown, table: StoredTable): Key | null {
  return value === undefined ? null : keyOf(parseKeyAttributes(value, table), table);
}

const isBefore = (a: string, b: string): boolean => Number(compareValues({ S: a }, { S: b })) < 0;

const isWithin = ({ partition, sort }: Key, range: KeyRange): boolean =>
  partition === range.partition && !isBefore(sort, range.from) && !isBefore(range.to, sort);

interface PageRules {
  /** The last sort key that there can be; null where any can be. */
  readonly end: string | null;
  /** It leaves of the items that were read what is answered; null where they are answered as they are. */
  readonly shown: ((page: readonly StoredItem[]) => readonly StoredItem[]) | null;
}

/**
 * Items until the limit or the size of a page, and the last one's key where there may be more: it is not at `end`. Limit
 * and size count what was read, of which a filter or a projection leaves some.
 */
function pageOf(
  request: Request,
  table: StoredTable,
  items: Iterable<StoredItem>,
  { end, shown }: PageRules,
): string {
  const limit = parseLimit(request.Limit);
  const page: StoredItem[] = [];
  let bytes = 0;
  let last: StoredItem | null = null;
  for (const item of items) {
    page.push(item);
    bytes += item.bytes;
    if (page.length < limit && bytes < MAX_PAGE_BYTES) continue;
    last = item;
    break;
  }
  const lastKey = last === null ? null : keyOf(JSON.parse(last.json), table);
  const wanted = shown?.(page) ?? page;
  const others = {
    Count: wanted.length,
    ScannedCount: page.length,
    ...(lastKey !== null && lastKey.sort !== end && { LastEvaluatedKey: keyAttributes(lastKey, table) }),
    ...consumed(request, table.name, readUnits(bytes)),
  };
  return jsonOf({ Items: listOf(wanted) }, others);
}

function parseLimit(limit: unknown): number {
  if (limit === undefined) return Number.POSITIVE_INFINITY;
  if (typeof limit === "number" && Number.isInteger(limit) && limit >= 1) return limit;
  throw invalid("Limit must be greater than or equal to 1");
}
