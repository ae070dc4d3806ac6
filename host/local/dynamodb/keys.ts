// The keys of items: two texts, a partition key and a sort key.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
import { invalid } from "./errors.ts";
import { attributeOf, type ItemAttributes, parseAttributes, typeOf } from "./values.ts";

const MAX_PARTITION_KEY_BYTES = 2048;
const MAX_SORT_KEY_BYTES = 1024;
const KEY_PARTS = 2;

/** The names of a table's two key attributes. */
export interface KeySchema {
  readonly partition: string;
  readonly sort: string;
}

export interface Key {
  readonly partition: string;
  readonly sort: string;
}

/** A key and nothing else, as a request has it. Throws ValidationException for what is none in any table like this. */
export function parseKeyAttributes(value: unknown, schema: KeySchema): ItemAttributes {
  const attributes = parseAttributes(value);
  if (Object.keys(attributes).length !== KEY_PARTS) {
    throw invalid("The number of conditions on the keys is invalid");
  }
  requireKey(attributes, schema);
  return attributes;
}

/** The same, judged whole. */
export const parseKey = (value: unknown, schema: KeySchema): Key =>
  keyOf(parseKeyAttributes(value, schema), schema);

/** Throws ValidationException for an item that lacks a part of its key. */
export function requireKey(item: ItemAttributes, { partition, sort }: KeySchema): void {
  for (const name of [partition, sort]) {
    const held = attributeOf(item, name);
    if (held === undefined) throw invalid("One of the required keys was not given a value");
    if (!("S" in held) || held.S !== "") continue;
    const rule = "One or more parameter values are not valid. The AttributeValue for a key attribute";
    throw invalid(`${rule} cannot contain an empty string value. Key: ${name}`);
  }
}

/** The key among an item's attributes. Throws ValidationException where it has another type, or is too long. */
export const keyOf = (item: ItemAttributes, { partition, sort }: KeySchema): Key => ({
  partition: keyText(item, partition, MAX_PARTITION_KEY_BYTES),
  sort: keyText(item, sort, MAX_SORT_KEY_BYTES),
});

export const keyAttributes = (key: Key, schema: KeySchema): ItemAttributes => ({
  [schema.partition]: { S: key.partition },
  [schema.sort]: { S: key.sort },
});

/** The key among an item's attributes, whatever it is, as one text that no other key has. */
export const keyName = (item: ItemAttributes, { partition, sort }: KeySchema): string =>
  JSON.stringify([item[partition], item[sort]]);

function keyText(item: ItemAttributes, name: string, maxBytes: number): string {
  const held = attributeOf(item, name) ?? { NULL: true };
  if (!("S" in held)) {
    const mismatch = `Type mismatch for key ${name} expected: S actual: ${typeOf(held)}`;
    throw invalid(`One or more parameter values were invalid: ${mismatch}`);
  }
  if (Buffer.byteLength(held.S) <= maxBytes) return held.S;
  throw invalid(`Size of the key ${name} has exceeded the maximum size limit of ${maxBytes} bytes`);
}
