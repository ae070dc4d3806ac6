// The verifier as a library: `disclosure-receipts/verify`. It reads evidence, makes every check that the inputs allow,
// and gives the verdict that the page and the command line give; but the command line calls it `unreadable` where the
// metachain could not be read, and here `unavailable` says so. It contacts nothing but the `source` that it is given.
import { utf8 } from "../core/bytes.ts";
import { type JsonValue, parseJson } from "../core/canonical-json.ts";
import { DisclosureError } from "../core/errors.ts";
import type { Seal } from "../core/formats/metachain.ts";
import type { Companion } from "../core/verify/check.ts";
import { knownTrustAnchors } from "./anchors.ts";
import { Checkpoints } from "./checkpoints.ts";
import { documentOf, isEvidence, parseDocument } from "./evidence.ts";
import { type Examination, fullName, placedChecks } from "./examination.ts";
import { Examiner } from "./examine.ts";
import { parseLogPolicy } from "./log-policy.ts";
import type { LogSource, MetachainSource } from "./metachain.ts";
import { type LayerSource, PolicyLayers } from "./policy-layers.ts";
import { isTlogProof } from "./proof-file.ts";
import { PublishedSeals } from "./published-seals.ts";
import { unreadable } from "./unreadable.ts";
import { judge, type Outcome, strayCompanions } from "./verdict.ts";

export type { Seal } from "../core/formats/metachain.ts";
export type { Check, Companion } from "../core/verify/check.ts";
export type { LogSource, MetachainSource } from "./metachain.ts";
export type { LayerSource } from "./policy-layers.ts";
export type { Outcome } from "./verdict.ts";
export { DisclosureError as VerifierError };

/** Everything that a caller may have next to the evidence; only the time is required. */
export interface VerifierInputs {
  /** The request behind the receipt, as it was sent. */
  readonly request?: unknown;
  /** Published seals by index, from a place that the caller trusts. */
  readonly seals?: readonly Seal[];
  /** Where further published seals are read. */
  readonly source?: MetachainSource & Partial<LogSource> & Partial<LayerSource>;
  /**
   * Wording policy layers, as parsed JSON, next to those of the evidence and of this program. A `source` that also has
   * `layer` is asked for others.
   */
  readonly layers?: readonly unknown[];
  /** DER certificates of timestamp authorities; without it, the known public ones. */
  readonly trustAnchors?: readonly Uint8Array[];
  /**
   * A tlog-policy of C2SP as text, or the key of one log: the check `checkpoint` is made under it. A `source` that also
   * has `logFile` is asked for checkpoints that the evidence lacks.
   */
  readonly logPolicy?: string;
  /** The caller's clock, RFC 3339: certificates run out. */
  readonly now: string;
}

export interface VerifiedEvidence {
  readonly kind: Examination["kind"];
  readonly outcome: Exclude<Outcome, "unreadable">;
  /** Every check, named as docs/receipt-format.md names it. */
  readonly checks: readonly { readonly name: string; readonly ok: boolean | null; readonly detail: string }[];
  /** The inputs that do not belong to this evidence. They are no fault of the evidence. */
  readonly strayInputs: readonly Companion[];
  /** Why published seals could not be read; null where they were, or none were asked for. */
  readonly unavailable: string | null;
}

/**
 * `evidence` is a receipt, report, proof, bundle or published root, or a receipt's .tlog-proof: the bytes of its file,
 * its text, or parsed JSON.
 * Throws `VerifierError` (`malformed`, `not_json`, `payload_too_large`) for what can't be read as evidence.
 */
export async function verifyEvidence(evidence: unknown, inputs: VerifierInputs): Promise<VerifiedEvidence> {
  const { request, seals = [], source = null, layers = [], trustAnchors = knownTrustAnchors } = inputs;
  const examiner = new Examiner({
    requests: request === undefined ? [] : [request],
    published: new PublishedSeals(source, { given: new Map(seals.map((seal) => [seal.index, seal])) }),
    layers: new PolicyLayers(layerSourceOf(source), layers),
    trustAnchors,
    now: readInstant(inputs.now),
    ...(inputs.logPolicy !== undefined && { checkpoints: checkpointsOf(inputs.logPolicy, source) }),
  });
  const examination = await examiner.examine(evidenceOf(evidence));
  return {
    kind: examination.kind,
    outcome: judge(examination).outcome,
    checks: placedChecks(examination).map((check) => ({
      name: fullName(check),
      ok: check.ok,
      detail: check.detail,
    })),
    strayInputs: [...strayCompanions(examination)],
    unavailable: examination.unavailable,
  };
}

function layerSourceOf(source: NonNullable<VerifierInputs["source"]> | null): LayerSource | null {
  return source?.layer === undefined ? null : { name: source.name, layer: source.layer.bind(source) };
}

function checkpointsOf(policy: string, source: VerifierInputs["source"] | null): Checkpoints {
  const { name = "", logFile } = source ?? {};
  const files = logFile === undefined ? null : { name, logFile: logFile.bind(source) };
  return new Checkpoints(parseLogPolicy(policy), files);
}

function evidenceOf(given: unknown) {
  const document = given instanceof Uint8Array ? parseDocument(given) : textDocumentOf(given);
  if (isEvidence(document)) return document;
  throw unreadable("unknown", "this is no receipt, report, bundle or published root");
}

function textDocumentOf(given: unknown) {
  if (typeof given !== "string") return documentOf(given as JsonValue);
  return isTlogProof(given) ? parseDocument(utf8(given)) : documentOf(parseJson(given));
}

function readInstant(now: string): string {
  if (Number.isNaN(Date.parse(now))) throw new DisclosureError("malformed", "now must be a time, RFC 3339");
  return now;
}
