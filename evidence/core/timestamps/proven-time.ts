// The time that one token proves of a root, and until when its certificates are valid.
import { DisclosureError } from "../errors.ts";
import type { TsaTimestamp } from "../formats/metachain.ts";
import { MAX_CLOCK_DIFFERENCE_MS } from "./clock-difference.ts";
import { requireJudged, type VerifiedTimestamp } from "./timestamp-token.ts";
import { TimestampVerifier, type TrustAnchors } from "./timestamp-verifier.ts";

/** A verified token proves that the root which it covers (`0x` and hex) existed at `genTime`. */
export type ProvenTime = Pick<
  VerifiedTimestamp,
  "genTime" | "accuracy" | "authority" | "signer" | "trustAnchor" | "validUntil"
> & { readonly covers: string };

/** A token is judged by these. */
export interface TokenKnowledge {
  readonly trustAnchors: TrustAnchors;
  /** The reader's clock, RFC 3339; without it, tokens are judged as of their genTime alone. */
  readonly now?: string | undefined;
}

/**
 * Null where the timestamp is pending. `notBefore` is the time, RFC 3339, at which the root's content was there, as
 * the service says. Unless the timestamp holds, throws `token_invalid`, `token_open`, or `malformed` for bytes that are no
 * token.
 */
export async function verifyTimestamp(
  covers: string,
  timestamp: TsaTimestamp,
  notBefore: string | null,
  { trustAnchors, now }: TokenKnowledge,
): Promise<ProvenTime | null> {
  const token = readToken(timestamp);
  if (token === null) return null;
  const judged = await TimestampVerifier.of(trustAnchors).judge(token, covers);
  if (notBefore !== null && isMuchLater(notBefore, judged.genTime))
    refuse("the token is older than what it covers");
  if (now !== undefined && isMuchLater(judged.genTime, now)) refuse("the token is of a time still to come");
  const { genTime, accuracy, authority, signer, trustAnchor, validUntil } = requireJudged(judged);
  return { genTime, accuracy, authority, signer, trustAnchor, validUntil, covers };
}

/** The token in base64, null while pending. Throws `token_invalid` if the status says otherwise. */
export function readToken({ status, timestamp_token }: TsaTimestamp): string | null {
  if ((status === "included") === (timestamp_token !== null)) return timestamp_token;
  return refuse(`the status is ${status}, which the token contradicts`);
}

/** True if the certificates behind a token are still valid at `now` (RFC 3339). */
export const isValidAt = ({ validUntil }: ProvenTime, now: string): boolean =>
  Date.parse(now) <= Date.parse(validUntil);

const isMuchLater = (a: string, b: string): boolean =>
  Date.parse(a) - Date.parse(b) > MAX_CLOCK_DIFFERENCE_MS;

function refuse(message: string): never {
  throw new DisclosureError("token_invalid", message);
}
