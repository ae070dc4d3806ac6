// Attribute values in DynamoDB's JSON: read strictly, compared as DynamoDB compares them, and measured as it counts them.
import { invalid } from "./errors.ts";
import { canonicalNumber, compareNumbers, numberBytes } from "./numbers.ts";

export type AttributeValue =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly B: string }
  | { readonly BOOL: boolean }
  | { readonly NULL: boolean }
  | { readonly SS: readonly string[] }
  | { readonly NS: readonly string[] }
  | { readonly BS: readonly string[] }
  | { readonly L: readonly AttributeValue[] }
  | { readonly M: ItemAttributes };
export type ItemAttributes = Readonly<Record<string, AttributeValue>>;

const MAX_DEPTH = 32;
/** Bytes of a list or a map without its members, and of each member beside its value. */
const CONTAINER_BYTES = 3;
const MEMBER_BYTES = 1;

/** A value with its numbers in canonical form. Throws ValidationException for what is none. */
export function parseValue(value: unknown, depth = 0): AttributeValue {
  if (depth >= MAX_DEPTH) throw invalid("Nesting Levels have exceeded supported limits");
  const members = isRecord(value) ? Object.entries(value) : [];
  const [[type, held] = ["", null]] = members;
  if (members.length === 1) return parseTyped(type, held, depth);
  const fault = members.length === 0 ? "is empty" : "has more than one datatypes set";
  throw invalid(`Supplied AttributeValue ${fault}, must contain exactly one of the supported datatypes`);
}

function parseTyped(type: string, held: unknown, depth: number): AttributeValue {
  switch (type) {
    case "S":
      return { S: parseText(held) };
    case "N":
      return { N: canonicalNumber(parseText(held)) };
    case "B":
      return { B: parseBinary(held) };
    case "BOOL":
      return { BOOL: parseBoolean(held) };
    case "NULL":
      if (held !== true) throw invalid("Null attribute value types must have the value of true");
      return { NULL: true };
    case "SS":
      return { SS: parseSet(held, parseText) };
    case "NS":
      return { NS: parseSet(held, (member) => canonicalNumber(parseText(member))) };
    case "BS":
      return { BS: parseSet(held, parseBinary) };
    case "L":
      return { L: parseList(held).map((member) => parseValue(member, depth + 1)) };
    case "M":
      return { M: parseAttributes(held, depth + 1) };
    default:
      throw invalid(`${type} is no type of an attribute value`);
  }
}

/** Attributes by name. Throws ValidationException for what is none. */
export function parseAttributes(value: unknown, depth = 0): ItemAttributes {
  if (!isRecord(value)) throw invalid("attributes must be a map from names to values");
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, parseValue(held, depth)]));
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parseText(value: unknown): string {
  if (typeof value !== "string" || !value.isWellFormed()) throw invalid("a text must be a string of Unicode");
  return value;
}

function parseBoolean(value: unknown): boolean {
  if (typeof value !== "boolean") throw invalid("a BOOL must be true or false");
  return value;
}

function parseBinary(value: unknown): string {
  const text = parseText(value);
  if (Buffer.from(text, "base64").toString("base64") !== text) throw invalid("a binary must be in base64");
  return text;
}

function parseList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid("a list must be an array");
  return value;
}

function parseSet(value: unknown, parseMember: (member: unknown) => string): readonly string[] {
  const members = parseList(value).map(parseMember);
  const rule = "One or more parameter values were invalid: ";
  if (members.length === 0) throw invalid(`${rule}An set attribute value may not be empty`);
  if (new Set(members).size === members.length) return members;
  throw invalid(`${rule}Input collection ${JSON.stringify(members)} contains duplicates.`);
}

/** An attribute of an item: one that it does not have is not what every object inherits under that name. */
export const attributeOf = (item: ItemAttributes, name: string): AttributeValue | undefined =>
  Object.hasOwn(item, name) ? item[name] : undefined;

export const typeOf = (value: AttributeValue): string => Object.keys(value)[0] ?? "";

export const isEqualValue = (a: AttributeValue, b: AttributeValue): boolean => orderless(a) === orderless(b);

/** The value as text in which equal values are equal: sets and maps have no order. */
function orderless(value: AttributeValue): string {
  if ("L" in value) return `L[${value.L.map(orderless).join()}]`;
  if ("M" in value) {
    const members = Object.entries(value.M).map(
      ([name, held]) => `${JSON.stringify(name)}:${orderless(held)}`,
    );
    return `M{${members.sort().join()}}`;
  }
  const [[type, held] = []] = Object.entries(value);
  return `${type}${JSON.stringify(Array.isArray(held) ? held.toSorted() : held)}`;
}

/** The order of two texts, numbers or binaries; null where they are of different types, or of one without an order. */
export function compareValues(a: AttributeValue, b: AttributeValue): number | null {
  if ("S" in a && "S" in b) return Buffer.compare(Buffer.from(a.S), Buffer.from(b.S));
  if ("N" in a && "N" in b) return compareNumbers(a.N, b.N);
  if ("B" in a && "B" in b) return Buffer.compare(Buffer.from(a.B, "base64"), Buffer.from(b.B, "base64"));
  return null;
}

/** The size of attributes as DynamoDB counts it for its limits and units: names and values. */
export const attributeBytes = (attributes: ItemAttributes): number =>
  sumOf(Object.entries(attributes), ([name, value]) => Buffer.byteLength(name) + valueBytes(value));

function valueBytes(value: AttributeValue): number {
  if ("S" in value) return Buffer.byteLength(value.S);
  if ("N" in value) return numberBytes(value.N);
  if ("B" in value) return Buffer.byteLength(value.B, "base64");
  if ("SS" in value) return sumOf(value.SS, (member) => Buffer.byteLength(member));
  if ("NS" in value) return sumOf(value.NS, numberBytes);
  if ("BS" in value) return sumOf(value.BS, (member) => Buffer.byteLength(member, "base64"));
  if ("L" in value) return CONTAINER_BYTES + sumOf(value.L, (member) => MEMBER_BYTES + valueBytes(member));
  if ("M" in value)
    return CONTAINER_BYTES + MEMBER_BYTES * Object.keys(value.M).length + attributeBytes(value.M);
  return 1;
}

const sumOf = <T>(list: readonly T[], of: (member: T) => number): number =>
  list.reduce((sum, member) => sum + of(member), 0);
