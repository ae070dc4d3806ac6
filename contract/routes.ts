// The API, route by route: which handler the gateway (API Gateway, or the local one) sends a request to.
import {
  CHECKPOINT_ROUTE,
  HEAD_ROUTE,
  ROOT_ROUTE,
  SEAL_CHECKPOINT_ROUTE,
  TIMESTAMP_ROUTE,
} from "./metachain-paths.ts";
import { JURISDICTION_ROUTE, LAYER_ROUTE, POLICY_ROUTE } from "./policy-paths.ts";
import {
  ATTESTATION_PATH,
  CHAINS_PATH,
  HEALTH_ROUTE,
  INTERACTIONS_PATH,
  KEY_PATH,
  OPENAPI_PATH,
  PROBLEMS_PATH,
  RECEIPTS_PATH,
  STATUS_PATH,
  USAGE_PATH,
  VERIFY_INCLUSION_PATH,
} from "./public-paths.ts";

/** `key` routes pass the authorizer first; `public` ones need no key. */
export interface Route {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly handler: HandlerName;
  readonly access: "key" | "public";
}

/** A file in `lambdas/`. */
export type HandlerName =
  | "attest"
  | "report"
  | "interaction"
  | "receipts"
  | "chains"
  | "chain-heads"
  | "chain-entries"
  | "key"
  | "usage"
  | "verify-inclusion"
  | "metachain"
  | "root"
  | "timestamp"
  | "checkpoint"
  | "seal-checkpoint"
  | "policy"
  | "policy-jurisdiction"
  | "policy-layer"
  | "status"
  | "health"
  | "openapi"
  | "problems-page";

/** A parameter whose name ends in a plus takes the whole rest of the path, which has at least one segment. */
const CHAIN_ENTRIES_PLACE = "{place+}";
/** An id may hold slashes, and not every gateway leaves their percent-encoding (%2F) as it was sent. */
const INTERACTION_ROUTE = `${INTERACTIONS_PATH}/{interaction_id+}`;
const CHAIN_ROUTE = `${CHAINS_PATH}/{chain_id}`;
const CHAIN_ENTRIES_ROUTE = `${CHAIN_ROUTE}/entries/${CHAIN_ENTRIES_PLACE}`;

export const ROUTES: readonly Route[] = [
  { method: "POST", path: ATTESTATION_PATH, handler: "attest", access: "key" },
  { method: "GET", path: `${ATTESTATION_PATH}/{event_id}`, handler: "report", access: "key" },
  { method: "GET", path: INTERACTION_ROUTE, handler: "interaction", access: "key" },
  { method: "GET", path: RECEIPTS_PATH, handler: "receipts", access: "key" },
  { method: "GET", path: CHAINS_PATH, handler: "chains", access: "key" },
  { method: "GET", path: CHAIN_ROUTE, handler: "chain-heads", access: "key" },
  { method: "GET", path: CHAIN_ENTRIES_ROUTE, handler: "chain-entries", access: "key" },
  { method: "GET", path: KEY_PATH, handler: "key", access: "key" },
  { method: "GET", path: USAGE_PATH, handler: "usage", access: "key" },
  { method: "POST", path: VERIFY_INCLUSION_PATH, handler: "verify-inclusion", access: "public" },
  { method: "GET", path: HEAD_ROUTE, handler: "metachain", access: "public" },
  { method: "GET", path: ROOT_ROUTE, handler: "root", access: "public" },
  { method: "GET", path: TIMESTAMP_ROUTE, handler: "timestamp", access: "public" },
  { method: "GET", path: CHECKPOINT_ROUTE, handler: "checkpoint", access: "public" },
  { method: "GET", path: SEAL_CHECKPOINT_ROUTE, handler: "seal-checkpoint", access: "public" },
  { method: "GET", path: POLICY_ROUTE, handler: "policy", access: "public" },
  { method: "GET", path: JURISDICTION_ROUTE, handler: "policy-jurisdiction", access: "public" },
  { method: "GET", path: LAYER_ROUTE, handler: "policy-layer", access: "public" },
  { method: "GET", path: STATUS_PATH, handler: "status", access: "public" },
  { method: "GET", path: HEALTH_ROUTE, handler: "health", access: "public" },
  { method: "GET", path: OPENAPI_PATH, handler: "openapi", access: "public" },
  { method: "GET", path: PROBLEMS_PATH, handler: "problems-page", access: "public" },
];

/**
 * The methods of the path of a route, as the header Allow lists them. What anyone may GET answers HEAD, too (RFC 9110
 * section 9.3.2), and what needs no key may be asked for by the pages of any origin, whose browsers ask by OPTIONS first.
 */
export function methodsOf(path: string): string[] {
  const routes = ROUTES.filter((route) => route.path === path);
  const isOpen = routes.some(({ access }) => access === "public");
  const methods = routes.map(({ method }) => method);
  return [...methods, ...(isOpen && methods.includes("GET") ? ["HEAD"] : []), ...(isOpen ? ["OPTIONS"] : [])];
}

/** Answers all other requests, where no API Gateway does so itself: 404, or 405 where the path exists. */
export const FALLBACK_HANDLER = "not-found";
export const NO_SUCH_PATH = "there is nothing under this path";
export const NO_SUCH_METHOD = "this path has no such method";
export const AUTHORIZER_HANDLER = "authorize";
export const SEALER_HANDLER = "seal";
/** Run by a schedule: it makes the bills of the month before. */
export const BILLER_HANDLER = "bill";
export const WEBHOOKS_HANDLER = "webhooks";
/** Asked by CloudFormation in deployments, and by nobody else. */
export const STAGE_GUARD_HANDLER = "stage-guard";
export const TRIAL_EMPTIER_HANDLER = "empty-trial";

/** Deployed by a construct of its own, which may be in another account. */
export const BRIDGE_HANDLER = "bridge";

/** Every function that is deployed. */
export const HANDLERS: readonly string[] = [
  ...ROUTES.map(({ handler }) => handler),
  AUTHORIZER_HANDLER,
  SEALER_HANDLER,
  BILLER_HANDLER,
  WEBHOOKS_HANDLER,
  STAGE_GUARD_HANDLER,
  TRIAL_EMPTIER_HANDLER,
  BRIDGE_HANDLER,
];

/** API Gateway sends an answer of this type as bytes to callers whose Accept header asks for it first. */
export const BINARY_TYPE = "application/octet-stream";

/** How long API Gateway may act on the authorizer's last answer: a revoked key dies within this time. */
export const AUTHORIZER_TTL_SECONDS = 30;
