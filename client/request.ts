// What a caller wants to have attested: checked before it is sent or queued.
import { IDEMPOTENCY_KEY } from "../contract/limits.ts";
import { type AttestationRequest, attestationRequestSchema } from "../core/formats/attestation-request.ts";
import { ClientError } from "./errors.ts";

/** Throws `invalid_request`: what the service would refuse is not sent. The message names the field, never its value. */
export function readRequest(request: unknown): AttestationRequest {
  const { success, data, error } = attestationRequestSchema.safeParse(request);
  if (success) return data;
  const evidence = error.issues.map(({ path, message }) => ({ path, message }));
  const [first] = evidence;
  const field = first === undefined || first.path.length === 0 ? "the request" : first.path.join(".");
  throw new ClientError("invalid_request", `${field}: ${first?.message}`, { evidence });
}

/** Throws `invalid_request`. */
export function readIdempotencyKey(key: string): string {
  if (IDEMPOTENCY_KEY.test(key)) return key;
  throw new ClientError("invalid_request", "idempotencyKey: must be 1 to 255 visible ASCII characters");
}
