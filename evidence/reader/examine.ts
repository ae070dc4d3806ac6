// Examines evidence: makes every check that the reader's inputs allow, by core's own verification.
import { canonicalize } from "../core/canonical-json.ts";
import { isDisclosureError } from "../core/errors.ts";
import { hashInput } from "../core/formats/attestation-request.ts";
import type { ReceiptEvidence } from "../core/formats/evidence.ts";
import { type ListedSeal, type Seal, sealIn } from "../core/formats/metachain.ts";
import type { Renewal } from "../core/formats/renewal.ts";
import { BUNDLE_LIMITS, RECEIPT_LIMITS, TimestampVerifier } from "../core/timestamps/timestamp-verifier.ts";
import { type Check, type Finding, fail, holds, runSteps, withoutSeal } from "../core/verify/check.ts";
import { verifyHistory } from "../core/verify/verify-history.ts";
import { verifyReceipt } from "../core/verify/verify-receipt.ts";
import { namedSealIndex } from "../core/verify/verify-recorded-after.ts";
import { verifySeal } from "../core/verify/verify-seal.ts";
import { verifyWhole } from "../core/verify/verify-whole.ts";
import { withCoseReceipts } from "./cose-receipts.ts";
import type { Evidence } from "./evidence.ts";
import { type Examination, placedChecks } from "./examination.ts";
import { examineBundle } from "./examine-bundle.ts";
import { withCheckpoints } from "./examine-checkpoints.ts";
import type { ReaderInputs, TimeInputs } from "./inputs.ts";
import { PolicyLayers } from "./policy-layers.ts";
import { readTokenTime, timesOf } from "./times.ts";
import { wordingOfReceipt } from "./wording.ts";

/** Null where the published roots are not to be compared: nobody could be asked. */
type MaybePublished = ReaderInputs["published"] | null;

export class Examiner {
  readonly #inputs: ReaderInputs;
  readonly #time: TimeInputs;
  readonly #layers: PolicyLayers;

  constructor(inputs: ReaderInputs) {
    this.#inputs = inputs;
    this.#layers = inputs.layers ?? new PolicyLayers(null);
    const trustAnchors = TimestampVerifier.of(inputs.trustAnchors);
    this.#time = { trustAnchors, now: inputs.now, renewals: [] };
  }

  /** Makes every check that the inputs allow. A metachain that can't be read leaves its checks unmade. */
  async examine(evidence: Evidence): Promise<Examination> {
    const limits = evidence.kind === "bundle" ? BUNDLE_LIMITS : RECEIPT_LIMITS;
    // A file full of false tokens must not keep a program busy: every pass over it shares one budget.
    const time = { ...this.#time, trustAnchors: this.#time.trustAnchors.forExamination(limits) };
    try {
      return await this.#examineFully(evidence, time);
    } catch (error) {
      if (!isDisclosureError(error)) throw error;
      return { ...(await this.#examineOnce(evidence, null, time)), unavailable: error.message };
    }
  }

  /** Where a token's certificate ran out, or a token is missing, published seals are searched for a newer one. */
  async #examineFully(evidence: Evidence, time: TimeInputs): Promise<Examination> {
    const { published } = this.#inputs;
    const examination = await this.#examineOnce(evidence, published, time);
    const { trustAnchors, now } = this.#time;
    if (!trustAnchors.hasTrustAnchors || !placedChecks(examination).some(isRenewable)) return examination;
    const renewals: Renewal[] = [];
    for (const index of sealIndices(evidence)) {
      const renewal = await published.renewal(index, trustAnchors, now);
      if (renewal !== null) renewals.push(renewal);
    }
    return renewals.length === 0
      ? examination
      : this.#examineOnce(evidence, published, { ...time, renewals });
  }

  async #examineOnce(evidence: Evidence, published: MaybePublished, time: TimeInputs): Promise<Examination> {
    const itself = await this.#examineItself(evidence, published, time);
    const { checkpoints, coseReceipts, history } = this.#inputs;
    const signed =
      checkpoints === undefined ? itself : await withCheckpoints(itself, checkpoints, published === null);
    const examination = coseReceipts === undefined ? signed : await withCoseReceipts(signed, coseReceipts);
    if (history === undefined) return examination;
    const turns = examination.turns.map(async (turn) => ({
      ...turn,
      checks: [...turn.checks, ...(await verifyHistory(turn.evidence, history))],
    }));
    const whole = evidence.kind === "bundle" ? await verifyWhole(evidence.bundle, history) : [];
    return { ...examination, turns: await Promise.all(turns), whole: [...examination.whole, ...whole] };
  }

  #examineItself(evidence: Evidence, published: MaybePublished, time: TimeInputs): Promise<Examination> {
    if (evidence.kind === "bundle")
      return examineBundle(
        evidence.bundle,
        { published, layers: this.#layers, requests: this.#inputs.requests },
        time,
      );
    if (evidence.kind === "seal") return examineSeal(evidence.seal, published, time);
    return this.#examineReceipt(evidence.kind, evidence.receipt, published, time);
  }

  async #examineReceipt(
    kind: Examination["kind"],
    receipt: ReceiptEvidence,
    published: MaybePublished,
    time: TimeInputs,
  ): Promise<Examination> {
    const index = receipt.merkle_proof.cross_tenant_proof?.seal_index;
    const seal = index === undefined ? undefined : await published?.get(index);
    const request = requestOf(receipt, this.#inputs.requests);
    const named = namedSealIndex(receipt.receipts?.[0] ?? {});
    const sealBefore = named === null ? undefined : await published?.get(named);
    const { receipts = [] } = receipt;
    const layers = await this.#layers.find(receipts);
    const known = {
      layers,
      ...(request !== undefined && { request }),
      ...(seal !== undefined && { seal }),
      ...(sealBefore !== undefined && { sealBefore }),
    };
    const { checks } = await verifyReceipt(receipt, { ...time, ...known });
    const times = await timesOf(receipt, time, sealBefore);
    const wording = wordingOfReceipt(receipts[0] ?? {}, layers);
    const turn = { evidence: receipt, checks, follows: null, checkpoint: null, wording, ...times };
    return { kind, turns: [turn], seals: [], whole: [], unavailable: null };
  }
}

/** A newer timestamp mends one that is open, but not for want of the certificate of another authority. */
const isRenewable = ({ name, ok, reason }: Check): boolean =>
  name === "timestamp" && ok === null && reason !== "other_authority";

/** The request that was hashed into the receipt; where none was, the only one there is, which does not fit. */
function requestOf({ receipts = [] }: ReceiptEvidence, requests: readonly unknown[]): unknown {
  const [receipt] = receipts;
  const [only, ...others] = requests;
  return (
    requests.find((request) => hashInput(request) === receipt?.input_hash) ??
    (others.length === 0 ? only : undefined)
  );
}

async function examineSeal(seal: Seal, published: MaybePublished, time: TimeInputs): Promise<Examination> {
  const previous = seal.index === 0 ? null : sealIn(await published?.get(seal.index - 1));
  const { checks } = await verifySeal(seal, { ...time, ...(previous && { previous }) });
  const compared = await checkPublished(seal, await published?.get(seal.index));
  const tokenTime = await readTokenTime(seal.tsa_timestamp, seal.merkle_root, time);
  const examined = { seal, checks: [...checks, ...compared], tokenTime, checkpoint: null };
  return { kind: "seal", turns: [], seals: [examined], whole: [], unavailable: null };
}

/** Checks that a root which somebody handed on is the one that is published for everybody. */
async function checkPublished(seal: Seal, listed: ListedSeal | undefined): Promise<readonly Check[]> {
  const compare = (): Finding => {
    const published = sealIn(listed);
    if (published === null) return withoutSeal(listed, seal.index);
    if (canonicalize(published) !== canonicalize(seal))
      fail(`a different root is published under ${seal.index}`);
    return holds(`the root is published under ${seal.index}`);
  };
  return (await runSteps([["published_root", compare]], undefined)).checks;
}

/** The published roots that the evidence leads to, by index. */
function sealIndices(evidence: Evidence): number[] {
  if (evidence.kind === "seal") return [evidence.seal.index];
  if (evidence.kind === "bundle") return evidence.bundle.seals.map(({ index }) => index);
  const cross = evidence.receipt.merkle_proof.cross_tenant_proof;
  return cross === null ? [] : [cross.seal_index];
}
