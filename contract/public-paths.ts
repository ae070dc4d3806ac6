// The paths of the service's URLs, apart from those of the metachain (metachain-paths.ts).

export const ATTESTATION_PATH = "/v1/attestation";
export const INTERACTIONS_PATH = "/v1/interactions";
export const CHAINS_PATH = "/v1/chains";
export const VERIFY_INCLUSION_PATH = "/v1/verify-inclusion";
export const OPENAPI_PATH = "/v1/openapi.json";
/** The page that the `type` of every problem leads to. */
export const PROBLEMS_PATH = "/v1/problems";

/** The verifier page, and its file in the bucket: the ending tells browsers its type. */
export const PAGE_PATH = "/verify";
export const PAGE_FILE = "/verify.html";
/** PEM: the trust anchors of a host that has a timestamp authority of its own, as the local stack does. */
export const TRUST_ANCHORS_PATH = "/tsa/certificate.pem";
