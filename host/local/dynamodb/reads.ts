// GetItem and BatchGetItem. A read sees all that was answered before it: this process alone has the items.
// Answers are put together from the items' stored JSON, which need not be read for that.
import { consumed, readUnits } from "./capacity.ts";
import { invalid, unsupported } from "./errors.ts";
import { keyAttributes, keyOf, parseKey, parseKeyAttributes } from "./keys.ts";
import { parseMembers, type Request, requireKnown, tableOf } from "./request.ts";
import type { Store, StoredItem } from "./store.ts";
import { isRecord } from "./values.ts";

const MAX_KEYS = 100;
/** An answer of BatchGetItem holds back what would exceed this. */
const MAX_BATCH_BYTES = 16 * 1024 * 1024;

export function getItem(store: Store, request: Request): string {
  requireKnown(request, "GetItem", ["TableName", "Key", "ConsistentRead", "ReturnConsumedCapacity"]);
  const table = tableOf(store, request.TableName);
  const item = store.get(table, parseKey(request.Key, table));
  const units = consumed(request, table.name, readUnits(item?.bytes ?? 0));
  return jsonOf(item === undefined ? {} : { Item: item.json }, units);
}

export function batchGetItem(store: Store, request: Request): string {
  requireKnown(request, "BatchGetItem", ["RequestItems", "ReturnConsumedCapacity"]);
  const { RequestItems: tables } = request;
  const [[name, wanted] = [], ...others] = isRecord(tables) ? Object.entries(tables) : [];
  if (!isRecord(wanted)) throw invalid("RequestItems must hold the keys of a table");
  if (others.length > 0) throw unsupported("BatchGetItem of two tables");
  requireKnown(wanted, "BatchGetItem", ["Keys", "ConsistentRead"]);
  const table = tableOf(store, name);
  const keys = parseMembers(wanted.Keys, "Keys", MAX_KEYS)
    .map((key) => parseKeyAttributes(key, table))
    .map((key) => keyOf(key, table));
  if (new Set(keys.map((key) => JSON.stringify(key))).size < keys.length) {
    throw invalid("Provided list of item keys contains duplicates");
  }
  const read = keys.map((key) => ({ key, item: store.get(table, key) }));
  const fitting = countFitting(read.map(({ item }) => item?.bytes ?? 0));
  const units = read.slice(0, fitting).reduce((sum, { item }) => sum + readUnits(item?.bytes ?? 0), 0);
  const items = read.slice(0, fitting).flatMap(({ item }) => item ?? []);
  const left = read.slice(fitting).map(({ key }) => keyAttributes(key, table));
  const unprocessed = left.length === 0 ? {} : { [table.name]: { ...wanted, Keys: left } };
  const { ConsumedCapacity } = consumed(request, table.name, units);
  return jsonOf(
    { Responses: `{${JSON.stringify(table.name)}:${listOf(items)}}` },
    { UnprocessedKeys: unprocessed, ...(ConsumedCapacity && { ConsumedCapacity: [ConsumedCapacity] }) },
  );
}

/** How many from the first on have no more than the limit together. */
function countFitting(sizes: readonly number[]): number {
  let total = 0;
  const first = sizes.findIndex((bytes) => {
    total += bytes;
    return total > MAX_BATCH_BYTES;
  });
  return first === -1 ? sizes.length : first;
}

export const listOf = (items: readonly StoredItem[]): string => `[${items.map(({ json }) => json).join()}]`;

/** An object of members that are JSON already, and of others. */
export function jsonOf(texts: Readonly<Record<string, string>>, others: object): string {
  const members = [
    ...Object.entries(texts),
    ...Object.entries(others).map(([name, value]) => [name, JSON.stringify(value)]),
  ];
  return `{${members.map(([name, json]) => `"${name}":${json}`).join()}}`;
}
