// A disclosure to be attested: checked before it is sent or queued.
import { IDEMPOTENCY_KEY } from "../../contract/limits.ts";
import {
  type AttestationRequest,
  attestationRequestSchema,
} from "../../evidence/core/formats/attestation-request.ts";
import { PLAIN_ERRORS } from "../../evidence/core/formats/plain-errors.ts";
import { formatDigest } from "../../evidence/core/merkle/hash.ts";
import { hashWording } from "../../evidence/core/policy/policy-layer.ts";
import { ClientError } from "./errors.ts";

/** Throws `invalid_request`: what the service would refuse is not sent. The message names the field, never its value. */
export function readRequest(request: unknown): AttestationRequest {
  const { success, data, error } = attestationRequestSchema.safeParse(request, PLAIN_ERRORS);
  if (success) return withoutUndefined(data);
  const evidence = error.issues.map(({ path, message }) => ({ path, message }));
  const [first] = evidence;
  const field = first === undefined || first.path.length === 0 ? "the request" : first.path.join(".");
  throw new ClientError("invalid_request", `${field}: ${first?.message}`, { evidence });
}

/** A member that is undefined is as none: it would take the place of a default, and go out of the JSON. */
const withoutUndefined = (request: AttestationRequest): AttestationRequest =>
  Object.fromEntries(
    Object.entries(request).filter(([, value]) => value !== undefined),
  ) as AttestationRequest;

/** Throws `invalid_request`. */
export function readIdempotencyKey(key: unknown): string {
  if (typeof key === "string" && IDEMPOTENCY_KEY.test(key)) return key;
  throw new ClientError("invalid_request", "idempotencyKey: must be 1 to 255 visible ASCII characters");
}

/**
 * `sha256:` and the hex digest of the text's Unicode NFC form: the `subject_hash` of a registered text. Hash the registered
 * text, never the spoken one: a gap such as {operator} stays as it is, for a person's name could never be erased from a
 * receipt. Case, spaces and punctuation count. Throws `invalid_request` for a lone surrogate, which no text has.
 */
export function hashWordingText(text: string): string {
  if (typeof text === "string" && text.isWellFormed()) return formatDigest(hashWording(text));
  throw new ClientError("invalid_request", "the wording must be a well-formed string");
}
