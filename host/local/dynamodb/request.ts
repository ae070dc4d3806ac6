// Requests as JSON has them: members by name, of which an operation takes those that the service sends.
import { DynamoDbError, invalid, unsupported } from "./errors.ts";
import type { Store, StoredTable } from "./store.ts";
import { isRecord } from "./values.ts";

export type Request = Readonly<Record<string, unknown>>;

/** Throws SerializationException for what is no request. */
export function parseRequest(body: Uint8Array): Request {
  const request = parseJson(Buffer.from(body).toString("utf8"));
  if (isRecord(request)) return request;
  throw new DynamoDbError("SerializationException", "the request's body is not a JSON object");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Throws ValidationException for a member that `what` does not take here. */
export function requireKnown(request: Request, what: string, members: readonly string[]): void {
  const other = Object.keys(request).find((member) => !members.includes(member));
  if (other !== undefined) throw unsupported(`${other} in ${what}`);
}

/** Throws ResourceNotFoundException where there is none. */
export function tableOf(store: Store, name: unknown): StoredTable {
  const table = typeof name === "string" ? store.table(name) : undefined;
  if (table !== undefined) return table;
  throw new DynamoDbError("ResourceNotFoundException", "Cannot do operations on a non-existent table");
}

/** A member that is a list. Throws ValidationException for one with fewer or more than these members. */
export function parseMembers(list: unknown, name: string, max: number): readonly unknown[] {
  if (!Array.isArray(list) || list.length === 0) throw invalid(`${name} must have at least one member`);
  if (list.length > max) throw invalid(`${name} must have length less than or equal to ${max}`);
  return list;
}
