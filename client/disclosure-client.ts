// DisclosureClient: records disclosures and believes no receipt that it has not verified.
import { type AttestationRequest, attestationRequestSchema } from "../core/attestation-request.ts";
import type { ComplianceReceipt } from "../core/compliance-receipt.ts";
import type { EvidenceBundle } from "../core/evidence-bundle.ts";
import { TimestampVerifier } from "../core/timestamp-verifier.ts";
import { ChainMemory } from "./chain-memory.ts";
import { ClientError } from "./errors.ts";
import { Transport, type TransportOptions } from "./transport.ts";
import { readVerifiedBundle, readVerifiedReceipt, requireSame } from "./verified.ts";

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

export interface ClientOptions extends TransportOptions {
  /** DER certificates of the timestamp authorities to trust; without them tokens are not checked here. */
  readonly trustAnchors?: readonly Uint8Array[];
}

export interface AttestOptions {
  /** A key of your own (1 to 255 visible ASCII), for this disclosure and no other; a random one by default. */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal;
}

export class DisclosureClient {
  readonly #transport: Transport;
  readonly #trustAnchors: TimestampVerifier;
  readonly #memory = new ChainMemory();

  constructor({ trustAnchors = [], ...options }: ClientOptions) {
    this.#transport = new Transport(options);
    this.#trustAnchors = new TimestampVerifier(trustAnchors);
  }

  /** Records one disclosure and returns its verified receipt. Throws `ClientError`, and the signal's reason. */
  async attest(request: AttestationRequest, options: AttestOptions = {}): Promise<ComplianceReceipt> {
    const body = readRequest(request);
    // With a key of the caller's own the disclosure may have been recorded before, so it need not come after.
    const heads = options.idempotencyKey === undefined ? this.#memory.heads() : undefined;
    const idempotencyKey = readIdempotencyKey(options.idempotencyKey ?? crypto.randomUUID());
    const answer = await this.#transport.call("/v1/attestation", {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": idempotencyKey },
      body: JSON.stringify(body),
      signal: options.signal,
    });
    const receipt = await readVerifiedReceipt(answer, { trustAnchors: this.#trustAnchors, request: body });
    this.#memory.remember(receipt, body.interaction_id, heads);
    return receipt;
  }

  /** The receipt of an event with its proofs as of now, verified. Throws as `attest` does. */
  async report(eventId: string, signal?: AbortSignal): Promise<ComplianceReceipt> {
    const path = `/v1/attestation/${encodeURIComponent(eventId)}`;
    const answer = await this.#transport.call(path, { signal });
    const report = await readVerifiedReceipt(answer, { trustAnchors: this.#trustAnchors });
    requireSame("event", eventId, report.event_id, answer);
    this.#memory.remember(report);
    return report;
  }

  /** One page of a conversation's evidence, verified; `next_turn` says where the next begins. Throws as `attest`. */
  async interaction(interactionId: string, fromTurn = 1, signal?: AbortSignal): Promise<EvidenceBundle> {
    const path = `/v1/interactions/${encodeURIComponent(interactionId)}?from_turn=${fromTurn}`;
    const answer = await this.#transport.call(path, { signal });
    const bundle = await readVerifiedBundle(answer, this.#trustAnchors);
    requireSame("conversation", interactionId, bundle.interaction_id, answer);
    return bundle;
  }
}

/** Throws `invalid_request`: what the service would refuse is not sent. */
function readRequest(request: unknown): AttestationRequest {
  const { success, data, error } = attestationRequestSchema.safeParse(request);
  if (success) return data;
  const [issue] = error.issues;
  throw new ClientError("invalid_request", `${issue?.path.join(".")}: ${issue?.message}`, {
    evidence: error.issues.map(({ path, message }) => ({ path, message })),
  });
}

function readIdempotencyKey(key: string): string {
  if (IDEMPOTENCY_KEY.test(key)) return key;
  throw new ClientError("invalid_request", "idempotencyKey: must be 1 to 255 visible ASCII characters");
}
