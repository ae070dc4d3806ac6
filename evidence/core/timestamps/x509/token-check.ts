// The named checks of a timestamp token, and how one says that it failed, or that it can't be made here.
import { DisclosureError, isDisclosureError } from "../../errors.ts";

/** The rule that was violated: the `check` in the evidence of every `token_invalid` error. */
export type TokenCheck =
  // the envelope: RFC 5652 and RFC 3161 section 2.4.2
  | "encoding"
  | "content_type"
  | "encapsulated_content_type"
  | "one_signer"
  // what was stamped: TSTInfo
  | "tst_info_version"
  | "tst_info_extensions"
  | "gen_time"
  | "accuracy"
  | "imprint_algorithm"
  | "imprint"
  | "nonce"
  | "policy"
  // who signed it: SignerInfo
  | "digest_algorithm"
  | "signed_attributes"
  | "signed_attributes_unique"
  | "content_type_attribute"
  | "message_digest"
  | "signing_certificate"
  | "signing_certificate_issuer_serial"
  | "extended_key_usage"
  | "key_usage"
  | "signature_algorithm"
  | "public_key"
  | "signature"
  // why to believe them: RFC 5280 section 6
  | "certificate_validity"
  | "certificate_critical_extension"
  | "certificate_signature"
  | "issuer_is_ca"
  | "issuer_key_usage"
  | "issuer_extended_key_usage"
  | "path_length"
  | "trust_anchor";

export type CheckEvidence = { readonly expected?: unknown; readonly actual?: unknown };

/** Throws `token_invalid` naming the check unless it holds. */
export function check(
  holds: boolean,
  name: TokenCheck,
  message: string,
  evidence: CheckEvidence = {},
): asserts holds {
  if (!holds) throw new DisclosureError("token_invalid", message, { check: name, ...evidence });
}

/**
 * Why a token can't be judged though nothing about it is shown to be false: the reader's anchors are other authorities';
 * it rests on an algorithm that proves nothing any more; or it has a form, an algorithm, an extension or a size that this
 * program does not judge.
 */
export type TokenOpenReason = "other_authority" | "weak" | "beyond_verifier";

/** Throws `token_open` with the reason and the check, unless it holds. */
export function judgeable(
  holds: boolean,
  reason: TokenOpenReason,
  name: TokenCheck,
  message: string,
  evidence: CheckEvidence = {},
): asserts holds {
  if (!holds) throw new DisclosureError("token_open", message, { reason, check: name, ...evidence });
}

/** Why a token could not be judged; null for any other error than `token_open`. */
export const tokenOpenReason = (error: unknown): TokenOpenReason | null =>
  isDisclosureError(error, "token_open") ? (error.evidence.reason as TokenOpenReason) : null;

/** The check that a `token_invalid` error names; undefined for any other error. */
export const violatedCheck = (error: unknown): unknown =>
  isDisclosureError(error, "token_invalid") ? error.evidence.check : undefined;

/** The result of `read`; if that throws, `token_invalid` naming the check, unless it names one itself. */
export function readAs<T>(name: TokenCheck, message: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (isDisclosureError(cause, "token_invalid") || isDisclosureError(cause, "token_open")) throw cause;
    throw new DisclosureError("token_invalid", message, { check: name }, cause);
  }
}
