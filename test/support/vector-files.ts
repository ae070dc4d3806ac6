// The files under test/vectors/evidence that were made once. What reads these alone also runs before the derived vectors are
// there, such as the generators of these.
import { readFileSync } from "node:fs";
import { canonicalBytes, type JsonValue, parseJson } from "../../evidence/core/canonical-json.ts";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import { type Seal, sealSchema } from "../../evidence/core/formats/metachain.ts";
import { formatDigest, hashBytes } from "../../evidence/core/merkle/hash.ts";

const FOLDER = new URL("../vectors/evidence/", import.meta.url);

export const readBytes = (file: string): Uint8Array => new Uint8Array(readFileSync(new URL(file, FOLDER)));
export const readEvidence = (file: string): JsonValue => parseJson(readBytes(file));
export const readSeal = (file: string): Seal => sealSchema.parse(readEvidence(file));
export const readReceipt = (file: string): ComplianceReceipt =>
  readEvidence(file) as unknown as ComplianceReceipt;

/** The layer that the service's receipts name, as it is published. */
export const serviceLayer = {
  bytes: readBytes("layers/service.json"),
  digest: formatDigest(hashBytes(canonicalBytes(readEvidence("layers/service.json")))),
};
