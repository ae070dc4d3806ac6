// The HTTP server of every part of the local stack: loopback only, bounded bodies, orderly shutdown.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { collectBytes } from "../core/collect-bytes.ts";
import { DisclosureError, isDisclosureError } from "../core/errors.ts";

const LOOPBACK = "127.0.0.1";
/** The time that open requests have to finish once the server is asked to close. */
const CLOSE_GRACE_MS = 2_000;

/** A whole answer. To HEAD, `body` is what GET would answer: only its length is sent. */
export type Reply = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
};

/** Answers one request. An error becomes a bare 500, or a 413 for a body over its limit. */
export type HttpHandler = (request: IncomingMessage) => Reply | Promise<Reply>;

export type Listening = {
  readonly url: string;
  readonly port: number;
  /** Accepts no more connections; ends idle ones at once and the others after their answer. */
  readonly close: () => Promise<void>;
};

/** Serves `handler` on 127.0.0.1; port 0 is any free one. Throws `misconfigured` if the port is taken. */
export async function listen(handler: HttpHandler, port = 0): Promise<Listening> {
  const server = createServer((request, response) => void answer(server, handler, request, response));
  await bind(server, port);
  const bound = (server.address() as AddressInfo).port;
  return { url: `http://${LOOPBACK}:${bound}`, port: bound, close: () => close(server) };
}

/** The request's whole body. Throws `payload_too_large` as soon as it exceeds `limit` bytes. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  // Left to itself the iterator would destroy the socket, and the caller would never see the refusal.
  const body = await collectBytes(request.iterator({ destroyOnReturn: false }), limit);
  if (body !== null) return body;
  throw new DisclosureError("payload_too_large", `the body exceeds ${limit} bytes`, { limit });
}

async function answer(
  server: Server,
  handler: HttpHandler,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const { status, headers, body } = await replyOf(handler, request);
  // The rest of the body is read and dropped: a client that is still sending would not see the answer.
  request.resume();
  if (body !== undefined) response.setHeader("content-length", Buffer.byteLength(body));
  // A kept-alive connection would outlive a server that is being closed.
  if (!server.listening) response.setHeader("connection", "close");
  response.writeHead(status, headers).end(body);
}

async function replyOf(handler: HttpHandler, request: IncomingMessage): Promise<Reply> {
  try {
    return await handler(request);
  } catch (error) {
    if (isDisclosureError(error, "payload_too_large")) return { status: 413 };
    // A client that disconnected is no fault of ours to report.
    const abandoned = request.destroyed && !request.complete;
    if (!abandoned) console.error(error);
    return { status: 500 };
  }
}

async function bind(server: Server, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject).listen(port, LOOPBACK, resolve);
  await promise.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    throw new DisclosureError(
      "misconfigured",
      `port ${port} is in use; set PORT to another`,
      { port },
      error,
    );
  });
  server.removeListener("error", reject);
}

async function close(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  const deadline = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
  await promise;
  clearTimeout(deadline);
}
