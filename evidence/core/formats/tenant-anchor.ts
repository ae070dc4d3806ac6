// A tenant's anchor: one secret from which the ids of all its chains follow, and its fingerprint, which may be printed.
import { formatHex } from "../bytes.ts";
import { canonicalBytes } from "../canonical-json.ts";
import { DisclosureError } from "../errors.ts";
import { formatDigest, hashBytes } from "../merkle/hash.ts";
import { MAX_SHARD } from "./event-id.ts";

/** 128 random bits, as 32 lower-case hex digits. */
export const ANCHOR_BYTES = 16;
const ANCHOR = /^[0-9a-f]{32}$/;
/** A chain's id is the hex of this many bytes of a hash. */
const CHAIN_ID_BYTES = 16;

/** True if a text has the form of an anchor. */
export const isTenantAnchor = (text: string): boolean => ANCHOR.test(text);

/**
 * The id of one of a tenant's chains: hex of the first 16 bytes of SHA-256(JCS({ shard, tenant_anchor })). A reader who
 * has the anchor computes every id that a chain of the tenant can have, so no chain can be kept beside the shown ones.
 * Throws `malformed` for what is no anchor, and for a shard that no event id can name.
 */
export function chainIdOf(tenant_anchor: string, shard: number): string {
  requireAnchor(tenant_anchor);
  if (!Number.isSafeInteger(shard) || shard < 0 || shard > MAX_SHARD)
    throw new DisclosureError("malformed", `a shard is 0 to ${MAX_SHARD}`, { shard });
  return formatHex(hashBytes(canonicalBytes({ shard, tenant_anchor })).subarray(0, CHAIN_ID_BYTES));
}

/**
 * The tenant's fingerprint: `sha256:` and hex of SHA-256(JCS({ tenant_anchor })). It says nothing about the chains, and
 * pins the tenant to this one anchor. Throws `malformed` for what is no anchor.
 */
export function fingerprintOf(tenant_anchor: string): string {
  requireAnchor(tenant_anchor);
  return formatDigest(hashBytes(canonicalBytes({ tenant_anchor })));
}

function requireAnchor(text: string): void {
  // The text is a secret, and errors end up in logs.
  if (!isTenantAnchor(text)) throw new DisclosureError("malformed", "an anchor is 32 lower-case hex digits");
}
