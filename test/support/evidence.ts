// The corpus of receipts, seals and bundles under test/vectors/evidence, as its index lists it.
import { isDisclosureError } from "../../evidence/core/errors.ts";
import { bundleEvidenceSchema, evidenceSchema } from "../../evidence/core/formats/evidence.ts";
import { sealSchema } from "../../evidence/core/formats/metachain.ts";
import { parseCertificatesPem } from "../../evidence/core/timestamps/x509/pem.ts";
import type { Verification } from "../../evidence/core/verify/check.ts";
import { verifyBundle } from "../../evidence/core/verify/verify-bundle.ts";
import { type KnownLayers, layersByDigest } from "../../evidence/core/verify/verify-policy.ts";
import { verifyReceipt } from "../../evidence/core/verify/verify-receipt.ts";
import { verifySeal } from "../../evidence/core/verify/verify-seal.ts";
import type { Entry } from "../vectors/evidence/edit.ts";
import { readBytes, readEvidence, readSeal } from "./vector-files.ts";

export type EvidenceVector = Entry;

/** Null where the evidence can't be read. */
export type Verdict = Verification | null;

export const evidenceVectors = readEvidence("index.json") as unknown as readonly EvidenceVector[];

/** Reports with signed checkpoints, each with the policy of a reader. */
export const checkpointVectors = readEvidence("checkpoints.json") as unknown as readonly (EvidenceVector & {
  readonly policy: string;
})[];

/** Reads and verifies a vector with what the index says that the reader has. */
export async function verifyVector(vector: EvidenceVector): Promise<Verdict> {
  try {
    return await verifyAs(vector, readEvidence(vector.file));
  } catch (error) {
    if (isDisclosureError(error, "not_json")) return null;
    throw error;
  }
}

/** The same for evidence that is not in a file: `value` in place of the vector's own. */
export async function verifyAs(vector: EvidenceVector, value: unknown): Promise<Verdict> {
  if (vector.kind === "seal") return verifySealVector(vector, value);
  if (vector.kind === "bundle") return verifyBundleVector(vector, value);
  const evidence = evidenceSchema.safeParse(value);
  if (!evidence.success) return null;
  const { request, seal, before } = vector;
  return verifyReceipt(evidence.data, {
    ...anchorsOf(vector),
    layers: layersOf(vector),
    ...(request !== undefined && { request: readEvidence(request) }),
    ...(seal !== undefined && { seal: seal === null ? null : readSeal(seal) }),
    ...(before !== undefined && { sealBefore: before === null ? null : readSeal(before) }),
  });
}

async function verifySealVector(vector: EvidenceVector, value: unknown): Promise<Verdict> {
  const seal = sealSchema.safeParse(value);
  const { previous } = vector;
  const knowledge = { ...anchorsOf(vector), ...(previous !== undefined && { previous: readSeal(previous) }) };
  return seal.success ? verifySeal(seal.data, knowledge) : null;
}

async function verifyBundleVector(vector: EvidenceVector, value: unknown): Promise<Verdict> {
  const bundle = bundleEvidenceSchema.safeParse(value);
  const published = vector.published?.map((file, index) => [index, readSeal(file)] as const);
  const knowledge = {
    ...anchorsOf(vector),
    layers: layersOf(vector),
    ...(published !== undefined && { published: new Map(published) }),
  };
  return bundle.success ? verifyBundle(bundle.data, knowledge) : null;
}

const layersOf = ({ layers = [] }: EvidenceVector): KnownLayers => layersByDigest(layers.map(readEvidence));

const anchorsOf = ({ anchors }: EvidenceVector): { trustAnchors?: Uint8Array[] } =>
  anchors === undefined ? {} : { trustAnchors: readAnchors(anchors) };

const readAnchors = (file: string): Uint8Array[] =>
  parseCertificatesPem(new TextDecoder().decode(readBytes(file)));

/** The first vector of this file. */
export function evidenceVector(file: string): EvidenceVector {
  const vector = evidenceVectors.find((candidate) => candidate.file === file);
  if (vector === undefined) throw new Error(`no vector ${file}`);
  return vector;
}

/** Each turn of a bundle as a receipt of its own, in the JSON that a reader would have saved. */
export function turnsApart(file: string): string[] {
  const { receipts, proofs } = readEvidence(file) as { receipts: object[]; proofs: object[] };
  return receipts.map((receipt, i) => JSON.stringify({ ...proofs[i], receipts: [receipt] }));
}
