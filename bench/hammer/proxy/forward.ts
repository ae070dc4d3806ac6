// Sends a request on, whole, and returns the whole answer.
import { Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import type { ProxyReply } from "./errors.ts";

const agent = new Agent({ keepAlive: true });
/** These belong to one connection, and not to the message; the upstream has a host of its own. */
const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
  "expect",
  "host",
]);

export interface ForwardedRequest {
  readonly method: string;
  /** The whole address. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders | Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Rejects where the upstream can't be reached, or breaks off. */
export async function forward({ method, url, headers, body }: ForwardedRequest): Promise<ProxyReply> {
  const { promise, resolve, reject } = Promise.withResolvers<ProxyReply>();
  const kept = { ...plain(headers), "content-length": String(body.length) };
  const sent = httpRequest(url, { agent, method, headers: kept }, (answer) => {
    buffer(answer).then(
      (whole) =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: plain(answer.headers),
          body: new Uint8Array(whole),
        }),
      reject,
    );
  });
  sent.on("error", reject).end(body);
  return promise;
}

const plain = (headers: ForwardedRequest["headers"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !HOP_BY_HOP.has(name))
      .map(([name, value]) => [name, String(value)]),
  );
