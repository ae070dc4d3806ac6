// Requests to the S3 stand-in, read strictly: features that it lacks are refused rather than ignored.
import type { IncomingMessage } from "node:http";
import { crc32 } from "node:zlib";
import { readBody } from "../server/http-server.ts";
import type { NewObject, ObjectName, PutCondition } from "./object-table.ts";

const MAX_BODY_BYTES = 1_048_576;
const MAX_KEY_BYTES = 1_024;
/** The one query parameter of an object call. Any other names a subresource, such as `?retention`. */
const OPERATION_PARAMETER = "x-id";
const CRC32_HEADER = "x-amz-checksum-crc32";
/** S3's default for requests without a type. */
const DEFAULT_CONTENT_TYPE = "binary/octet-stream";

/** S3's errors that the stand-in answers with, and their status. */
export const S3_STATUS = {
  AccessDenied: 403,
  BadDigest: 400,
  EntityTooLarge: 400,
  InvalidArgument: 400,
  InvalidRequest: 400,
  InvalidURI: 400,
  KeyTooLongError: 400,
  NoSuchKey: 404,
  NotImplemented: 501,
  PreconditionFailed: 412,
} as const;

export type S3Code = keyof typeof S3_STATUS;

/** An error that S3 answers, thrown where it is found. */
export class S3Error extends Error {
  readonly code: S3Code;

  constructor(code: S3Code, message: string = code) {
    super(message);
    this.code = code;
  }
}

/** The bucket and key of a path-style request. */
export function parseObjectName(request: IncomingMessage): ObjectName {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  const [, bucket, ...rest] = pathname.split("/");
  const key = decodeKey(rest.join("/"));
  const plain = [...searchParams.keys()].every((parameter) => parameter === OPERATION_PARAMETER);
  // A put with `?retention`, if taken for a put of the object, would overwrite the object that it is to protect.
  if (!bucket || !key || !plain)
    throw new S3Error("NotImplemented", "only calls on one object are supported");
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw new S3Error("KeyTooLongError");
  return { bucket, key };
}

export function parsePutCondition(request: IncomingMessage): PutCondition {
  const ifNoneMatch = header(request, "if-none-match");
  if (ifNoneMatch !== null && ifNoneMatch !== "*") {
    throw new S3Error("NotImplemented", "If-None-Match takes only *");
  }
  return { absent: ifNoneMatch === "*", etag: header(request, "if-match") };
}

/** The object of a put, its body checked against its checksum. `now` is in milliseconds since the epoch. */
export async function parseNewObject(request: IncomingMessage, now: number): Promise<NewObject> {
  const retention = parseRetention(request, now);
  const body = await parseBody(request);
  return {
    body,
    contentType: header(request, "content-type") ?? DEFAULT_CONTENT_TYPE,
    cacheControl: header(request, "cache-control"),
    ...retention,
  };
}

function parseRetention(request: IncomingMessage, now: number): Pick<NewObject, "lockMode" | "retainUntil"> {
  const lockMode = header(request, "x-amz-object-lock-mode");
  const until = header(request, "x-amz-object-lock-retain-until-date");
  if (lockMode === null && until === null) return { lockMode: null, retainUntil: null };
  if (lockMode !== "COMPLIANCE" && lockMode !== "GOVERNANCE")
    throw new S3Error("InvalidArgument", "lock mode");
  const retainUntil = Date.parse(until ?? "");
  if (!(retainUntil > now))
    throw new S3Error("InvalidArgument", "the retain until date must be in the future");
  // S3 requires a checksum of objects that it locks.
  if (header(request, CRC32_HEADER) === null)
    throw new S3Error("InvalidRequest", "retention needs a checksum");
  return { lockMode, retainUntil };
}

async function parseBody(request: IncomingMessage): Promise<Uint8Array> {
  refuseOtherEncodings(request);
  const body = await readBody(request, MAX_BODY_BYTES);
  const expected = header(request, CRC32_HEADER);
  if (expected !== null && expected !== formatCrc32(body)) throw new S3Error("BadDigest");
  return body;
}

/** The SDK sends a buffer or string as it is, with a CRC-32; a stream it sends as aws-chunked. */
function refuseOtherEncodings(request: IncomingMessage): void {
  if (header(request, "content-encoding")?.includes("aws-chunked")) {
    throw new S3Error("NotImplemented", "aws-chunked is not supported: send a buffer, not a stream");
  }
  const digests = Object.keys(request.headers).filter((name) =>
    /^(content-md5|x-amz-checksum-.*)$/.test(name),
  );
  if (digests.some((name) => name !== CRC32_HEADER))
    throw new S3Error("NotImplemented", "only CRC-32 is checked");
}

function formatCrc32(body: Uint8Array): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(body));
  return bytes.toString("base64");
}

function decodeKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error("InvalidURI");
  }
}

const header = (request: IncomingMessage, name: string): string | null => {
  const value = request.headers[name];
  return typeof value === "string" ? value : null;
};
