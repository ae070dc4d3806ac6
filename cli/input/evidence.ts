// What a file of evidence is: a receipt or its report, a part of one with a proof, a bundle, or a published root.
import type * as z from "zod";
import { type JsonObject, type JsonValue, parseJson } from "../../core/canonical-json.ts";
import { DisclosureError } from "../../core/errors.ts";
import {
  type BundleEvidence,
  bundleEvidenceSchema,
  evidenceSchema,
  type ReceiptEvidence,
} from "../../core/formats/evidence.ts";
import { type Seal, sealSchema } from "../../core/formats/metachain.ts";
import { MAX_EVIDENCE_BYTES, readBytes } from "../files/read-file.ts";

/** `nextTurn` is where the next page of the conversation begins; null where the file says that this is the last. */
export interface BundleFile {
  readonly kind: "bundle";
  readonly bundle: BundleEvidence;
  readonly nextTurn: number | null;
}

export type Evidence =
  | { readonly kind: "receipt" | "report" | "proof"; readonly receipt: ReceiptEvidence }
  | BundleFile
  | { readonly kind: "seal"; readonly seal: Seal };

/** Throws `malformed`, `not_json` or `payload_too_large` for what can't be read as evidence. */
export const readEvidence = async (path: string): Promise<Evidence> =>
  parseEvidence(await readBytes(path, MAX_EVIDENCE_BYTES));

function parseEvidence(bytes: Uint8Array): Evidence {
  const value = parseJson(bytes);
  if (!isObject(value)) throw unknownKind();
  if ("merkle_proof" in value) return asReceipt(parseAs(evidenceSchema, value));
  if ("proofs" in value) return asBundle(value);
  if ("consistency_path" in value) return { kind: "seal", seal: parseAs(sealSchema, value) };
  throw unknownKind();
}

export const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const asBundle = (value: JsonObject): Evidence => ({
  kind: "bundle",
  bundle: parseAs(bundleEvidenceSchema, value),
  nextTurn: typeof value.next_turn === "number" ? value.next_turn : null,
});

function asReceipt(receipt: ReceiptEvidence): Evidence {
  if (receipt.receipts === undefined) return { kind: "proof", receipt };
  return { kind: receipt.merkle_proof.status === "pending" ? "receipt" : "report", receipt };
}

function parseAs<T>(schema: z.ZodType<T>, value: JsonValue): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue?.path.join(".") || "this";
  throw new DisclosureError("malformed", `${place}: ${issue?.message ?? "is not as the format says"}`);
}

const unknownKind = (): DisclosureError =>
  new DisclosureError("malformed", "this is no receipt, report, bundle or published root");
