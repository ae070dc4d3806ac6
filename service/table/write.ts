// Writes as the rest of the service gives them: plain values that name no table and hold no expression.
import type { ScanCommandInput, TransactWriteItem, UpdateItemCommandInput } from "@aws-sdk/client-dynamodb";
import { type Condition, itemExists, noItemExists } from "./condition.ts";
import type { Item } from "./item.ts";
import type { ItemKey } from "./keys.ts";

/** A member of a transaction, which is refused as a whole where a condition of one of its members does not hold. */
export type Write =
  /** Writes a new item. Refused, with the item that is there, where there is one. */
  | { readonly insert: Item }
  /** Writes an item, whatever is there. With `when`, refused with the item that is there unless that holds. */
  | { readonly put: Item; readonly when?: Condition }
  /** Changes an item as `Table.update` does. Refused, with the item that is there, where its `when` does not hold. */
  | { readonly update: Update }
  /** Deletes an item. Refused where there is none. */
  | { readonly remove: ItemKey }
  /** Writes nothing. Refused unless there is an item; with `when`, unless that holds of it. */
  | { readonly check: ItemKey; readonly when?: Condition };

/** A change of one item, which comes into being where there is none and `when` allows that. */
export interface Update {
  readonly key: ItemKey;
  readonly set?: Item;
  /** Attributes that are set where the item does not have them yet. */
  readonly setOnce?: Item;
  readonly remove?: readonly string[];
  /** Members of sets: added and taken out, whatever else the sets hold. */
  readonly addToSets?: Item;
  readonly takeFromSets?: Item;
  readonly when?: Condition;
}

/** A write as a transaction has it. */
export function transactItem(TableName: string, write: Write): TransactWriteItem {
  if ("check" in write)
    return { ConditionCheck: { TableName, Key: write.check, ...conditionOf(write.when ?? itemExists) } };
  if ("remove" in write) return { Delete: { TableName, Key: write.remove, ...conditionOf(itemExists) } };
  if ("update" in write) return { Update: { ...updateInput(TableName, write.update), ...SHOWS_OLD } };
  const [Item, when] = "insert" in write ? [write.insert, noItemExists] : [write.put, write.when];
  if (when === undefined) return { Put: { TableName, Item } };
  return { Put: { TableName, Item, ...conditionOf(when), ...SHOWS_OLD } };
}

const SHOWS_OLD = { ReturnValuesOnConditionCheckFailure: "ALL_OLD" } as const;

/** An update as UpdateItem has it, and a transaction. */
export function updateInput(
  TableName: string,
  update: Update,
): UpdateItemCommandInput & { Key: ItemKey; UpdateExpression: string } {
  const { key, set = {}, setOnce = {}, remove = [], addToSets = {}, takeFromSets = {}, when } = update;
  const assigned = { ...set, ...setOnce, ...addToSets, ...takeFromSets };
  const sets = [
    ...Object.keys(set).map((name) => `#${name} = :${name}`),
    ...Object.keys(setOnce).map((name) => `#${name} = if_not_exists(#${name}, :${name})`),
  ];
  const condition = when === undefined ? undefined : conditionOf(when);
  const values = { ...valuesOf(assigned), ...condition?.ExpressionAttributeValues };
  return {
    TableName,
    Key: key,
    ...condition,
    UpdateExpression: [
      ...section("SET", sets),
      ...section("REMOVE", remove.map(placeholderOf)),
      ...section("ADD", membersOf(addToSets)),
      ...section("DELETE", membersOf(takeFromSets)),
    ].join(" "),
    ExpressionAttributeNames: {
      ...namesOf([...Object.keys(assigned), ...remove]),
      ...condition?.ExpressionAttributeNames,
    },
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

/** One piece of a walk over the table, as Scan has it. */
export function scanInput(TableName: string, filter: Condition, after: Item | null): ScanCommandInput {
  const { ConditionExpression, ...placeholders } = conditionOf(filter);
  return {
    TableName,
    FilterExpression: ConditionExpression,
    ...placeholders,
    ...(after !== null && { ExclusiveStartKey: after }),
  };
}

const conditionOf = ({ expression, attributes, values }: Condition) => ({
  ConditionExpression: expression,
  ExpressionAttributeNames: namesOf(attributes),
  // DynamoDB refuses an empty map.
  ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
});

const placeholderOf = (name: string): string => `#${name}`;

const namesOf = (attributes: readonly string[]): Record<string, string> =>
  Object.fromEntries(attributes.map((name) => [placeholderOf(name), name]));

const valuesOf = (attributes: Item): Item =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`:${name}`, value]));

const membersOf = (sets: Item): string[] => Object.keys(sets).map((name) => `#${name} :${name}`);

const section = (keyword: string, parts: readonly string[]): string[] =>
  parts.length === 0 ? [] : [`${keyword} ${parts.join(", ")}`];
