// The HTTP server of the web runtime and of every part of the local stack: bounded bodies, orderly stop.
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { collectBytes } from "../../evidence/core/collect-bytes.ts";
import { DisclosureError, isDisclosureError } from "../../evidence/core/errors.ts";

const LOOPBACK = "127.0.0.1";
const CLOSE_GRACE_MS = 2_000;
/** For the first byte of a request that was sent before its connection's server was asked to close. */
const FIRST_BYTE_MS = 500;

/** The names of this machine to itself. */
const OWN_NAMES = [LOOPBACK, "localhost"];
/** `none`: the reader typed the address, or opened it from outside of the browser. */
const OWN_SITES = ["same-origin", "none"];
const FORBIDDEN = 403;
/** HTTP's Misdirected Request. */
const WRONG_HOST = 421;

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
  /** Accepts no more connections; ends idle ones at once, unused ones soon, and the others after their answer. */
  readonly close: () => Promise<void>;
};

export interface ListenOptions {
  /** The address to bind; others than this machine reach only what is bound to more than the loopback. */
  readonly host?: string;
  /** The time that open requests have to finish once the server is asked to close. */
  readonly closeGraceMs?: number;
  /** Node's own: how long a connection may be idle, and how long a request may take to arrive. */
  readonly http?: Pick<ServerOptions, "keepAliveTimeout" | "requestTimeout">;
  /** The advice for a person where the port is in use. */
  readonly portAdvice?: string;
}

/** Serves `handler`; port 0 is any free one. Throws `misconfigured` if the port is taken. */
export async function listen(
  handler: HttpHandler,
  port = 0,
  options: ListenOptions = {},
): Promise<Listening> {
  const { host = LOOPBACK, closeGraceMs = CLOSE_GRACE_MS, http = {} } = options;
  const server = createServer(http, (request, response) => void answer(server, handler, request, response));
  const sockets = openSocketsOf(server);
  await bind(server, host, port, options.portAdvice ?? "set PORT to another");
  const bound = (server.address() as AddressInfo).port;
  return { url: `http://${host}:${bound}`, port: bound, close: () => close(server, sockets, closeGraceMs) };
}

/** The request's whole body. Throws `payload_too_large` as soon as it exceeds `limit` bytes. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  // Left to itself the iterator would destroy the socket, and the caller would never see the refusal.
  const body = await collectBytes(request.iterator({ destroyOnReturn: false }), limit);
  if (body !== null) return body;
  throw new DisclosureError("payload_too_large", `the body exceeds ${limit} bytes`, { limit });
}

/**
 * For what listens for this machine alone. A page of another site must reach nothing of it: only its own page is answered,
 * whoever typed its address, and programs. The status of the refusal, or null.
 */
export function strangerStatus({ headers, socket }: IncomingMessage): number | null {
  // A name of somebody else's that leads to this machine (DNS rebinding) shows in Host.
  const { host = "", origin } = headers;
  if (!OWN_NAMES.some((name) => host === `${name}:${socket.localPort}`)) return WRONG_HOST;
  if (origin !== undefined && origin !== `http://${host}`) return FORBIDDEN;
  // Browsers state it with every request to the loopback address; other programs state nothing.
  const site = headers["sec-fetch-site"];
  return site === undefined || OWN_SITES.includes(String(site)) ? null : FORBIDDEN;
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

async function bind(server: Server, host: string, port: number, advice: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject).listen(port, host, resolve);
  await promise.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    throw new DisclosureError("misconfigured", `port ${port} is in use; ${advice}`, { port }, error);
  });
  server.removeListener("error", reject);
}

function openSocketsOf(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}

async function close(server: Server, sockets: ReadonlySet<Socket>, graceMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  // Node ends connections that wait for their next request. It would wait for those that never sent their first one.
  const ending = setTimeout(() => endUnused(sockets), FIRST_BYTE_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await promise;
  clearTimeout(ending);
  clearTimeout(deadline);
}

function endUnused(sockets: ReadonlySet<Socket>): void {
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
}
