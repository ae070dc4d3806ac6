// Reads attributes of our own items strictly: one that is not as we wrote it is damage, reported as `ledger_corrupt`.
import type { ZodType } from "zod";
import { parseJson } from "../../evidence/core/canonical-json.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import type { Item } from "./item.ts";

/** A text attribute. Throws `ledger_corrupt` where it is not there. */
export function textOf(item: Item, name: string): string {
  return item[name]?.S ?? damaged(name);
}

/** A number attribute: an integer from 0 on, so far within the safe ones that the next one is too; or `ledger_corrupt`. */
export function integerOf(item: Item, name: string): number {
  const value = Number(item[name]?.N ?? damaged(name));
  const isWithin = Number.isSafeInteger(value) && value >= 0 && value < Number.MAX_SAFE_INTEGER;
  return isWithin ? value : damaged(name);
}

/** A binary attribute of `length` bytes, or `ledger_corrupt`. */
export function bytesOf(item: Item, name: string, length: number): Uint8Array {
  const value = item[name]?.B;
  return value?.length === length ? value : damaged(name);
}

/** A binary attribute of any length, or `ledger_corrupt`. */
export function binaryOf(item: Item, name: string): Uint8Array {
  return item[name]?.B ?? damaged(name);
}

/** A text attribute that holds JSON of this shape, or `ledger_corrupt`: the fault is ours, never the caller's. */
export function jsonOf<T>(item: Item, name: string, schema: ZodType<T>): T {
  const text = textOf(item, name);
  try {
    return schema.parse(parseJson(text));
  } catch (cause) {
    return damaged(name, cause);
  }
}

function damaged(attribute: string, cause?: unknown): never {
  throw new DisclosureError("ledger_corrupt", "an item of the table is damaged", { attribute }, cause);
}
