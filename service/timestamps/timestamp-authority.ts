// One RFC 3161 authority over HTTP (section 3.4): sends a request, and returns the token only after verifying it.
import { formatHex } from "../../evidence/core/bytes.ts";
import { collectBytes } from "../../evidence/core/collect-bytes.ts";
import { DisclosureError, type ErrorCode } from "../../evidence/core/errors.ts";
import { MAX_CLOCK_DIFFERENCE_MS } from "../../evidence/core/timestamps/clock-difference.ts";
import {
  type VerifiedTimestamp,
  verifyTimestampToken,
} from "../../evidence/core/timestamps/timestamp-token.ts";
import { buildTimeStampReq, parseTimeStampResp, randomNonce } from "./timestamp-request.ts";

/** A root (32 bytes) to be stamped, and when what it covers was there, RFC 3339. */
export type StampSubject = { readonly root: Uint8Array; readonly notBefore: string };

/** The means to reach an authority and to verify its answers. */
export type AuthorityContext = {
  /** DER certificates. */
  readonly trustAnchors: readonly Uint8Array[];
  readonly clock: () => Date;
  readonly fetch: typeof globalThis.fetch;
};

export type TimestampReply = { readonly token: Uint8Array; readonly timestamp: VerifiedTimestamp };

/**
 * Real answers have 2 to 8 KiB. Readers take longer tokens (MAX_TOKEN_BYTES), but five of this length, which a seal may
 * have, fit its item in the table, and all tokens of a report fit the body of POST /v1/verify-inclusion.
 */
export const MAX_REPLY_BYTES = 16 * 1024;
const QUERY_TYPE = "application/timestamp-query";
/** The content types of real answers; some have none. Any other, such as a web page, comes from a proxy. */
const REPLY_TYPES: ReadonlySet<string> = new Set([
  "application/timestamp-reply",
  "application/timestamp-response",
  "application/octet-stream",
  "",
]);

/**
 * A token over the root, verified in full, as readers will. Throws `authority_failed` if the authority cannot be reached
 * before `signal` fires or does not answer in RFC 3161, `token_invalid` if what it answers does not hold, and `token_open`
 * if a reader could not judge it.
 */
export async function requestTimestamp(
  url: string,
  { root, notBefore }: StampSubject,
  context: AuthorityContext,
  signal: AbortSignal,
): Promise<TimestampReply> {
  const nonce = randomNonce();
  const body = await exchange(url, buildTimeStampReq(root, nonce), context, signal);
  const token = readToken(body);
  const timestamp = await verifyTimestampToken(token, root, context.trustAnchors, { nonce });
  verifyPlausible(timestamp, context.clock());
  requireNotOlder(timestamp, notBefore);
  return { token, timestamp };
}

async function exchange(
  url: string,
  request: Uint8Array,
  { fetch }: AuthorityContext,
  signal: AbortSignal,
): Promise<Uint8Array> {
  try {
    const headers = { "content-type": QUERY_TYPE };
    // A redirect would send the request, and our trust in the configured address, somewhere else.
    const init: RequestInit = { method: "POST", headers, redirect: "error", signal };
    const response = await fetch(url, { ...init, body: new Uint8Array(request) });
    verifyReplyHead(response);
    return await readBounded(response);
  } catch (error) {
    if (error instanceof DisclosureError) throw error;
    const message = signal.aborted ? "the authority did not answer in time" : "the authority was not reached";
    throw new DisclosureError("authority_failed", message, {}, error);
  }
}

function verifyReplyHead({ status, headers, body }: Response): void {
  const [type = ""] = (headers.get("content-type") ?? "").split(";");
  const isReply = status === 200 && REPLY_TYPES.has(type.trim().toLowerCase());
  if (isReply) return;
  void body?.cancel();
  const evidence = {
    expected: { status: 200, type: "application/timestamp-reply" },
    actual: { status, type },
  };
  throw new DisclosureError(
    "authority_failed",
    "the authority did not answer with a timestamp reply",
    evidence,
  );
}

async function readBounded({ body }: Response): Promise<Uint8Array> {
  const bytes = body === null ? new Uint8Array() : await collectBytes(body, MAX_REPLY_BYTES);
  if (bytes !== null) return bytes;
  const evidence = { expected: MAX_REPLY_BYTES };
  throw new DisclosureError("authority_failed", "the authority's answer is too large", evidence);
}

/** The authority refused, or its answer is in BER: the operator reads the reason. */
const TELLING: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["authority_failed", "token_open"]);

function readToken(body: Uint8Array): Uint8Array {
  try {
    return parseTimeStampResp(body);
  } catch (error) {
    if (error instanceof DisclosureError && TELLING.has(error.code)) throw error;
    const evidence = { start: formatHex(body.subarray(0, 16)), length: body.length };
    throw new DisclosureError("authority_failed", "the answer is no TimeStampResp", evidence, error);
  }
}

/** A clock of ours that was ahead has dated what a right authority stamps now: no reader would accept the token. */
export function requireNotOlder({ genTime }: VerifiedTimestamp, notBefore: string): void {
  if (Date.parse(notBefore) - Date.parse(genTime) <= MAX_CLOCK_DIFFERENCE_MS) return;
  throw new DisclosureError("token_invalid", "the token is older than what it covers", {
    check: "not_before",
    expected: notBefore,
    actual: genTime,
  });
}

/** A token of another hour is of no use: no reader would accept it. */
function verifyPlausible({ genTime }: VerifiedTimestamp, now: Date): void {
  if (Math.abs(Date.parse(genTime) - now.getTime()) <= MAX_CLOCK_DIFFERENCE_MS) return;
  throw new DisclosureError("token_invalid", "genTime is far from our clock", {
    check: "gen_time_plausible",
    expected: now.toISOString(),
    actual: genTime,
  });
}
