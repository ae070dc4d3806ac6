// Pages of other origins may ask for everything that needs no key (the CORS protocol of the Fetch standard). Routes with a
// key are left out on purpose: a page that sends a key shows it to everybody who opens the page.
import { methodsOf, ROUTES } from "./routes.ts";

/** For every answer of a route that needs no key. */
export const CROSS_ORIGIN_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "Retry-After",
} as const;

/** A browser remembers the answer to a preflight for so long; Chromium's own limit is two hours. */
const MAX_AGE_SECONDS = 7_200;
/** Headers that a page may send beyond those that need no preflight. */
const ALLOWED_HEADERS = ["Content-Type", "Accept", "If-None-Match"];

/** The status of the answer to a preflight, which has no body. */
export const PREFLIGHT_STATUS = 204;

/** The headers of the answer to a preflight for a path of the route table, which needs no key. */
export const preflightHeadersOf = (path: string): Record<string, string> => ({
  ...CROSS_ORIGIN_HEADERS,
  "access-control-allow-methods": methodsOf(path).join(", "),
  "access-control-allow-headers": ALLOWED_HEADERS.join(", "),
  "access-control-max-age": String(MAX_AGE_SECONDS),
});

/** True if pages of other origins may read the answers under a path of the route table. */
export const isOpenToPages = (path: string): boolean =>
  ROUTES.some((route) => route.path === path && route.access === "public");
