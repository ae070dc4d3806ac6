// A caller of the API as an integrator would write one, but strict: every answer must be as its schema says.
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import type * as z from "zod";
import { type ProblemDetails, problemDetailsSchema } from "../../contract/problem-details.ts";
import type { AttestationRequest } from "../../evidence/core/formats/attestation-request.ts";
import {
  type ComplianceReceipt,
  complianceReceiptSchema,
} from "../../evidence/core/formats/compliance-receipt.ts";
import { type EvidenceBundle, evidenceBundleSchema } from "../../evidence/core/formats/evidence-bundle.ts";
import {
  type Metachain,
  metachainSchema,
  type Seal,
  sealSchema,
} from "../../evidence/core/formats/metachain.ts";
import { parseCertificatesPem } from "../../evidence/core/timestamps/x509/pem.ts";
import type { Verification } from "../../evidence/core/verify/check.ts";
import { type KnownLayers, layersByDigest } from "../../evidence/core/verify/verify-policy.ts";
import { verifyReceipt } from "../../evidence/core/verify/verify-receipt.ts";
import { verifySeal } from "../../evidence/core/verify/verify-seal.ts";
import { policyLayers } from "../../evidence/policy/index.ts";
import { type InclusionVerdict, inclusionVerdictSchema } from "../../lambdas/api/inclusion-verdict.ts";
import { PATIENCE_MS } from "./patience.ts";

const POLL_MS = 50;

/** The digest of an approved German wording, for the modality and method of `disclosure`. */
export const APPROVED_DIGEST =
  policyLayers
    .find(({ jurisdiction }) => jurisdiction === "DE")
    ?.wordings.find(({ methods }) => methods.includes("spoken_introduction"))?.digest ?? "";

/** A request that is right in every field and gets the verdict ALLOW. */
export const disclosure = (changes: Partial<AttestationRequest> = {}): AttestationRequest => ({
  interaction_id: "call:2026-11-21.1",
  modality: "voice",
  article_50_clause: "1",
  disclosure_method: "spoken_introduction",
  agent_identity: "agents/reception@example",
  jurisdiction: "DE",
  subject_hash: APPROVED_DIGEST,
  ...changes,
});

export interface Call {
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Null for a call without a key. */
  readonly key?: string | null;
}

export interface Access {
  readonly url: string;
  readonly apiKey: string;
  /** Where the stack doesn't serve them itself. */
  readonly trustAnchorsPem?: string;
  /** Has a seal made now, where the next one by schedule is far away. */
  readonly hurry?: () => Promise<void>;
  /** How long a seal may take, in milliseconds. */
  readonly patienceMs?: number;
}

export class ApiClient {
  readonly url: string;
  readonly apiKey: string;
  readonly #hurry: () => Promise<void>;
  readonly #patienceMs: number;
  #trustAnchors: Promise<Uint8Array[]> | undefined;

  constructor({ url, apiKey, trustAnchorsPem, hurry = async () => {}, patienceMs = PATIENCE_MS }: Access) {
    this.#patienceMs = patienceMs;
    this.url = url;
    this.apiKey = apiKey;
    this.#hurry = hurry;
    if (trustAnchorsPem !== undefined)
      this.#trustAnchors = Promise.resolve(parseCertificatesPem(trustAnchorsPem));
  }

  /** Any call, as it is given. */
  call(method: string, path: string, { body, headers, key = this.apiKey }: Call = {}): Promise<Response> {
    const authorization = key === null ? {} : { authorization: `Bearer ${key}` };
    return fetch(this.url + path, {
      method,
      headers: { ...authorization, ...headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : new Uint8Array(body) }),
    });
  }

  async #read<T>(path: string, schema: z.ZodType<T>, call?: Call): Promise<T> {
    return readJson(await this.#untilAnswered(() => this.call("GET", path, call)), schema);
  }

  /** Asks again while the service says that it is too busy, as clients do: how busy a machine is, is not what is tested. */
  async #untilAnswered(send: () => Promise<Response>): Promise<Response> {
    for (const deadline = Date.now() + this.#patienceMs; ; await delay(POLL_MS)) {
      const response = await send();
      if (response.status !== 503 || Date.now() > deadline) return response;
      await response.body?.cancel();
    }
  }

  /** POST of JSON text. */
  post(path: string, body: string | Uint8Array, { headers, ...more }: Call = {}): Promise<Response> {
    return this.call("POST", path, {
      ...more,
      body,
      headers: { "content-type": "application/json", ...headers },
    });
  }

  async attest(
    request: AttestationRequest,
    headers: Record<string, string> = {},
  ): Promise<ComplianceReceipt> {
    const send = () => this.post("/v1/attestation", JSON.stringify(request), { headers });
    const isRepeatable = "idempotency-key" in headers;
    return readJson(await (isRepeatable ? this.#untilAnswered(send) : send()), complianceReceiptSchema);
  }

  /** Under a key of its own, so that a service which is too busy for so many calls is asked again. */
  attestAmongMany(request: AttestationRequest): Promise<ComplianceReceipt> {
    return this.attest(request, { "idempotency-key": randomUUID() });
  }

  async report(eventId: string): Promise<ComplianceReceipt> {
    return this.#read(`/v1/attestation/${eventId}`, complianceReceiptSchema);
  }

  async interaction(interactionId: string, fromTurn?: number): Promise<EvidenceBundle> {
    const query = fromTurn === undefined ? "" : `?from_turn=${fromTurn}`;
    return this.#read(`/v1/interactions/${interactionId}${query}`, evidenceBundleSchema);
  }

  /** The published layers of these digests, as a stranger fetches them: without a key, and believed by their hash. */
  async publishedLayers(digests: readonly string[]): Promise<KnownLayers> {
    const fetched = digests.map(async (digest) => {
      const path = `/v1/policy/layers/${digest.slice("sha256:".length)}`;
      const response = await this.call("GET", path, { key: null });
      return response.ok ? [await response.json()] : [];
    });
    return layersByDigest((await Promise.all(fetched)).flat());
  }

  async verifyInclusion(evidence: unknown): Promise<InclusionVerdict> {
    const response = await this.post("/v1/verify-inclusion", JSON.stringify(evidence), { key: null });
    return readJson(response, inclusionVerdictSchema);
  }

  async metachain(): Promise<Metachain> {
    return this.#read("/v1/metachain", metachainSchema, { key: null });
  }

  async seal(index: number): Promise<Seal> {
    return this.#read(`/v1/metachain/roots/${index}`, sealSchema, { key: null });
  }

  /** Every published seal, in order. */
  async seals(): Promise<Seal[]> {
    const { size } = await this.metachain();
    return Promise.all(Array.from({ length: size }, (_, index) => this.seal(index)));
  }

  /** What the local stack serves under `/tsa/certificate.pem`, or what was told. */
  trustAnchors(): Promise<Uint8Array[]> {
    this.#trustAnchors ??= this.call("GET", "/tsa/certificate.pem", { key: null })
      .then((response) => response.text())
      .then(parseCertificatesPem);
    return this.#trustAnchors;
  }

  /** The report once its proof leads to a published root. */
  includedReport(eventId: string): Promise<ComplianceReceipt> {
    return this.#reportOnce(eventId, ({ merkle_proof }) => merkle_proof.status === "included");
  }

  /** The report once the log has signed that root, which it does a moment later. */
  signedReport(eventId: string): Promise<ComplianceReceipt> {
    return this.#reportOnce(eventId, ({ log_signed_root }) => typeof log_signed_root === "string");
  }

  async #reportOnce(
    eventId: string,
    isDone: (report: ComplianceReceipt) => boolean,
  ): Promise<ComplianceReceipt> {
    for (const deadline = Date.now() + this.#patienceMs; ; await delay(POLL_MS)) {
      await this.#hurry();
      const report = await this.report(eventId);
      if (isDone(report)) return report;
      if (Date.now() > deadline) throw new Error("no seal came to cover the receipt");
    }
  }

  /** Verifies a report against the seal that it names, as a reader would: from what is published alone. */
  async verifyPublished(report: ComplianceReceipt, request?: AttestationRequest): Promise<Verification> {
    const index = report.merkle_proof.cross_tenant_proof?.seal_index;
    const seal = index === undefined ? null : await this.seal(index);
    const layers = await this.publishedLayers(report.receipts.map(({ policy }) => policy.digest));
    return verifyReceipt(report, { request, seal, layers, trustAnchors: await this.trustAnchors() });
  }

  /** Verifies every published seal against the one before it. Returns what was wrong. */
  async faultsOfSeals(): Promise<string[]> {
    const [seals, trustAnchors] = await Promise.all([this.seals(), this.trustAnchors()]);
    const faults = seals.map(async (seal, i) => {
      const previous = seals[i - 1];
      const { checks } = await verifySeal(seal, { ...(previous && { previous }), trustAnchors });
      return checks.filter(({ ok }) => ok !== true).map(({ name, detail }) => `${i} ${name}: ${detail}`);
    });
    return (await Promise.all(faults)).flat();
  }
}

/** The body of a 200 that is as `schema` says, with every member that came. */
export async function readJson<T>(response: Response, schema: z.ZodType<T>): Promise<T> {
  const text = await response.text();
  expect([response.status, response.headers.get("content-type"), text]).toEqual([
    200,
    "application/json",
    text,
  ]);
  const body: unknown = JSON.parse(text);
  schema.parse(body);
  return body as T;
}

/** The problem that an answer holds (RFC 9457). */
export async function readProblem(response: Response): Promise<ProblemDetails> {
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const problem = problemDetailsSchema.parse(await response.json());
  expect(problem.status).toBe(response.status);
  return problem as ProblemDetails;
}
