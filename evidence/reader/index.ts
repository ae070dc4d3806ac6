// The verifier as a library: `disclosure-receipts/verify`. It reads evidence, makes every check that the inputs allow,
// and gives the verdict that the page and the command line give. It contacts nothing but the `source` that it is given.
import { utf8 } from "../core/bytes.ts";
import { canonicalBytes, type JsonObject, type JsonValue, parseJson } from "../core/canonical-json.ts";
import { DisclosureError } from "../core/errors.ts";
import { hashInput } from "../core/formats/attestation-request.ts";
import type { Seal } from "../core/formats/metachain.ts";
import { formatDigest, hashBytes } from "../core/merkle/hash.ts";
import { fullName, type PlacedCheck } from "../core/verify/check.ts";
import type { OpenReason } from "../core/verify/open-reason.ts";
import { knownTrustAnchors } from "./anchors.ts";
import { documentOf, type Evidence, isEvidence, parseDocument } from "./evidence.ts";
import { placedChecks } from "./examination.ts";
import { parseLogPolicy } from "./log-policy.ts";
import type { LogSource, MetachainSource } from "./metachain.ts";
import type { LayerSource } from "./policy-layers.ts";
import { isTlogProof } from "./proof-file.ts";
import { type CompanionFinding, type Stray, straysOf } from "./session/findings.ts";
import { type Companions, NO_COMPANIONS } from "./session/given.ts";
import type { SessionInputs } from "./session/inputs.ts";
import { openSession } from "./session/opened-session.ts";
import { runSession } from "./session/session.ts";
import { READ_WIDTH } from "./session/sort.ts";
import type { SessionSummary } from "./session/summary.ts";
import { Uses } from "./session/uses.ts";
import { unreadable } from "./unreadable.ts";
import { judge, type Outcome } from "./verdict.ts";

export type { Seal } from "../core/formats/metachain.ts";
export type { CheckName } from "../core/verify/check-names.ts";
export type { OpenReason } from "../core/verify/open-reason.ts";
export type { LogSource, MetachainSource } from "./metachain.ts";
export type { LayerSource } from "./policy-layers.ts";
export type { CompanionFinding, Stray } from "./session/findings.ts";
export type { SessionSummary } from "./session/summary.ts";
export type { Outcome } from "./verdict.ts";
export { DisclosureError as VerifierError };

/** Everything that a caller may have next to the evidence; only the time is required. */
export interface VerifierInputs {
  /** Requests behind receipts, as they were sent. */
  readonly requests?: readonly unknown[];
  /** Published seals, from a place that the caller trusts. */
  readonly seals?: readonly Seal[];
  /** Where further published seals are read. */
  readonly source?: MetachainSource & Partial<LogSource> & Partial<LayerSource>;
  /**
   * Wording policy layers, as parsed JSON, next to those of the evidence and of this program. A `source` that also has
   * `layer` is asked for others.
   */
  readonly layers?: readonly unknown[];
  /** DER certificates of timestamp authorities; without it, those among the files, or else the known public ones. */
  readonly trustAnchors?: readonly Uint8Array[];
  /**
   * A tlog-policy of C2SP as text, or the key of one log: the check `checkpoint` is made under it. A `source` that also
   * has `logFile` is asked for checkpoints that the evidence lacks.
   */
  readonly logPolicy?: string;
  /** A text to compare with the wordings that receipts name. */
  readonly wording?: string;
  /** The caller's clock, RFC 3339: certificates run out. */
  readonly now: string;
}

/** A file to verify. One that came in a folder is no word of the caller's own: its certificates are not trusted. */
export interface VerifierFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly isInFolder?: boolean;
}

export interface VerifiedCheck {
  /** As docs/receipt-format.md names it, with its place: `receipts/1/timestamp`. */
  readonly name: string;
  readonly ok: boolean | null;
  readonly detail: string;
  /** Why the check could not be made; only where `ok` is null. */
  readonly reason?: OpenReason;
}

export interface VerifiedEvidence {
  readonly kind: Evidence["kind"];
  readonly outcome: Exclude<Outcome, "unreadable">;
  readonly checks: readonly VerifiedCheck[];
  /** The inputs that do not belong to this evidence. They are no fault of the evidence. */
  readonly strays: readonly Stray[];
  /** Why published seals could not be read; null where they were, or none were asked for. */
  readonly unavailable: string | null;
}

export interface VerifiedFile {
  readonly name: string;
  /** Null for a file that could not be read. */
  readonly kind: Evidence["kind"] | "fork" | null;
  readonly outcome: Outcome;
  readonly checks: readonly VerifiedCheck[];
  /** Why nothing can be said of the file; null where something can. */
  readonly problem: string | null;
  readonly unavailable: string | null;
}

export interface VerifiedFiles {
  /** The worst of all. */
  readonly outcome: Outcome;
  /** Evidence and what could not be read, in the order in which it was given. */
  readonly files: readonly VerifiedFile[];
  /** The checks between receipts and files; null where there is nothing to compare. */
  readonly together: { readonly outcome: Outcome; readonly checks: readonly VerifiedCheck[] } | null;
  readonly companions: readonly CompanionFinding[];
  readonly strays: readonly Stray[];
  readonly summary: SessionSummary;
}

/** Verifies a set of files, as `disclosure-receipts verify` and the page do. Throws for no content of any file. */
export async function verifyFiles(
  files: readonly VerifierFile[],
  inputs: VerifierInputs,
): Promise<VerifiedFiles> {
  const given = files.map(({ name, bytes, isInFolder = false }) => ({
    name,
    isNamed: !isInFolder,
    read: async () => bytes,
  }));
  const findings = await runSession(given, sessionInputs(inputs), { show: () => null, width: READ_WIDTH });
  const { outcome, together, companions, summary } = findings;
  return {
    outcome,
    files: findings.files.map(({ file: name, kind, outcome, checks, problem, unavailable }) => ({
      name,
      kind,
      outcome,
      checks: checks.map(verifiedCheck),
      problem: problem?.detail ?? null,
      unavailable,
    })),
    together: together && { outcome: together.outcome, checks: together.checks.map(verifiedCheck) },
    companions,
    strays: straysOf(findings),
    summary,
  };
}

/**
 * `evidence` is a receipt, report, proof, bundle or published root, or a receipt's .tlog-proof: the bytes of its file,
 * its text, or parsed JSON.
 * Throws `VerifierError` (`malformed`, `not_json`, `payload_too_large`) for what can't be read as evidence.
 */
export async function verifyEvidence(evidence: unknown, inputs: VerifierInputs): Promise<VerifiedEvidence> {
  const session = await openSession([], sessionInputs(inputs));
  const found = evidenceOf(evidence);
  const examination = await session.examine(found);
  const uses = new Uses();
  uses.add(found, examination);
  return {
    kind: examination.kind,
    outcome: judge(examination).outcome,
    checks: placedChecks(examination).map(verifiedCheck),
    strays: straysOf({ companions: uses.companions(session), comparison: null }),
    unavailable: examination.unavailable,
  };
}

const verifiedCheck = (check: PlacedCheck): VerifiedCheck => ({
  name: fullName(check),
  ok: check.ok,
  detail: check.detail,
  ...(check.reason !== undefined && { reason: check.reason }),
});

function sessionInputs(inputs: VerifierInputs): SessionInputs {
  const { source, trustAnchors, wording } = inputs;
  const own = trustAnchors ?? knownTrustAnchors;
  return {
    companions: companionsOf(inputs),
    anchors: [{ source: { kind: "known" }, der: own }],
    areAnchorsDefault: trustAnchors === undefined,
    source: source === undefined ? null : sourceOf(source),
    history: null,
    walkLog: null,
    text: wording ?? null,
    now: readInstant(inputs.now),
    verifiesTimestamps: true,
    verifiesLogs: true,
  };
}

const companionsOf = ({ requests = [], seals = [], layers = [], logPolicy }: VerifierInputs): Companions => ({
  ...NO_COMPANIONS,
  requests: requests.map((request, i) => ({
    file: `requests/${i}`,
    request: request as JsonObject,
    inputHash: hashInput(request),
  })),
  seals: seals.map((seal, i) => ({ file: `seals/${i}`, seal })),
  layers: layers.map((layer, i) => ({
    file: `layers/${i}`,
    isNamed: true,
    layer: layer as JsonObject,
    digest: formatDigest(hashBytes(canonicalBytes(layer))),
  })),
  policies:
    logPolicy === undefined ? [] : [{ file: "logPolicy", isNamed: true, policy: parseLogPolicy(logPolicy) }],
});

/** A source without layers or files of the log has none of them. */
const sourceOf = (source: NonNullable<VerifierInputs["source"]>): NonNullable<SessionInputs["source"]> => ({
  name: source.name,
  head: () => source.head(),
  root: (index) => source.root(index),
  timestamp: (index, n) => source.timestamp(index, n),
  layer: async (digest) => source.layer?.(digest) ?? null,
  logFile: async (path) => source.logFile?.(path) ?? null,
});

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
