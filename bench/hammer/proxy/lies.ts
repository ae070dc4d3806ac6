// Lies of an authority, and of a bucket that has other bytes than it was given.
import { randomBytes } from "node:crypto";
import { indexIn, type Random } from "../../throughput/random.ts";
import { objectError, PRECONDITION_FAILED, type ProxyReply } from "./errors.ts";
import { type ForwardedRequest, forward } from "./forward.ts";

const OK = 200;
const REPLY_HEADERS = { "content-type": "application/timestamp-reply" };
const GARBAGE_BYTES = 2_000;
/** An OCTET STRING of 32 bytes: the imprint of a TimeStampReq (RFC 3161 section 2.4.1). */
const IMPRINT = Buffer.from([0x04, 0x20]);
const IMPRINT_BYTES = 32;
const INTEGER = 0x02;
/** A token half of which came. */
const HALF = 1 / 2;

const AUTHORITY_LIES = ["other root", "other nonce", "garbage", "half an answer"] as const;

/** A well-formed answer about something else, or no answer at all. */
export async function lieAsAuthority(request: ForwardedRequest, random: Random): Promise<ProxyReply> {
  const lie = AUTHORITY_LIES[indexIn(random, AUTHORITY_LIES.length)] ?? "garbage";
  if (lie === "garbage") return { status: OK, headers: REPLY_HEADERS, body: randomBytes(GARBAGE_BYTES) };
  if (lie === "half an answer") {
    const { status, headers, body } = await forward(request);
    return { status, headers: { ...headers }, body: body.slice(0, body.length * HALF) };
  }
  return forward({
    ...request,
    body: lie === "other root" ? otherRoot(request.body) : otherNonce(request.body),
  });
}

function otherRoot(der: Uint8Array): Uint8Array {
  const changed = Buffer.from(der);
  const at = changed.indexOf(IMPRINT) + IMPRINT.length;
  changed.set(randomBytes(IMPRINT_BYTES), at);
  return changed;
}

/** The nonce follows the imprint where the request names no policy, as ours. */
function otherNonce(der: Uint8Array): Uint8Array {
  const changed = Buffer.from(der);
  const at = changed.indexOf(IMPRINT) + IMPRINT.length + IMPRINT_BYTES;
  const [tag, length = 0] = changed.subarray(at);
  if (tag !== INTEGER) return changed;
  const last = at + 1 + length;
  changed.writeUInt8((changed[last] ?? 0) ^ 1, last);
  return changed;
}

/**
 * Objects that are said to be there with other bytes. None is written: the sealer's own write is refused, and its next
 * read of the object, by which it compares, is answered with what it never wrote.
 */
export class OtherBytes {
  readonly #bodies = new Map<string, { readonly type: string; readonly body: Uint8Array }>();
  /** Reads that were answered so. */
  shown = 0;

  refuse({ url, headers, body }: ForwardedRequest): ProxyReply {
    const type = String(headers["content-type"] ?? "");
    this.#bodies.set(keyOf(url), { type, body: changedBytes(type, body) });
    return objectError(PRECONDITION_FAILED, "PreconditionFailed");
  }

  /** Null for an object about which nothing is said. Each lie is told once. */
  read({ method, url }: ForwardedRequest): ProxyReply | null {
    const told = method === "GET" ? this.#bodies.get(keyOf(url)) : undefined;
    if (told === undefined) return null;
    this.#bodies.delete(keyOf(url));
    this.shown++;
    return { status: OK, headers: { "content-type": told.type, etag: '"other"' }, body: told.body };
  }

  clear(): void {
    this.#bodies.clear();
  }
}

const keyOf = (url: string): string => new URL(url).pathname;

/** A seal that differs in its number of receipts is still a seal; of a tile any byte may differ. */
function changedBytes(type: string, body: Uint8Array): Uint8Array {
  if (type.startsWith("application/json")) {
    const text = Buffer.from(body).toString("utf8");
    return Buffer.from(
      text.replace(/"receipt_count":(\d+)/, (_, count) => `"receipt_count":${Number(count) + 1}`),
    );
  }
  const changed = Buffer.from(body);
  changed.writeUInt8((changed[0] ?? 0) ^ 1, 0);
  return changed;
}
