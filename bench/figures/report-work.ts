// The verification of reports of one chain, as a reader's program does it in Node and in a browser alike.
import { parseJson } from "../../evidence/core/canonical-json.ts";
import { evidenceSchema } from "../../evidence/core/formats/evidence.ts";
import { TimestampVerifier } from "../../evidence/core/timestamps/timestamp-verifier.ts";
import { type ReaderKnowledge, verifyReceipt } from "../../evidence/core/verify/verify-receipt.ts";

export const readReport = (text: string) => evidenceSchema.parse(parseJson(text));

export type VerifyReport = (index: number, knowledge: ReaderKnowledge) => Promise<void>;

/** Reads the reports once. What comes back verifies one of them, and throws for one that does not hold. */
export function openReports(texts: readonly string[], trustAnchors: readonly Uint8Array[]): VerifyReport {
  const evidence = texts.map(readReport);
  const verifier = new TimestampVerifier(trustAnchors);
  return async (index, knowledge) => {
    const subject = evidence[index];
    if (subject === undefined) throw new Error("there are fewer receipts");
    const { valid, checks } = await verifyReceipt(subject, { ...knowledge, trustAnchors: verifier });
    if (!valid) throw new Error(`receipt ${index} does not hold: ${JSON.stringify(checks)}`);
  };
}
