// The digest of a wording, as `subject_hash` wants it.
import { formatDigest } from "../core/hash.ts";
import { hashWording } from "../core/policy-layer.ts";

/** `sha256:` and the hex digest of the text's NFC form: the `subject_hash` of what was said or shown. */
export const hashWordingText = (text: string): string => formatDigest(hashWording(text));
