// The SDK's calls to a stand-in that runs in this process: neither a socket nor a signature is between them, for they take
// two thirds of a call's time. That both work over HTTP is for the tests of the stand-ins and of the whole stack.
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { HttpHandler } from "../../host/server/http-server.ts";

/** What the SDK sends; bodies of the service's calls are whole. */
interface SdkRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | null>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

interface SdkResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
}

/** The stand-ins read no signature. DynamoDB Local reads no more than whose it is, and where it was made. */
const UNCHECKED =
  "AWS4-HMAC-SHA256 Credential=local/20400501/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0";

/** Half of a call's processor time is its signature, which no stand-in checks. */
export const unsigned = {
  sign: async <R extends { headers: Record<string, string> }>(request: R): Promise<R> => {
    request.headers.authorization = UNCHECKED;
    return request;
  },
};

/** For a client's `requestHandler`. Each call takes effect in a later turn, and is answered in another one. */
export const inProcess = (handler: HttpHandler) => ({
  metadata: { handlerProtocol: "http/1.1" },
  handle: async (request: SdkRequest): Promise<{ response: SdkResponse }> => {
    await nextTurn();
    const { status, headers = {}, body = "" } = await handler(messageOf(request));
    await nextTurn();
    const bytes = request.method === "HEAD" ? [] : [Buffer.from(body)];
    return { response: { statusCode: status, headers, body: Readable.from(bytes) } };
  },
});

function messageOf({ method, path, query, headers, body = "" }: SdkRequest): IncomingMessage {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, value ?? ""]));
  const url = search.size === 0 ? path : `${path}?${search}`;
  const bytes = bytesOf(body);
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const message = Readable.from(bytes.length === 0 ? [] : [bytes]);
  return Object.assign(message, { method, url, headers: Object.fromEntries(lowered) }) as IncomingMessage;
}

/** A view: of the SDK's arrays `Buffer.from` would ask for their text, which the SDK warns of. */
const bytesOf = (body: string | Uint8Array): Buffer =>
  typeof body === "string" ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
