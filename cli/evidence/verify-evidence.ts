// Verification of one piece of evidence, with what the reader gave: a metachain, trust anchors, the request.
import { canonicalize } from "../../core/canonical-json.ts";
import { DisclosureError, isDisclosureError } from "../../core/errors.ts";
import type { BundleEvidence, ReceiptEvidence } from "../../core/formats/evidence.ts";
import type { Seal } from "../../core/formats/metachain.ts";
import type { Renewal } from "../../core/formats/renewal.ts";
import { TimestampVerifier } from "../../core/timestamps/timestamp-verifier.ts";
import {
  type Check,
  type Finding,
  holds,
  runSteps,
  unchecked,
  type Verification,
} from "../../core/verify/check.ts";
import { verifyBundle } from "../../core/verify/verify-bundle.ts";
import { verifyReceipt } from "../../core/verify/verify-receipt.ts";
import { verifySeal } from "../../core/verify/verify-seal.ts";
import { inOrder } from "../../reader/in-order.ts";
import type { Evidence } from "../../reader/evidence.ts";
import type { PublishedSeals } from "../../reader/published-seals.ts";
import { plainName } from "./verdict.ts";

/** How many roots of one bundle are fetched at a time. */
const FETCH_WIDTH = 8;

export interface Means {
  /** Null where the reader gave no metachain. */
  readonly published: PublishedSeals | null;
  readonly trustAnchors: readonly Uint8Array[];
  /** The reader's clock, RFC 3339. */
  readonly now: string;
  /** The request behind the receipt, if the reader gave it. */
  readonly request?: unknown;
}

/** `unavailable`: why the published roots could not be read, and so were not compared. */
export interface Examined extends Verification {
  readonly unavailable: string | null;
}

/** By what timestamps are judged. */
interface Time {
  readonly trustAnchors: TimestampVerifier;
  readonly now: string;
  readonly renewals: readonly Renewal[];
}

export class Examiner {
  readonly #means: Means;
  /** One verifier for all: many receipts share a root and its token, which is most of the work. */
  readonly #time: Time;

  constructor(means: Means) {
    this.#means = means;
    this.#time = { trustAnchors: new TimestampVerifier(means.trustAnchors), now: means.now, renewals: [] };
  }

  /** Makes every check that the means allow. A metachain that can't be read leaves its checks unmade. */
  async examine(evidence: Evidence): Promise<Examined> {
    try {
      return { ...(await this.#examine(evidence, this.#means.published)), unavailable: null };
    } catch (error) {
      if (!isDisclosureError(error)) throw error;
      return { ...(await this.#verify(evidence, null, this.#time)), unavailable: error.message };
    }
  }

  /** Where a timestamp alone won't do, and newer ones that cover it are published, they are taken too. */
  async #examine(evidence: Evidence, published: PublishedSeals | null): Promise<Verification> {
    const verification = await this.#verify(evidence, published, this.#time);
    const { trustAnchors, now } = this.#time;
    if (published === null || !trustAnchors.hasTrustAnchors || !hasOpenTimestamp(verification))
      return verification;
    const renewals: Renewal[] = [];
    for (const index of sealIndices(evidence)) {
      const renewal = await published.renewal(index, trustAnchors, now);
      if (renewal !== null) renewals.push(renewal);
    }
    return this.#verify(evidence, published, { ...this.#time, renewals });
  }

  #verify(evidence: Evidence, published: PublishedSeals | null, time: Time): Promise<Verification> {
    if (evidence.kind === "bundle") return this.#verifyBundle(evidence.bundle, published, time);
    if (evidence.kind === "seal") return this.#verifySeal(evidence.seal, published, time);
    return this.#verifyReceipt(evidence.receipt, published, time);
  }

  async #verifyReceipt(
    receipt: ReceiptEvidence,
    published: PublishedSeals | null,
    time: Time,
  ): Promise<Verification> {
    const index = receipt.merkle_proof.cross_tenant_proof?.seal_index;
    const seal = index === undefined ? undefined : await published?.get(index);
    return verifyReceipt(receipt, {
      ...time,
      request: this.#means.request,
      ...(seal !== undefined && { seal }),
    });
  }

  async #verifyBundle(
    bundle: BundleEvidence,
    published: PublishedSeals | null,
    time: Time,
  ): Promise<Verification> {
    if (published === null) return verifyBundle(bundle, time);
    const seals = new Map<number, Seal | null>();
    const indices = new Set(bundle.seals.map(({ index }) => index));
    const read = inOrder(indices, FETCH_WIDTH, async (index) => [index, await published.get(index)] as const);
    for await (const [index, seal] of read) seals.set(index, seal);
    return verifyBundle(bundle, { ...time, published: seals });
  }

  async #verifySeal(seal: Seal, published: PublishedSeals | null, time: Time): Promise<Verification> {
    const previous = seal.index === 0 ? null : await published?.get(seal.index - 1);
    const knowledge = { ...time, ...(previous && { previous }) };
    const { checks } = await verifySeal(seal, knowledge);
    const all = [...checks, await checkPublished(seal, await published?.get(seal.index))];
    return { valid: all.every(({ ok }) => ok !== false), checks: all };
  }
}

const hasOpenTimestamp = ({ checks }: Verification): boolean =>
  checks.some((check) => check.ok === null && plainName(check) === "timestamp");

/** The published roots that the evidence leads to. */
function sealIndices(evidence: Evidence): number[] {
  if (evidence.kind === "seal") return [evidence.seal.index];
  if (evidence.kind === "bundle") return [...new Set(evidence.bundle.seals.map(({ index }) => index))];
  const cross = evidence.receipt.merkle_proof.cross_tenant_proof;
  return cross === null ? [] : [cross.seal_index];
}

/** Whether a root that somebody handed on is the one that everybody sees. */
async function checkPublished(seal: Seal, published: Seal | null | undefined): Promise<Check> {
  const compare = (): Finding => {
    if (published === undefined) return unchecked(`not compared with the published root ${seal.index}`);
    if (published === null) throw invalid(`no root is published under ${seal.index}`);
    if (canonicalize(published) !== canonicalize(seal)) {
      throw invalid(`the root published under ${seal.index} is another`);
    }
    return holds(`the root is published under ${seal.index}`);
  };
  const { checks } = await runSteps([["published_root", compare]], undefined);
  return checks[0] ?? { name: "published_root", ok: false, detail: "" };
}

const invalid = (message: string): DisclosureError => new DisclosureError("proof_invalid", message);
