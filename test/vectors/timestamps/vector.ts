// One forged vector of the corpus: a token or a whole response, and the verdict that a verifier must give of it.
import type { TokenCheck, TokenOpenReason } from "../../../evidence/core/timestamps/x509/token-check.ts";
import type { Bytes } from "./der-writer.ts";
import type { Identity } from "./forge.ts";

/**
 * The check that must name itself, after the reason where it can't be made; `authority_failed` is a PKIStatus that does not
 * grant.
 */
export type Expected = "accepted" | TokenCheck | `${TokenOpenReason}: ${TokenCheck}` | "authority_failed";

/** The members of a request that the token must answer; the nonce in hex. */
export interface Asked {
  readonly nonce?: string;
  readonly policy?: string;
}

export interface Vector extends Asked {
  readonly name: string;
  readonly expected: Expected;
  readonly what: string;
  readonly bytes: Bytes;
  /** The trust anchors, where they are not the root of the good token alone. */
  readonly anchors?: readonly Identity[];
  /** A response is a whole TimeStampResp, and all else a TimeStampToken. */
  readonly isResponse?: boolean;
}

export const vector = (
  name: string,
  expected: Expected,
  what: string,
  bytes: Bytes,
  more: Pick<Vector, "anchors" | "nonce" | "policy" | "isResponse"> = {},
): Vector => ({ name, expected, what, bytes, ...more });
