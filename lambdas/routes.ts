// The API, route by route: what the gateway (API Gateway, or the local one) sends to which handler.

/** `key` routes pass the authorizer first; `public` ones need no key. */
export interface Route {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly handler: HandlerName;
  readonly access: "key" | "public";
}

export type HandlerName =
  | "attest"
  | "report"
  | "interaction"
  | "verify-inclusion"
  | "metachain"
  | "root"
  | "timestamp"
  | "openapi"
  | "problems";

export const ROUTES: readonly Route[] = [
  { method: "POST", path: "/v1/attestation", handler: "attest", access: "key" },
  { method: "GET", path: "/v1/attestation/{event_id}", handler: "report", access: "key" },
  { method: "GET", path: "/v1/interactions/{interaction_id}", handler: "interaction", access: "key" },
  { method: "POST", path: "/v1/verify-inclusion", handler: "verify-inclusion", access: "public" },
  { method: "GET", path: "/v1/metachain", handler: "metachain", access: "public" },
  { method: "GET", path: "/v1/metachain/roots/{index}", handler: "root", access: "public" },
  {
    method: "GET",
    path: "/v1/metachain/timestamps/{index}/{n}",
    handler: "timestamp",
    access: "public",
  },
  { method: "GET", path: "/v1/openapi.json", handler: "openapi", access: "public" },
  { method: "GET", path: "/v1/problems", handler: "problems", access: "public" },
];

/** Everything else: a 404, or a 405 where the path exists. */
export const FALLBACK_HANDLER = "not-found";
export const AUTHORIZER_HANDLER = "authorize";
export const SEALER_HANDLER = "seal";

/** How long API Gateway may act on what the authorizer last said: a revoked key dies within this time. */
export const AUTHORIZER_TTL_SECONDS = 30;
