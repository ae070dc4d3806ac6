// The errors of AWS that the proxy answers in its place, in the form that each service has.
import { indexIn, type Random } from "../../throughput/random.ts";
import type { AskedOperation } from "./operations.ts";

export interface ProxyReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
}

const BAD_REQUEST = 400;
const SERVER_ERROR = 500;
const UNAVAILABLE = 503;
const CONFLICT = 409;
export const PRECONDITION_FAILED = 412;

export function throttling({ upstream }: AskedOperation, random: Random): ProxyReply {
  if (upstream === "objects") return objectError(UNAVAILABLE, "SlowDown");
  const types =
    upstream === "table"
      ? ["ThrottlingException", "ProvisionedThroughputExceededException"]
      : ["ThrottlingException"];
  return jsonError(BAD_REQUEST, types[indexIn(random, types.length)] ?? "ThrottlingException");
}

/** Table and bucket answer this to a write that meets another one: of a transaction also that its own token is under way. */
export function conflict({ upstream, name }: AskedOperation, body: string, random: Random): ProxyReply {
  if (upstream === "objects") return objectError(CONFLICT, "ConditionalRequestConflict");
  if (name !== "TransactWriteItems") return jsonError(BAD_REQUEST, "TransactionConflictException");
  if (random() < 1 / 2) return jsonError(BAD_REQUEST, "TransactionInProgressException");
  const items = (JSON.parse(body) as { TransactItems?: unknown[] }).TransactItems ?? [];
  const met = indexIn(random, items.length);
  const CancellationReasons = items.map((_, at) =>
    at === met
      ? { Code: "TransactionConflict", Message: "another transaction is under way" }
      : { Code: "None" },
  );
  return jsonError(BAD_REQUEST, "TransactionCanceledException", { CancellationReasons });
}

export const failure = ({ upstream }: AskedOperation): ProxyReply =>
  upstream === "objects"
    ? objectError(SERVER_ERROR, "InternalError")
    : jsonError(SERVER_ERROR, "InternalServerError");

export function objectError(status: number, code: string): ProxyReply {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${code}</Message></Error>`;
  return { status, headers: { "content-type": "application/xml" }, body };
}

const jsonError = (status: number, type: string, members: object = {}): ProxyReply => ({
  status,
  headers: { "content-type": "application/x-amz-json-1.0" },
  body: JSON.stringify({ __type: type, message: type, ...members }),
});
