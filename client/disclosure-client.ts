// DisclosureClient: records disclosures and believes no receipt that it has not verified.
import { type AttestationRequest, attestationRequestSchema } from "../core/attestation-request.ts";
import { parseJson } from "../core/canonical-json.ts";
import { type ComplianceReceipt, complianceReceiptSchema } from "../core/compliance-receipt.ts";
import { type EvidenceBundle, evidenceBundleSchema } from "../core/evidence-bundle.ts";
import { evidenceSchema, verifyReceipt } from "../core/verify-receipt.ts";
import { ChainMemory } from "./chain-memory.ts";
import { ClientError } from "./errors.ts";
import { sendWithRetry } from "./retry.ts";

const DEFAULT_ATTEMPTS = 5;
const DEFAULT_TIMEOUT_MS = 5_000;

export interface ClientOptions {
  /** The service's address, without `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** How often a call is sent in all (default 5), and how long each answer may take (default 5,000 ms). */
  readonly attempts?: number;
  readonly timeoutMs?: number;
  /** DER certificates of the timestamp authorities to trust; without them tokens are not checked here. */
  readonly trustAnchors?: readonly Uint8Array[];
  readonly fetch?: typeof globalThis.fetch;
}

export interface AttestOptions {
  /** A key of your own, to be used for this disclosure and no other; a random one by default. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

export class DisclosureClient {
  readonly #options: ClientOptions;
  readonly #fetch: typeof globalThis.fetch;
  readonly #memory = new ChainMemory();

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#fetch = options.fetch ?? globalThis.fetch;
  }

  /** Records one disclosure and returns its verified receipt. Throws `ClientError`. */
  async attest(request: AttestationRequest, options: AttestOptions = {}): Promise<ComplianceReceipt> {
    const body = attestationRequestSchema.parse(request);
    // With a key of the caller's own the disclosure may have been recorded before, so it need not come after.
    const heads = options.idempotencyKey === undefined ? this.#memory.heads() : null;
    const answer = await this.#call("/v1/attestation", options.signal, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "idempotency-key": options.idempotencyKey ?? crypto.randomUUID(),
      },
      body: JSON.stringify(body),
    });
    const receipt = await this.#verified(answer, body);
    for (const each of receipt.receipts) this.#memory.remember(body.interaction_id, each, heads);
    return receipt;
  }

  /** The same receipt with its proofs as of now, verified. */
  async report(eventId: string, signal?: AbortSignal): Promise<ComplianceReceipt> {
    return this.#verified(await this.#call(`/v1/attestation/${encodeURIComponent(eventId)}`, signal));
  }

  /** One page of a conversation's evidence bundle; `next_turn` says where the next one begins. */
  async interaction(interactionId: string, fromTurn = 1, signal?: AbortSignal): Promise<EvidenceBundle> {
    const path = `/v1/interactions/${encodeURIComponent(interactionId)}?from_turn=${fromTurn}`;
    return evidenceBundleSchema.parse(await this.#call(path, signal));
  }

  async #call(path: string, signal: AbortSignal | undefined, init: RequestInit = {}): Promise<unknown> {
    const { baseUrl, apiKey, attempts = DEFAULT_ATTEMPTS, timeoutMs = DEFAULT_TIMEOUT_MS } = this.#options;
    const headers = { ...init.headers, authorization: `Bearer ${apiKey}` };
    const response = await sendWithRetry(
      (attemptSignal) => this.#fetch(new URL(path, baseUrl), { ...init, headers, signal: attemptSignal }),
      { attempts, timeoutMs },
      signal,
    );
    const answer = parseJson(new Uint8Array(await response.arrayBuffer()));
    if (response.ok) return answer;
    throw new ClientError("refused", `the service refused with ${response.status}`, answer);
  }

  async #verified(answer: unknown, request?: AttestationRequest): Promise<ComplianceReceipt> {
    const { trustAnchors = [] } = this.#options;
    const knowledge = { trustAnchors, ...(request !== undefined && { request }) };
    const { valid, checks } = await verifyReceipt(evidenceSchema.parse(answer), knowledge);
    if (valid) return complianceReceiptSchema.parse(answer);
    const failed = checks.filter(({ ok }) => ok === false);
    throw new ClientError("receipt_invalid", `the receipt does not hold: ${failed[0]?.detail}`, failed);
  }
}
