// Conditions on the item that a write finds: clauses with names, and the two ways to join them.
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { PARTITION_KEY } from "../../contract/table.ts";
import type { Item } from "./item.ts";

/** A condition in DynamoDB's language. An attribute is written `#name`, as some names are reserved words there. */
export interface Condition {
  readonly expression: string;
  readonly attributes: readonly string[];
  readonly values: Item;
}

export const isAbsent = (attribute: string): Condition => ({
  expression: `attribute_not_exists(#${attribute})`,
  attributes: [attribute],
  values: {},
});

export const isPresent = (attribute: string): Condition => ({
  expression: `attribute_exists(#${attribute})`,
  attributes: [attribute],
  values: {},
});

const compare = (attribute: string, operator: string, value: AttributeValue): Condition => ({
  expression: `#${attribute} ${operator} :if_${attribute}`,
  attributes: [attribute],
  values: { [`:if_${attribute}`]: value },
});

export const isEqual = (attribute: string, value: AttributeValue): Condition =>
  compare(attribute, "=", value);
export const isAtMost = (attribute: string, value: AttributeValue): Condition =>
  compare(attribute, "<=", value);
export const isAbove = (attribute: string, value: AttributeValue): Condition =>
  compare(attribute, ">", value);

/** Every item has its partition key, so these two say whether there is one. */
export const noItemExists = isAbsent(PARTITION_KEY);
export const itemExists = isPresent(PARTITION_KEY);

export const anyOf = (...clauses: readonly Condition[]): Condition => join(" OR ", clauses);
export const allOf = (...clauses: readonly Condition[]): Condition => join(" AND ", clauses);

const join = (operator: string, clauses: readonly Condition[]): Condition => ({
  expression: clauses.map(({ expression }) => `(${expression})`).join(operator),
  attributes: clauses.flatMap(({ attributes }) => attributes),
  values: Object.assign({}, ...clauses.map(({ values }) => values)),
});
