// The names and values that a request's expressions are written with. Each must be used, as DynamoDB demands.
import { invalid } from "./errors.ts";
import { type AttributeValue, isRecord, parseValue } from "./values.ts";

const NAME = /^#\w+$/;
const VALUE = /^:\w+$/;

export interface PlaceholderInput {
  readonly ExpressionAttributeNames?: unknown;
  readonly ExpressionAttributeValues?: unknown;
}

export class Placeholders {
  readonly #names: ReadonlyMap<string, string>;
  readonly #values: ReadonlyMap<string, AttributeValue>;
  readonly #used = new Set<string>();

  /** Throws ValidationException for a map that DynamoDB would refuse. */
  constructor({ ExpressionAttributeNames: names, ExpressionAttributeValues: values }: PlaceholderInput) {
    this.#names = readMap(names, "ExpressionAttributeNames", NAME, parseName);
    this.#values = readMap(values, "ExpressionAttributeValues", VALUE, (value) => parseValue(value));
  }

  /** The attribute that a `#name` stands for. */
  attribute(placeholder: string): string {
    this.#used.add(placeholder);
    const name = this.#names.get(placeholder);
    if (name !== undefined) return name;
    throw invalid(
      `An expression attribute name used in the document path is not defined; attribute name: ${placeholder}`,
    );
  }

  /** The value that a `:value` stands for. */
  value(placeholder: string): AttributeValue {
    this.#used.add(placeholder);
    const value = this.#values.get(placeholder);
    if (value !== undefined) return value;
    throw invalid(
      `An expression attribute value used in expression is not defined; attribute value: ${placeholder}`,
    );
  }

  /** Call it after all expressions were read. */
  requireAllUsed(): void {
    for (const [map, member] of [
      [this.#names, "ExpressionAttributeNames"],
      [this.#values, "ExpressionAttributeValues"],
    ] as const) {
      const unused = [...map.keys()].filter((placeholder) => !this.#used.has(placeholder));
      if (unused.length === 0) continue;
      throw invalid(`Value provided in ${member} unused in expressions: keys: {${unused.join(", ")}}`);
    }
  }
}

function readMap<T>(
  map: unknown,
  member: string,
  syntax: RegExp,
  parse: (value: unknown) => T,
): ReadonlyMap<string, T> {
  if (map === undefined) return new Map();
  const entries = isRecord(map) ? Object.entries(map) : [];
  if (entries.length === 0) throw invalid(`${member} must not be empty`);
  for (const [placeholder] of entries) {
    if (!syntax.test(placeholder)) {
      throw invalid(`${member} contains invalid key: Syntax error; key: "${placeholder}"`);
    }
  }
  return new Map(entries.map(([placeholder, value]) => [placeholder, parse(value)]));
}

function parseName(value: unknown): string {
  if (typeof value === "string" && value !== "") return value;
  throw invalid("ExpressionAttributeNames contains invalid value");
}
