// The limits and patterns that more than one side of the service checks.

/** Bytes of the body of POST /v1/attestation: a request carries digests only. */
export const MAX_ATTESTATION_BODY_BYTES = 8 * 1024;
/**
 * Bytes of the body of POST /v1/verify-inclusion, the largest that a handler reads: a report has a token of its own and,
 * with the seals that it was recorded after and renewed by, ten more, each of 16 KiB at most before base64.
 */
export const MAX_PROOF_BODY_BYTES = 320 * 1024;
/**
 * Values in that body: a report has some 400, however long its tokens are. Whoever sends many makes a process walk them
 * again and again, and needs no key.
 */
export const MAX_PROOF_VALUES = 1_024;
/** 1 to 255 visible ASCII characters. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** The largest turn of a conversation that can be asked for. */
export const MAX_TURN = 2 ** 31 - 1;

/** A pending report asks its caller to wait so long: roots are published every minute unless the operator chose otherwise. */
export const RETRY_PENDING_SECONDS = 30;

/**
 * Calls a second and at once of one public method, for all callers together: a flood must leave functions for the calls
 * with a key. API Gateway holds it, where there is one.
 */
export const PUBLIC_THROTTLE = { rate: 100, burst: 200 };
/** The same of one method with a key, for all tenants together, unless the operator chose otherwise. */
export const KEYED_THROTTLE = { rate: 2_000, burst: 4_000 };
/** An attestation waits so long for its timestamp; without one, it is answered as pending. */
export const INLINE_STAMP_BUDGET_MS = 1_500;

/** Wrong fields that one problem lists: a body can hold a thousand. */
export const MAX_LISTED_ERRORS = 20;

/** Bytes of a published root, or of a token over it: an honest one has a few tokens of some 10 KB each. */
export const MAX_ROOT_BYTES = 1024 * 1024;

/** Chains of a tenant: an event id has 12 bits for the shard. */
export const MAX_CHAINS = 4_096;

/** The largest port of TCP. */
export const MAX_PORT = 65_535;

/** Months for which a tenant's receipts are kept, where it has a retention: none that a bill may still need goes. */
export const MIN_RETENTION_MONTHS = 3;
export const MAX_RETENTION_MONTHS = 240;

/** A run of the sealer is over after this time. */
export const SEAL_RUN_SECONDS = 55;
/** The sealer's function in a production, which makes several runs where many chains have news. */
export const SEALER_SECONDS = 295;
