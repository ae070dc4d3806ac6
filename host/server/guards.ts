// The guards before the gateway of a server that strangers reach: the origin secret, and a limit on requests at once.
import { hash, randomUUID, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { CROSS_ORIGIN_HEADERS } from "../../contract/cross-origin.ts";
import { buildProblem } from "../../contract/problem-details.ts";
import { PROBLEMS } from "../../contract/problem-kinds.ts";
import { HEALTH_PATH, ORIGIN_SECRET_HEADER } from "../../contract/web-runtime.ts";
import { problemReply } from "./gateway.ts";
import type { HttpHandler, Reply } from "./http-server.ts";

const NOT_THROUGH_PUBLIC_HOST = "call the service under its public address";

/**
 * Refuses with 403 every request that does not carry one of the secrets: the server's address is public, and only the
 * public host knows the secrets. Nothing was read by then but the headers, and no table was asked.
 */
export function requireOriginSecret(handler: HttpHandler, secrets: readonly string[]): HttpHandler {
  // Digests have one length, as the constant-time comparison needs it.
  const accepted = secrets.map(digestOf);
  return (incoming) => {
    const given = digestOf(String(incoming.headers[ORIGIN_SECRET_HEADER] ?? ""));
    // Every secret is compared, so that the time does not tell which one it was.
    const matches = accepted.filter((digest) => timingSafeEqual(digest, given));
    if (matches.length === 0) {
      return problemReply(buildProblem(PROBLEMS.forbidden, randomUUID(), NOT_THROUGH_PUBLIC_HOST));
    }
    // No event and no log line can hold the secret from here on.
    delete incoming.headers[ORIGIN_SECRET_HEADER];
    return handler(incoming);
  };
}

const digestOf = (text: string): Uint8Array => hash("sha256", text, "buffer");

/** Answers 503 while `limit` requests are under way: nothing of such a request was begun, and a retry is safe. */
export function limitRequests(handler: HttpHandler, limit: number): HttpHandler {
  let underWay = 0;
  return async (incoming) => {
    if (underWay >= limit) return full();
    underWay++;
    try {
      return await handler(incoming);
    } finally {
      underWay--;
    }
  };
}

/** The route is not known yet, so pages of other origins may read this refusal of any route. */
function full(): Reply {
  const { headers, ...reply } = problemReply(buildProblem(PROBLEMS.unavailable, randomUUID()));
  return { ...reply, headers: { ...headers, ...CROSS_ORIGIN_HEADERS } };
}

const UP: Reply = {
  status: 200,
  headers: { "content-type": "text/plain", "cache-control": "no-store" },
  body: "up\n",
};

/** Answers the health check by itself: it needs no secret, and tells nothing but that this process is up. */
export const withHealth =
  (handler: HttpHandler): HttpHandler =>
  (incoming) =>
    isHealthCheck(incoming) ? UP : handler(incoming);

const isHealthCheck = ({ method, url }: IncomingMessage): boolean =>
  url === HEALTH_PATH && (method === "GET" || method === "HEAD");
