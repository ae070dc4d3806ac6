// The paths of the service's URLs, apart from those of the metachain (metachain-paths.ts).

export const ATTESTATION_PATH = "/v1/attestation";
export const INTERACTIONS_PATH = "/v1/interactions";
/** The list of a tenant's receipts. */
export const RECEIPTS_PATH = "/v1/receipts";
export const CHAINS_PATH = "/v1/chains";
export const VERIFY_INCLUSION_PATH = "/v1/verify-inclusion";
export const STATUS_PATH = "/v1/status";
/** Says that the service answers, and nothing else. */
export const HEALTH_ROUTE = "/v1/health";
/** The scopes and limits of the caller's own key. */
export const KEY_PATH = "/v1/key";
/** The bill of one of the tenant's months. */
export const USAGE_PATH = "/v1/usage";
export const OPENAPI_PATH = "/v1/openapi.json";
/** The page that the `type` of every problem leads to. */
export const PROBLEMS_PATH = "/v1/problems";

/** The status page, the verifier page and their icon; a file's ending tells browsers its type. */
export const STATUS_PAGE_PATH = "/";
export const STATUS_PAGE_FILE = "/index.html";
export const PAGE_PATH = "/verify";
export const PAGE_FILE = "/verify.html";
export const ICON_FILE = "/favicon.svg";
/** The static files that have another path as well: browsers ask for an icon under a name of old. */
export const FILE_BY_PATH: Readonly<Record<string, string>> = {
  [STATUS_PAGE_PATH]: STATUS_PAGE_FILE,
  [PAGE_PATH]: PAGE_FILE,
  [`${PAGE_PATH}/`]: PAGE_FILE,
  "/favicon.ico": ICON_FILE,
};
/** PEM: the trust anchors of a host that has a timestamp authority of its own, as the local stack does. */
export const TRUST_ANCHORS_PATH = "/tsa/certificate.pem";
