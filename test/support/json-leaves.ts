// Every place of a JSON value that holds no other, and copies with another value there; for tests of tampering.
import type { JsonObject, JsonValue } from "../../evidence/core/canonical-json.ts";

/** A JSON pointer (RFC 6901) without escapes: no name in our evidence needs them. */
export type Pointer = string;

export interface Leaf {
  readonly pointer: Pointer;
  readonly value: null | boolean | number | string;
}

export function leavesOf(value: JsonValue, pointer: Pointer = ""): Leaf[] {
  if (value === null || typeof value !== "object") return [{ pointer, value }];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, `${pointer}/${name}`));
}

/** A copy of `value` with `replacement` at `pointer`. */
export function withValue(value: JsonValue, pointer: Pointer, replacement: JsonValue): JsonValue {
  const [, name, ...rest] = pointer.split("/");
  if (name === undefined) return replacement;
  const inner = withValue((value as JsonObject)[name] ?? null, ["", ...rest].join("/"), replacement);
  if (Array.isArray(value)) return value.map((member, i) => (String(i) === name ? inner : member));
  return { ...(value as JsonObject), [name]: inner };
}

const HEX = "0123456789abcdef";

/** The value with its smallest change: a digit, a letter, one more or less. `seed` picks the place. */
export function nudged(value: Leaf["value"], seed: number): Leaf["value"] {
  if (value === null) return "something";
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + (seed % 2 === 0 ? 1 : -1);
  const place = seed % Math.max(value.length, 1);
  return value.slice(0, place) + otherCharacter(value.charAt(place)) + value.slice(place + 1);
}

/** Of the same kind where there is one, so that the change isn't caught by its form alone. */
function otherCharacter(character: string): string {
  const digit = HEX.indexOf(character);
  if (digit >= 0) return HEX.charAt(digit ^ 1);
  return character === "x" ? "y" : "x";
}
