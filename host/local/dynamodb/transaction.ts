// TransactWriteItems: all writes or none, each judged by the items as they were before, and a token that is used once.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
import { hash } from "node:crypto";
import { MINUTE_MS } from "../../../contract/time.ts";
import { consumed, writeUnits } from "./capacity.ts";
import { DynamoDbError, invalid } from "./errors.ts";
import { keyName } from "./keys.ts";
import { parseMembers, type Request, requireKnown } from "./request.ts";
import type { Store } from "./store.ts";
import { isRecord } from "./values.ts";
import {
  apply,
  type Judged,
  judge,
  parseCheck,
  parseDelete,
  parseItemUpdate,
  parsePut,
  type WriteRequest,
  writtenBytes,
} from "./write.ts";

const MAX_ITEMS = 100;
const MAX_TOTAL_BYTES = 4 * 1024 * 1024;
const MAX_TOKEN_LENGTH = 36;
/** For so long a token is remembered. */
const TOKEN_LIFE_MS = 10 * MINUTE_MS;
/** Each item is prepared and committed. */
const UNITS_IN_TRANSACTION = 2;
const NO_REASON = { Code: "None" };

type Accepted = Extract<Judged, { kind: "accepted" }>;
type Reason = { readonly Code: string; readonly Message?: string; readonly Item?: unknown };

/** Carries out the request. Everything that it may be refused for is found before its first write. */
export function transactWriteItems(store: Store, request: Request, now: number): object {
  requireKnown(request, "TransactWriteItems", [
    "TransactItems",
    "ClientRequestToken",
    "ReturnConsumedCapacity",
  ]);
  const writes = parseMembers(request.TransactItems, "TransactItems", MAX_ITEMS).map((member) =>
    parseWrite(store, member),
  );
  const token = parseToken(request.ClientRequestToken);
  const digest = hash("sha256", JSON.stringify(request.TransactItems), "buffer");
  const isRepeated = token !== null && wasUsed(store, token, digest, now);
  requireDistinct(writes);
  requireTotal(writes);
  const accepted = isRepeated ? [] : judgeAll(store, writes);
  for (const write of accepted) apply(store, write);
  if (token !== null && !isRepeated) store.putToken(token, digest, now);
  return answerOf(request, writes, accepted);
}

/** Forgets the tokens whose time is over. */
export const endTokens = (store: Store, now: number): void => store.endTokens(now - TOKEN_LIFE_MS);

function parseWrite(store: Store, member: unknown): WriteRequest {
  const [[kind, write] = ["", null], ...others] = isRecord(member) ? Object.entries(member) : [];
  if (others.length > 0) throw invalid("TransactItems can only contain one of Check, Put, Update or Delete");
  if (!isRecord(write)) throw invalid("each of TransactItems must hold a request");
  if (kind === "Put") return parsePut(store, write);
  if (kind === "Update") return parseItemUpdate(store, write);
  if (kind === "Delete") return parseDelete(store, write);
  if (kind === "ConditionCheck") return parseCheck(store, write);
  throw invalid(`TransactItems knows no ${kind}`);
}

function parseToken(token: unknown): string | null {
  if (token === undefined) return null;
  if (typeof token === "string" && token !== "" && token.length <= MAX_TOKEN_LENGTH) return token;
  throw invalid(`ClientRequestToken must have 1 to ${MAX_TOKEN_LENGTH} characters`);
}

/** True if this request was carried out before. A refused one leaves no token, and is judged again. */
function wasUsed(store: Store, token: string, digest: Buffer, now: number): boolean {
  const known = store.tokenDigest(token, now - TOKEN_LIFE_MS);
  if (known === undefined || digest.equals(known)) return known !== undefined;
  throw new DynamoDbError("IdempotentParameterMismatchException", "the token was used with other parameters");
}

function requireDistinct(writes: readonly WriteRequest[]): void {
  const names = new Set(writes.map(({ table, attributes }) => `${table.id} ${keyName(attributes, table)}`));
  if (names.size < writes.length) {
    throw invalid("Transaction request cannot include multiple operations on one item");
  }
}

function requireTotal(writes: readonly WriteRequest[]): void {
  const total = writes.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > MAX_TOTAL_BYTES) {
    throw invalid(`Transaction payload size cannot exceed 4MB. Payload Size: ${total}`);
  }
}

/** Throws TransactionCanceledException, with a reason for each write in its place, unless all are accepted. */
function judgeAll(store: Store, writes: readonly WriteRequest[]): readonly Accepted[] {
  const judged = writes.map((write) => judgeOne(store, write));
  const accepted = judged.filter((one) => "kind" in one);
  if (accepted.length === writes.length) return accepted;
  const reasons = judged.map((one) => ("kind" in one ? NO_REASON : one));
  throw cancelled(reasons);
}

function judgeOne(store: Store, write: WriteRequest): Accepted | Reason {
  try {
    const judged = judge(store, write);
    if (judged.kind === "accepted") return judged;
    const Item = judged.item === null ? {} : { Item: judged.item };
    return { Code: "ConditionalCheckFailed", Message: "The conditional request failed", ...Item };
  } catch (error) {
    if (!(error instanceof DynamoDbError)) throw error;
    return { Code: "ValidationError", Message: error.message };
  }
}

function cancelled(reasons: readonly Reason[]): DynamoDbError {
  const codes = reasons.map(({ Code }) => Code).join(", ");
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  return new DynamoDbError("TransactionCanceledException", message, { CancellationReasons: reasons });
}

/** Units of each table. */
function answerOf(request: Request, writes: readonly WriteRequest[], accepted: readonly Accepted[]): object {
  const tables = [...new Set(writes.map(({ table }) => table))];
  const units = tables.flatMap((table) => {
    const bytes = accepted.filter(({ write }) => write.table === table).map(writtenBytes);
    const total = bytes.reduce((sum, size) => sum + UNITS_IN_TRANSACTION * writeUnits(size), 0);
    return consumed(request, table.name, total).ConsumedCapacity ?? [];
  });
  return units.length === 0 ? {} : { ConsumedCapacity: units };
}
