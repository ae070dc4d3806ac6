// S3 on one machine: the four object calls that the service uses, as the AWS SDK sends them in path style.
// https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html
import type { IncomingMessage } from "node:http";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import { type HttpHandler, listen, type Reply } from "../server/http-server.ts";
import { withFullDiskNamed } from "./full-disk.ts";
import { type ObjectName, ObjectTable, type StoredObject } from "./object-table.ts";
import { forOwnClients } from "./own-clients.ts";
import { parseNewObject, parseObjectName, parsePutCondition, S3_STATUS, S3Error } from "./s3-request.ts";

export type ObjectStore = { readonly endpoint: string; readonly close: () => Promise<void> };

/** Serves every bucket name out of the database `file`, on `port` or any free one. */
export async function startObjectStore({
  file,
  port,
  accessKey,
}: {
  file: string;
  port?: number;
  accessKey?: string;
}): Promise<ObjectStore> {
  const objects = openObjects(file);
  const server = await listen(forOwnClients(objects.handler, accessKey), port).catch((error) => {
    objects.close();
    throw error;
  });
  return { endpoint: server.url, close: () => server.close().finally(objects.close) };
}

/** The same without a port. `close` comes after the last request. */
export function openObjects(file: string): { readonly handler: HttpHandler; readonly close: () => void } {
  const table = new ObjectTable(file);
  const handler = withFullDiskNamed((request) => answer(table, request).catch(errorReply), file);
  return { handler, close: () => table.close() };
}

async function answer(table: ObjectTable, request: IncomingMessage): Promise<Reply> {
  const name = parseObjectName(request);
  if (request.method === "PUT") return putObject(table, name, request);
  if (request.method === "DELETE") return deleteObject(table, name);
  if (request.method === "GET" || request.method === "HEAD") return getObject(table, name);
  throw new S3Error("NotImplemented");
}

async function putObject(table: ObjectTable, name: ObjectName, request: IncomingMessage): Promise<Reply> {
  const condition = parsePutCondition(request);
  const object = await parseNewObject(request, Date.now());
  const outcome = table.put(name, object, condition, Date.now());
  if (typeof outcome === "string") throw new S3Error(outcome);
  return { status: 200, headers: outcome };
}

function getObject(table: ObjectTable, name: ObjectName): Reply {
  const object = table.get(name);
  if (object === null) throw new S3Error("NoSuchKey");
  return { status: 200, headers: objectHeaders(object), body: object.body };
}

function deleteObject(table: ObjectTable, name: ObjectName): Reply {
  const refusal = table.remove(name, Date.now());
  if (refusal !== null) throw new S3Error(refusal);
  return { status: 204 };
}

function objectHeaders(object: StoredObject): Record<string, string> {
  const { etag, contentType, cacheControl, lockMode, retainUntil, lastModified } = object;
  return {
    etag,
    "content-type": contentType,
    "last-modified": new Date(lastModified).toUTCString(),
    ...(cacheControl !== null && { "cache-control": cacheControl }),
    ...(lockMode !== null && { "x-amz-object-lock-mode": lockMode }),
    ...(retainUntil !== null && {
      "x-amz-object-lock-retain-until-date": new Date(retainUntil).toISOString(),
    }),
  };
}

/** S3's XML error. All codes and messages are constants of ours, so nothing needs escaping. */
function errorReply(error: unknown): Reply {
  const { code, message } = asS3Error(error);
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return { status: S3_STATUS[code], headers: { "content-type": "application/xml" }, body };
}

function asS3Error(error: unknown): S3Error {
  if (error instanceof S3Error) return error;
  if (isDisclosureError(error, "payload_too_large")) return new S3Error("EntityTooLarge", error.message);
  throw error;
}
