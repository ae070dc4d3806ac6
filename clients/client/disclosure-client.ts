// DisclosureClient: records disclosures, and returns no receipt that it has not verified.
import { ATTESTATION_PATH, INTERACTIONS_PATH } from "../../contract/public-paths.ts";
import type { AttestationRequest } from "../../evidence/core/formats/attestation-request.ts";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import type { EvidenceBundle } from "../../evidence/core/formats/evidence-bundle.ts";
import type { ListedReceipt } from "../../evidence/core/formats/receipt-list.ts";
import type { TimestampVerifier } from "../../evidence/core/timestamps/timestamp-verifier.ts";
import { SeenHistory } from "./chain-memory.ts";
import { type JoinedConversation, joinPages, requireFollows } from "./conversation.ts";
import { ClientError } from "./errors.ts";
import { readLimit, readTrustAnchors, requireFunction, requireOptions } from "./options.ts";
import { type ListOptions, listAll } from "./receipt-list.ts";
import { readIdempotencyKey, readRequest } from "./request.ts";
import { type ReportAnswer, type SealedOptions, waitUntilSealed } from "./sealed.ts";
import { Transport } from "./transport.ts";
import type { TransportOptions } from "./transport-options.ts";
import { readVerifiedBundle, readVerifiedReceipt, requireSame } from "./verified.ts";
import { passOn, warnOnce } from "./warnings.ts";

export interface ClientOptions extends TransportOptions {
  /** PEM certificates of the timestamp authorities to trust; without them no token is checked here. */
  readonly trustAnchors?: string;
  /** Gets the service's remarks about requests that it accepted; the first of a process goes to the console by default. */
  readonly onWarning?: (warning: string) => void | Promise<void>;
}

export interface AttestOptions {
  /** A key of your own (1 to 255 visible ASCII), for this disclosure and no other; a random one by default. */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ReportOptions {
  /** `newest`: proofs that lead to the chain's newest published head; without it, to the first one over the receipt. */
  readonly asOf?: "newest" | undefined;
  readonly signal?: AbortSignal | undefined;
}

const REPORT_OPTIONS: Readonly<Record<keyof ReportOptions, true>> = { asOf: true, signal: true };
const OPTIONS: Readonly<Record<keyof ClientOptions, true>> = {
  baseUrl: true,
  apiKey: true,
  attempts: true,
  timeoutMs: true,
  deadlineMs: true,
  trustAnchors: true,
  onWarning: true,
  fetch: true,
};

export class DisclosureClient {
  readonly #transport: Transport;
  readonly #trustAnchors: TimestampVerifier;
  readonly #memory = new SeenHistory();
  readonly #onWarning: (warning: string) => void | Promise<void>;

  /** Throws `invalid_options`. */
  constructor(given: ClientOptions) {
    requireOptions(given, OPTIONS);
    const { trustAnchors, onWarning, ...options } = given;
    requireFunction("onWarning", onWarning);
    this.#onWarning = onWarning ?? warnOnce;
    this.#transport = new Transport(options);
    this.#trustAnchors = readTrustAnchors(trustAnchors);
  }

  /** Records one disclosure and returns its verified receipt. Throws `ClientError`, and the signal's reason. */
  async attest(request: AttestationRequest, options: AttestOptions = {}): Promise<ComplianceReceipt> {
    const body = readRequest(request);
    // A caller's own key may name a disclosure that was recorded before, so its receipt may be an older one.
    const sizes = options.idempotencyKey === undefined ? this.#memory.sizes() : undefined;
    const idempotencyKey = readIdempotencyKey(options.idempotencyKey ?? crypto.randomUUID());
    try {
      const receipt = await this.#send(body, idempotencyKey, options.signal);
      this.#memory.remember(receipt, { idempotencyKey }, sizes);
      return receipt;
    } catch (error) {
      if (error instanceof ClientError) error.idempotencyKey = idempotencyKey;
      throw error;
    }
  }

  async #send(
    request: AttestationRequest,
    idempotencyKey: string,
    signal: AbortSignal | undefined,
  ): Promise<ComplianceReceipt> {
    const { body: answer, warning } = await this.#transport.call(ATTESTATION_PATH, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": idempotencyKey },
      body: JSON.stringify(request),
      signal,
    });
    if (warning !== null) passOn(this.#onWarning, warning);
    return readVerifiedReceipt(answer, { trustAnchors: this.#trustAnchors, request });
  }

  /** The receipt of an event with its proofs as of now, verified. Throws as `attest` does. */
  async report(eventId: string, options: ReportOptions = {}): Promise<ComplianceReceipt> {
    requireOptions(options, REPORT_OPTIONS);
    return (await this.#report(eventId, options)).report;
  }

  /**
   * The report of an event once a published root covers it, verified. Throws `not_sealed` where that takes longer than
   * `timeoutMs`, and as `attest` does; a service that can't answer for a while is asked again.
   */
  sealed(eventId: string, options: SealedOptions = {}): Promise<ComplianceReceipt> {
    const { signal } = options;
    return waitUntilSealed(() => this.#report(eventId, { signal }), options);
  }

  async #report(eventId: string, { asOf, signal }: ReportOptions): Promise<ReportAnswer> {
    const query = asOf === undefined ? "" : `?as_of=${encodeURIComponent(asOf)}`;
    const path = `${ATTESTATION_PATH}/${encodeURIComponent(eventId)}${query}`;
    const { body: answer, retryAfterMs } = await this.#transport.call(path, { signal });
    const report = await readVerifiedReceipt(answer, { trustAnchors: this.#trustAnchors });
    requireSame("event", eventId.toLowerCase(), report.event_id.toLowerCase(), answer);
    this.#memory.remember(report);
    return { report, retryAfterMs };
  }

  /** The tenant's receipts of a range of time, chain by chain. A row is no evidence. Throws as `attest` does. */
  receipts(options: ListOptions = {}): AsyncGenerator<ListedReceipt, void, void> {
    const { signal } = options;
    return listAll(async (path) => (await this.#transport.call(path, { signal })).body, options);
  }

  /** A conversation's evidence from a turn on: all of its pages, verified and joined. Throws as `attest` does. */
  async interaction(interactionId: string, fromTurn = 1, signal?: AbortSignal): Promise<JoinedConversation> {
    const pages: EvidenceBundle[] = [];
    for await (const page of this.interactionPages(interactionId, fromTurn, signal)) pages.push(page);
    return joinPages(pages);
  }

  /** The same page by page, for a conversation that is too long to be held in memory. */
  async *interactionPages(
    interactionId: string,
    fromTurn = 1,
    signal?: AbortSignal,
  ): AsyncGenerator<EvidenceBundle, void, void> {
    let previous: EvidenceBundle | null = null;
    for (let turn: number | null = readLimit("fromTurn", fromTurn); turn !== null; ) {
      const page: EvidenceBundle = await this.#page(interactionId, turn, signal);
      await requireFollows(previous, page, turn);
      this.#learn(page);
      yield page;
      [previous, turn] = [page, page.next_turn];
    }
  }

  async #page(
    interactionId: string,
    fromTurn: number,
    signal: AbortSignal | undefined,
  ): Promise<EvidenceBundle> {
    const path = `${INTERACTIONS_PATH}/${encodeURIComponent(interactionId)}?from_turn=${fromTurn}`;
    const { body: answer } = await this.#transport.call(path, { signal });
    const page = await readVerifiedBundle(answer, this.#trustAnchors);
    requireSame("conversation", interactionId, page.interaction_id, answer);
    return page;
  }

  #learn({ receipts, proofs }: EvidenceBundle): void {
    for (const [i, receipt] of receipts.entries()) {
      const { [i]: proof } = proofs;
      if (proof !== undefined) this.#memory.learn({ ...proof, receipts: [receipt] });
    }
  }

  /** The newest answer of each chain that this client saw: give them to `remember` in the next process. */
  get newest(): ComplianceReceipt[] {
    return this.#memory.newest;
  }

  /**
   * Takes in a receipt from an earlier process: later answers must not contradict it. Throws `receipt_invalid`,
   * `chain_forked`.
   */
  async remember(receipt: unknown): Promise<void> {
    this.#memory.remember(await readVerifiedReceipt(receipt, { trustAnchors: this.#trustAnchors }));
  }
}
