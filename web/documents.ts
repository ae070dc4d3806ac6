// Reads what the reader hands over, whatever it is: it says by itself whether it is a receipt, a bundle, the request
// behind a receipt, a published root, or certificates.
import { parseJson } from "../core/canonical-json.ts";
import { isDisclosureError } from "../core/errors.ts";
import {
  type BundleEvidence,
  bundleEvidenceSchema,
  evidenceSchema,
  type ReceiptEvidence,
} from "../core/formats/evidence.ts";
import { type Seal, sealSchema } from "../core/formats/metachain.ts";
import { parseCertificatesPem } from "../core/timestamps/x509/pem.ts";
import { describeAnchors } from "./anchors.ts";
import { isModest, MAX_FILE_BYTES, MAX_PEM_LENGTH } from "./limits.ts";

export type ProblemReason =
  | "too_large"
  | "not_json"
  | "immodest"
  | "unknown"
  | "malformed"
  | "certificates"
  | "too_slow"
  | "failed";

/** Why something could not be read. `detail` is technical and in English, empty where there is nothing to add. */
export interface Problem {
  readonly kind: "problem";
  readonly reason: ProblemReason;
  readonly detail: string;
}

/** What is examined. A published root by itself is one too; beside a receipt it is what the receipt leads to. */
export type Subject =
  | { readonly kind: "seal"; readonly seal: Seal }
  | { readonly kind: "receipt"; readonly evidence: ReceiptEvidence }
  | { readonly kind: "bundle"; readonly bundle: BundleEvidence; readonly nextTurn: number | null };

export type Document =
  | Subject
  | Problem
  | { readonly kind: "request"; readonly request: unknown }
  | { readonly kind: "certificates"; readonly anchors: readonly Uint8Array[] };

const PEM_MARK = "-----BEGIN ";
/** Where certificates may begin: explanatory text may stand before them. */
const PEM_WINDOW = 4_096;

export const problem = (reason: ProblemReason, detail = ""): Problem => ({ kind: "problem", reason, detail });

/** Never throws for anything that a stranger could have written. */
export function readDocument(bytes: Uint8Array): Document {
  if (bytes.length > MAX_FILE_BYTES) return problem("too_large");
  const opening = new TextDecoder().decode(bytes.subarray(0, PEM_WINDOW));
  return opening.includes(PEM_MARK) ? readCertificates(bytes) : readJson(bytes);
}

function readCertificates(bytes: Uint8Array): Document {
  if (bytes.length > MAX_PEM_LENGTH) return problem("too_large");
  try {
    const anchors = parseCertificatesPem(new TextDecoder().decode(bytes));
    describeAnchors(anchors);
    return { kind: "certificates", anchors };
  } catch (error) {
    return problem("certificates", messageOf(error));
  }
}

function readJson(bytes: Uint8Array): Document {
  let value: unknown;
  try {
    value = parseJson(bytes);
  } catch (error) {
    return problem("not_json", messageOf(error));
  }
  return isModest(value) ? readEvidence(value) : problem("immodest");
}

function readEvidence(value: unknown): Document {
  const has = (name: string): boolean => typeof value === "object" && value !== null && name in value;
  if (has("proofs")) return readBundle(value);
  if (has("merkle_proof")) return read(evidenceSchema, value, (evidence) => ({ kind: "receipt", evidence }));
  if (has("consistency_path")) return read(sealSchema, value, (seal) => ({ kind: "seal", seal }));
  // A request is taken as it came: it is judged by its hash.
  if (has("interaction_id") && has("subject_hash")) return { kind: "request", request: value };
  return problem("unknown");
}

function readBundle(value: unknown): Document {
  const nextTurn = (value as { next_turn?: unknown }).next_turn;
  return read(bundleEvidenceSchema, value, (bundle) => ({
    kind: "bundle",
    bundle,
    nextTurn: typeof nextTurn === "number" ? nextTurn : null,
  }));
}

/** What zod's schemas offer, as far as it is needed here. */
interface Schema<T> {
  safeParse(value: unknown):
    | { readonly success: true; readonly data: T }
    | {
        readonly success: false;
        readonly error: { issues: readonly { path: PropertyKey[]; message: string }[] };
      };
}

function read<T>(schema: Schema<T>, value: unknown, found: (data: T) => Document): Document {
  const result = schema.safeParse(value);
  if (result.success) return found(result.data);
  const [issue] = result.error.issues;
  return problem("malformed", `/${issue?.path.map(String).join("/")}: ${issue?.message}`);
}

const messageOf = (error: unknown): string => (isDisclosureError(error) ? error.message : "");
