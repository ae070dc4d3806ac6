// Callers that go on through a deployment, as an integrator's would: one call after the other, each with an
// Idempotency-Key of its own, repeated under that key until it is answered.
import { setTimeout as delay } from "node:timers/promises";
import type { AttestationRequest } from "../../evidence/core/formats/attestation-request.ts";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import { type ApiClient, disclosure } from "../support/api-client.ts";
import { ascending } from "../support/trees.ts";

const RETRY_MS = 100;
const CONVERSATIONS = 3;

export interface Answered {
  readonly caller: number;
  readonly answer: ComplianceReceipt;
  /** What the code that answered calls itself. */
  readonly release: string | null;
}

export class Traffic {
  /** In the order in which each caller was answered. */
  readonly answered: Answered[] = [];
  /** Calls that had to be repeated, by what came of them. */
  readonly failures = new Map<string, number>();
  readonly #api: ApiClient;
  readonly #callers: Promise<void>[];
  #isOver = false;

  constructor(api: ApiClient, callers: number) {
    this.#api = api;
    this.#callers = ascending(callers, (caller) => this.#keepCalling(caller));
  }

  /** Lets every call that is under way come to its answer. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#callers);
  }

  async #keepCalling(caller: number): Promise<void> {
    for (let i = 0; !this.#isOver; i++) {
      const request = disclosure({ interaction_id: `caller-${caller}.${i % CONVERSATIONS}` });
      const response = await this.#callUntilAnswered(request, `${caller}-${i}`);
      const answer = (await response.json()) as ComplianceReceipt;
      this.answered.push({ caller, answer, release: response.headers.get("x-release") });
    }
  }

  async #callUntilAnswered(request: AttestationRequest, key: string): Promise<Response> {
    const headers = { "idempotency-key": key };
    for (;;) {
      const response = await this.#api.post("/v1/attestation", JSON.stringify(request), { headers });
      if (response.status === 200) return response;
      const failure = String(response.status);
      this.failures.set(failure, (this.failures.get(failure) ?? 0) + 1);
      if (response.status < 500) throw new Error(`a call was refused: ${await response.text()}`);
      await delay(RETRY_MS);
    }
  }
}
