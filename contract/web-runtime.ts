// The web runtime's two servers: which handlers each runs, and the secret that tells the public host from strangers.
import { AUTHORIZER_HANDLER, FALLBACK_HANDLER, type HandlerName, ROUTES } from "./routes.ts";

/** Each server has a role of its own: `attest` may write receipts, `read` only the day on which a key was used. */
export const WEB_SERVERS = ["attest", "read"] as const;
export type WebServerName = (typeof WEB_SERVERS)[number];

const ATTEST: HandlerName = "attest";

/** The handlers in the route table that a server runs. Each of the two has the authorizer and the fallback too. */
export const routedHandlersOf = (server: WebServerName): HandlerName[] => [
  ...new Set(
    ROUTES.map(({ handler }) => handler).filter((handler) => (handler === ATTEST) === (server === "attest")),
  ),
];

/** Every handler that a server runs. */
export const handlersOf = (server: WebServerName): string[] => [
  ...routedHandlersOf(server),
  FALLBACK_HANDLER,
  AUTHORIZER_HANDLER,
];

/** The header by which the public host shows that a request came through it. */
export const ORIGIN_SECRET_HEADER = "x-origin-secret";
/** Shorter ones could be guessed. */
export const MIN_ORIGIN_SECRET_LENGTH = 32;

/** Answers without the secret: it says that the process is up, and nothing else. */
export const HEALTH_PATH = "/healthz";

/** As many requests as Lambda lets an environment have at most. */
export const MAX_WEB_CONCURRENCY = 128;
/** Lambda's own default, and ours for a server outside of it. */
export const DEFAULT_WEB_CONCURRENCY = 64;
