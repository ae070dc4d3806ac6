// One write of one item: read from a request, judged by the item that is there, and carried out.
import { type ItemTest, parseCondition } from "./condition.ts";
import { DynamoDbError, invalid, unsupported } from "./errors.ts";
import { type Key, keyOf, parseKeyAttributes, requireKey } from "./keys.ts";
import { Placeholders } from "./placeholders.ts";
import { type Request, requireKnown, tableOf } from "./request.ts";
import type { DatedItem, Store, StoredItem, StoredTable } from "./store.ts";
import { expiryOf } from "./time-to-live.ts";
import { applyUpdate, type Changes, parseUpdate } from "./update.ts";
import { attributeBytes, type ItemAttributes, parseAttributes } from "./values.ts";

const MAX_ITEM_BYTES = 400 * 1024;
const CONDITION = [
  "ConditionExpression",
  "ExpressionAttributeNames",
  "ExpressionAttributeValues",
  "ReturnValuesOnConditionCheckFailure",
];

/** The item that a write leaves; null where it leaves none. */
type NewItem = DatedItem | null;

export interface WriteRequest {
  readonly table: StoredTable;
  /** The item's key, and in a put its other attributes. */
  readonly attributes: ItemAttributes;
  /** Their size. */
  readonly bytes: number;
  readonly condition: ItemTest | null;
  /** True where a refusal shows the item that is there. */
  readonly returnsOld: boolean;
  /** Null for a check, which writes nothing. */
  readonly change: ((old: ItemAttributes) => NewItem) | null;
}

/** A write that may be carried out, or the refusal of its condition with the item that is there. */
export type Judged =
  | {
      readonly kind: "accepted";
      readonly write: WriteRequest;
      readonly key: Key;
      readonly old: StoredItem | undefined;
      readonly item: NewItem;
    }
  | { readonly kind: "refused"; readonly item: ItemAttributes | null };

export function parsePut(store: Store, request: Request, members: readonly string[] = []): WriteRequest {
  requireKnown(request, "a put", ["TableName", "Item", ...CONDITION, ...members]);
  const table = tableOf(store, request.TableName);
  const attributes = parseAttributes(request.Item);
  requireKey(attributes, table);
  const item = datedItem(attributes, table, "Item size has exceeded the maximum allowed size");
  return { table, attributes, bytes: item.bytes, ...parseGuard(request), change: () => item };
}

export function parseCheck(store: Store, request: Request): WriteRequest {
  requireKnown(request, "a condition check", ["TableName", "Key", ...CONDITION]);
  if (request.ConditionExpression === undefined)
    throw invalid("a condition check must have a ConditionExpression");
  return { ...parseTarget(store, request), ...parseGuard(request), change: null };
}

export function parseDelete(store: Store, request: Request, members: readonly string[] = []): WriteRequest {
  requireKnown(request, "a delete", ["TableName", "Key", ...CONDITION, ...members]);
  return { ...parseTarget(store, request), ...parseGuard(request), change: () => null };
}

export function parseItemUpdate(
  store: Store,
  request: Request,
  members: readonly string[] = [],
): WriteRequest {
  requireKnown(request, "an update", ["TableName", "Key", "UpdateExpression", ...CONDITION, ...members]);
  const target = parseTarget(store, request);
  const placeholders = new Placeholders(request);
  const update = parseUpdate(request.UpdateExpression, placeholders);
  requireOtherThanKey(update, target.table);
  const change = (old: ItemAttributes): NewItem => {
    const item = applyUpdate(update, { ...target.attributes, ...old });
    return datedItem(item, target.table, "Item size to update has exceeded the maximum allowed size");
  };
  return { ...target, ...parseGuard(request, placeholders), change };
}

function parseTarget(store: Store, request: Request): Pick<WriteRequest, "table" | "attributes" | "bytes"> {
  const table = tableOf(store, request.TableName);
  const attributes = parseKeyAttributes(request.Key, table);
  return { table, attributes, bytes: attributeBytes(attributes) };
}

/** The condition of a write. It is the last of its expressions, after which every placeholder must be used. */
function parseGuard(
  request: Request,
  placeholders = new Placeholders(request),
): Pick<WriteRequest, "condition" | "returnsOld"> {
  const { ConditionExpression: expression, ReturnValuesOnConditionCheckFailure: shown = "NONE" } = request;
  const condition = expression === undefined ? null : parseCondition(expression, placeholders);
  placeholders.requireAllUsed();
  if (shown !== "NONE" && shown !== "ALL_OLD") {
    throw unsupported(`ReturnValuesOnConditionCheckFailure ${shown}`);
  }
  return { condition, returnsOld: shown === "ALL_OLD" };
}

function requireOtherThanKey(update: Changes, { partition, sort }: StoredTable): void {
  const name = [partition, sort].find((part) => update.has(part));
  if (name === undefined) return;
  const message = `Cannot update attribute ${name}. This attribute is part of the key`;
  throw invalid(`One or more parameter values were invalid: ${message}`);
}

function datedItem(item: ItemAttributes, table: StoredTable, tooLarge: string): DatedItem {
  const bytes = attributeBytes(item);
  if (bytes > MAX_ITEM_BYTES) throw invalid(tooLarge);
  return { json: JSON.stringify(item), bytes, expiresAt: expiryOf(item, table.timeToLive) };
}

/** Writes nothing. Throws ValidationException for a write that can't be carried out on the item that is there. */
export function judge(store: Store, write: WriteRequest): Judged {
  const key = keyOf(write.attributes, write.table);
  const stored = store.get(write.table, key);
  const old: ItemAttributes = stored === undefined ? {} : JSON.parse(stored.json);
  if (write.condition?.(old) === false) {
    return { kind: "refused", item: write.returnsOld && stored !== undefined ? old : null };
  }
  return { kind: "accepted", write, key, old: stored, item: write.change?.(old) ?? null };
}

/** Carries out an accepted write. */
export function apply(store: Store, { write, key, item }: Extract<Judged, { kind: "accepted" }>): void {
  if (write.change === null) return;
  if (item === null) store.delete(write.table, key);
  else store.put(write.table, key, item);
}

/** The bytes that are billed: those of the item before or after, whichever are more. */
export const writtenBytes = ({ old, item }: Extract<Judged, { kind: "accepted" }>): number =>
  Math.max(old?.bytes ?? 0, item?.bytes ?? 0);

export const conditionFailed = (item: ItemAttributes | null): DynamoDbError =>
  new DynamoDbError(
    "ConditionalCheckFailedException",
    "The conditional request failed",
    item === null ? {} : { Item: item },
  );
