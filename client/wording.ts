// The digest of a wording, as `subject_hash` wants it.
import { formatDigest } from "../core/merkle/hash.ts";
import { hashWording } from "../core/policy/policy-layer.ts";
import { ClientError } from "./errors.ts";

/**
 * `sha256:` and the hex digest of the text's Unicode NFC form: the `subject_hash` of what was said or shown. Case,
 * spaces and punctuation count. Throws `invalid_request` for a lone surrogate, which no text has.
 */
export function hashWordingText(text: string): string {
  if (typeof text === "string" && text.isWellFormed()) return formatDigest(hashWording(text));
  throw new ClientError("invalid_request", "the wording must be a well-formed string");
}
