// How many authorities vouch for a root: whoever doubts one of them asks for a second.
import { isDisclosureError } from "../../core/errors.ts";
import type { Seal } from "../../core/metachain.ts";
import { verifyTimestamp } from "../../core/proven-time.ts";
import type { TimestampVerifier } from "../../core/timestamp-verifier.ts";

/** Told apart by the trust anchors that the tokens lead to; a token that does not hold counts for none. */
export async function countAuthorities(seal: Seal, trustAnchors: TimestampVerifier): Promise<number> {
  const found = new Set<string>();
  for (const timestamp of [seal.tsa_timestamp, ...seal.additional_timestamps]) {
    try {
      const time = await verifyTimestamp(seal.merkle_root, timestamp, seal.sealed_at, { trustAnchors });
      if (time !== null) found.add(time.trustAnchor);
    } catch (error) {
      if (!isDisclosureError(error)) throw error;
    }
  }
  return found.size;
}
