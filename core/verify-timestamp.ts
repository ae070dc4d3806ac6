// The timestamp of a root as a check: the token covers this very root, and leads to a trust anchor of the reader's.
import { parseBase64 } from "./bytes.ts";
import { type Finding, holds, unchecked } from "./check.ts";
import { DisclosureError } from "./errors.ts";
import { parseNode } from "./hash.ts";
import type { TsaTimestamp } from "./metachain.ts";

/** How far two honest clocks may be apart, in milliseconds. */
const MAX_CLOCK_DIFFERENCE_MS = 5 * 60 * 1000;

export interface StampedRoot {
  readonly root: string;
  readonly timestamp: TsaTimestamp;
  /** When the service says that what the root covers was there; the token can't be older. RFC 3339. */
  readonly notBefore: string | null;
  /** DER certificates that the reader trusts; without any, no token can be checked. */
  readonly trustAnchors: readonly Uint8Array[];
}

/** Throws `token_invalid`, or `malformed` for what is no token, unless the timestamp holds. */
export async function checkTimestamp({
  root,
  timestamp,
  notBefore,
  trustAnchors,
}: StampedRoot): Promise<Finding> {
  const { status, timestamp_token } = timestamp;
  if ((status === "included") !== (timestamp_token !== null)) {
    throw new DisclosureError("token_invalid", `the status is ${status}, which the token contradicts`);
  }
  if (timestamp_token === null) return unchecked("the timestamp is still pending");
  // Loaded when needed: parsing ASN.1 is the larger part of this program.
  const { parseTimestampToken, verifyTimestampToken } = await import("./timestamp-token.ts");
  const token = parseBase64(timestamp_token);
  if (trustAnchors.length === 0) {
    parseTimestampToken(token);
    return unchecked("no certificate of a timestamp authority was given to check the token against");
  }
  const verified = await verifyTimestampToken(token, parseNode(root), trustAnchors);
  if (notBefore !== null && Date.parse(verified.genTime) + MAX_CLOCK_DIFFERENCE_MS < Date.parse(notBefore)) {
    throw new DisclosureError("token_invalid", "the token is older than what it covers");
  }
  return holds(`the root existed at ${verified.genTime}, says ${verified.authority.subject}`);
}
