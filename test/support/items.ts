// Attributes of raw items, as tests read them: what is missing fails the test.
import assert from "node:assert/strict";
import type { AttributeValue } from "@aws-sdk/client-dynamodb";

export type Item = Record<string, AttributeValue>;

export function text(item: Item, name: string): string {
  const value = item[name]?.S;
  assert(value !== undefined, `an item has no text ${name}`);
  return value;
}

export function integer(item: Item, name: string): number {
  const value = Number(item[name]?.N);
  assert(Number.isSafeInteger(value), `an item has no integer ${name}`);
  return value;
}

export function bytes(item: Item, name: string): Buffer {
  const value = item[name]?.B;
  assert(value !== undefined, `an item has no bytes ${name}`);
  return Buffer.from(value);
}

/** Sort keys count in 16 digits. */
export const digits = (index: number): string => index.toString().padStart(16, "0");
