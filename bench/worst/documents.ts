// Documents as the service gives them, to be filled with the worst, for the bench of the worst evidence.
import { readFileSync } from "node:fs";

const EVIDENCE = new URL("../../test/vectors/evidence/", import.meta.url);

export type JsonOf = Record<string, unknown>;

export const read = (file: string): string => readFileSync(new URL(file, EVIDENCE), "utf8");

export const receipt = (): JsonOf => JSON.parse(read("receipts/hand-off.json")) as JsonOf;
export const bundle = (): JsonOf => JSON.parse(read("bundles/conversation.json")) as JsonOf;
export const list = <T>(count: number, member: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => member(i));

/** As many members as fit. */
export function fill<T>(bytes: number, member: (index: number) => T): T[] {
  const each = JSON.stringify(member(0)).length + 1;
  return list(Math.floor(bytes / each), member);
}
