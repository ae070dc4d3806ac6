// Reads a file and says what it is: evidence (a receipt, its report, a proof, a bundle, a published root), or what a
// reader has next to evidence (a request, certificates, a COSE receipt, a log's key, a wording policy layer). A file is
// of one kind: see docs/receipt-format.md.
import type * as z from "zod";
import { type JsonObject, type JsonValue, parseJson } from "../core/canonical-json.ts";
import { DisclosureError, isDisclosureError } from "../core/errors.ts";
import {
  type BundleEvidence,
  bundleEvidenceSchema,
  evidenceSchema,
  kindMembersOf,
  type ReceiptEvidence,
} from "../core/formats/evidence.ts";
import { type Seal, sealSchema } from "../core/formats/metachain.ts";
import { PLAIN_ERRORS } from "../core/formats/plain-errors.ts";
import { sizeSchema } from "../core/formats/shapes.ts";
import { type CoseReceipt, isCose, parseCoseReceipt } from "../core/log/cose-receipt.ts";
import { FORK_FORMAT } from "../core/log/fork.ts";
import type { TlogPolicy } from "../core/log/tlog-policy.ts";
import { type PolicyRules, readRules } from "../core/policy/policy-rules.ts";
import { parseCertificate } from "../core/timestamps/x509/certificate.ts";
import { parseCertificatesPem } from "../core/timestamps/x509/pem.ts";
import { isWithinLimits, MAX_FILE_BYTES, MAX_PEM_LENGTH } from "./limits.ts";
import { isLogPolicy, parseLogPolicy } from "./log-policy.ts";
import { evidenceOfProof, isTlogProof } from "./proof-file.ts";
import { unreadable } from "./unreadable.ts";

/** A receipt as the attestation call answered it, its later report, or a part of one that holds a proof alone. */
export interface ReceiptFile {
  readonly kind: "receipt" | "report" | "proof";
  readonly receipt: ReceiptEvidence;
}

/** `nextTurn` is where the next page of the conversation begins; null where the file says that this is the last. */
export interface BundleFile {
  readonly kind: "bundle";
  readonly bundle: BundleEvidence;
  readonly nextTurn: number | null;
}

export interface SealFile {
  readonly kind: "seal";
  readonly seal: Seal;
}

export type Evidence = ReceiptFile | BundleFile | SealFile;

/** The request behind a receipt, as it was sent: it is judged by its hash. */
export interface RequestFile {
  readonly kind: "request";
  readonly request: JsonObject;
}

/** DER certificates of timestamp authorities. */
export interface CertificatesFile {
  readonly kind: "certificates";
  readonly anchors: readonly Uint8Array[];
}

/** A COSE receipt (RFC 9942) of one of the receipts: it holds neither the receipt nor its entry. */
export interface CoseReceiptFile {
  readonly kind: "cose_receipt";
  readonly coseReceipt: CoseReceipt;
}

/** The logs that the reader believes, and the witnesses: a tlog-policy, or the key of one log. */
export interface LogPolicyFile {
  readonly kind: "log_policy";
  readonly policy: TlogPolicy;
}

/** A wording policy layer as it came: it is believed by its hash. */
export interface PolicyLayerFile {
  readonly kind: "policy_layer";
  readonly layer: JsonObject;
  readonly rules: PolicyRules;
}

/** The files that a reader has next to evidence. */
export type CompanionFile =
  | RequestFile
  | CertificatesFile
  | CoseReceiptFile
  | LogPolicyFile
  | PolicyLayerFile;

export type Document = Evidence | CompanionFile;

const COMPANION_NAMES: Readonly<Record<CompanionFile["kind"], string>> = {
  request: "a request",
  certificates: "a list of certificates",
  log_policy: "a log's key or a policy",
  policy_layer: "a wording policy layer",
  cose_receipt: "a COSE receipt, which is checked together with the report of its receipt",
};

export const isEvidence = (found: Document): found is Evidence => !Object.hasOwn(COMPANION_NAMES, found.kind);

/** The receipts that evidence shows, as they came; a proof or a root shows none. */
export function receiptsOf(evidence: Evidence): readonly Readonly<Record<string, unknown>>[] {
  if (evidence.kind === "seal") return [];
  return evidence.kind === "bundle" ? evidence.bundle.receipts : (evidence.receipt.receipts ?? []);
}

/** The name of such a file in messages. */
export const companionName = ({ kind }: Pick<CompanionFile, "kind">): string => COMPANION_NAMES[kind];

export const isCompanionKind = (kind: string): kind is CompanionFile["kind"] =>
  Object.hasOwn(COMPANION_NAMES, kind);

/** At the beginning of a line, in what is no JSON. */
const PEM_MARK = /^-----BEGIN /m;
const JSON_START = /^\s*[[{"]/;
/** Explanatory text may precede certificates. Bytes. */
const PEM_WINDOW = 4_096;
/** The bytes that JSON may begin with. A zip or PDF file has others, and is no text. */
const TEXT_START = /^\s*[[{"\-\dtfn]/;

/**
 * Throws `not_json`, `payload_too_large`, or `malformed` with a reason of unreadable.ts; nothing else, whatever a
 * stranger has written.
 */
export function parseDocument(bytes: Uint8Array): Document {
  if (bytes.length > MAX_FILE_BYTES) throw tooLarge(MAX_FILE_BYTES);
  const opening = new TextDecoder().decode(bytes.subarray(0, PEM_WINDOW));
  if (opening.trim() === "" && bytes.length <= PEM_WINDOW) throw unreadable("empty", "this file is empty");
  if (isTlogProof(opening)) return parseProof(bytes);
  if (isCose(bytes)) return { kind: "cose_receipt", coseReceipt: parsePart(() => parseCoseReceipt(bytes)) };
  if (PEM_MARK.test(opening) && !JSON_START.test(opening)) return parseCertificates(bytes);
  if (isLogPolicy(opening)) return parsePolicyFile(bytes);
  // A byte order mark is left to the JSON parser, which names it.
  if (opening.startsWith("%PDF")) throw unreadable("pdf", "this is a PDF file");
  if (!TEXT_START.test(opening.replace(/^\uFEFF/, "")) && opening.includes("\uFFFD"))
    throw unreadable("not_text", "this is not a text file");
  return documentOf(parseJson(bytes));
}

/** The same for what must be evidence. */
export function parseEvidence(bytes: Uint8Array): Evidence {
  const found = parseDocument(bytes);
  if (isEvidence(found)) return found;
  throw unreadable("unknown", `this is ${companionName(found)}, not evidence`);
}

/** The same for JSON that is parsed already. Throws `malformed`. */
export function documentOf(value: JsonValue): Evidence | RequestFile | PolicyLayerFile {
  if (!isWithinLimits(value))
    throw unreadable("part_too_large", "a text or a list in this file is longer than any in a receipt");
  if (!isObject(value)) throw unknownKind();
  const kinds = kindMembersOf(value);
  if (kinds.length > 1)
    throw unreadable(
      "two_kinds",
      `this file has ${kinds.join(" and ")}, and so could be read as two kinds of evidence`,
    );
  if (kinds[0] === "merkle_proof") return receiptFile(parseAs(evidenceSchema, value));
  if (kinds[0] === "proofs") return bundleFile(value);
  if (isFork(value))
    throw unreadable(
      "fork",
      "this is the proof that a log signed two histories, which is no evidence of a receipt",
    );
  if (kinds[0] === "consistency_path") return { kind: "seal", seal: parseAs(sealSchema, value) };
  if (Object.hasOwn(value, "interaction_id") && Object.hasOwn(value, "subject_hash"))
    return { kind: "request", request: value };
  if (Object.hasOwn(value, "wordings"))
    return { kind: "policy_layer", layer: value, rules: parsePart(() => readRules(value)) };
  throw isRefusal(value) ? refusalOf(value) : unknownKind();
}

export const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function receiptFile(receipt: ReceiptEvidence): ReceiptFile {
  if (receipt.receipts === undefined) return { kind: "proof", receipt };
  return { kind: receipt.merkle_proof.status === "pending" ? "receipt" : "report", receipt };
}

const bundleFile = (value: JsonObject): BundleFile => ({
  kind: "bundle",
  bundle: parseAs(bundleEvidenceSchema, value),
  nextTurn: sizeSchema.safeParse(value.next_turn).data ?? null,
});

function parseProof(bytes: Uint8Array): ReceiptFile {
  const text = decodeUtf8(bytes);
  return { kind: "report", receipt: parsePart(() => evidenceOfProof(text)) };
}

function parsePolicyFile(bytes: Uint8Array): LogPolicyFile {
  const text = decodeUtf8(bytes);
  return { kind: "log_policy", policy: parsePart(() => parseLogPolicy(text)) };
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw unreadable("not_text", "this is not text in UTF-8", cause);
  }
}

/** A file of which any part is wrong can't be read. */
function parsePart<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    throw unreadable("malformed", error.message, error);
  }
}

function parseCertificates(bytes: Uint8Array): CertificatesFile {
  if (bytes.length > MAX_PEM_LENGTH) throw tooLarge(MAX_PEM_LENGTH);
  try {
    const anchors = parseCertificatesPem(new TextDecoder().decode(bytes));
    anchors.forEach(parseCertificate);
    return { kind: "certificates", anchors };
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    throw unreadable("certificates", error.message, error);
  }
}

function parseAs<T>(schema: z.ZodType<T>, value: JsonValue): T {
  const result = schema.safeParse(value, PLAIN_ERRORS);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue?.path.map(String).join(".") || "this";
  throw unreadable("malformed", `${place}: ${issue?.message}`);
}

/** It has a consistency path too, but is no published root. */
const isFork = (value: JsonObject): boolean =>
  value.format === FORK_FORMAT && !Object.hasOwn(value, "merkle_root");

/** RFC 9457 problem details: what curl saves where the service refused the call. */
const isRefusal = (value: JsonObject): boolean =>
  typeof value.status === "number" && typeof value.title === "string";

const refusalOf = ({ status, title }: JsonObject): DisclosureError =>
  unreadable("refusal", `this is not a receipt but the service's refusal: ${status} ${title}`);

const unknownKind = (): DisclosureError =>
  unreadable("unknown", "this is no receipt, report, bundle or published root");

const tooLarge = (limit: number): DisclosureError =>
  new DisclosureError("payload_too_large", `this is larger than ${limit / 1024 / 1024} MiB`, { limit });
