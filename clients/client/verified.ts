// Accepts an answer only if it parses and verifies.
import {
  type ComplianceReceipt,
  complianceReceiptSchema,
} from "../../evidence/core/formats/compliance-receipt.ts";
import { bundleEvidenceSchema, evidenceSchema } from "../../evidence/core/formats/evidence.ts";
import { type EvidenceBundle, evidenceBundleSchema } from "../../evidence/core/formats/evidence-bundle.ts";
import type { TrustAnchors } from "../../evidence/core/timestamps/timestamp-verifier.ts";
import { fullName, type Verification } from "../../evidence/core/verify/check.ts";
import type { CheckName } from "../../evidence/core/verify/check-names.ts";
import type { OpenReason } from "../../evidence/core/verify/open-reason.ts";
import { verifyBundle } from "../../evidence/core/verify/verify-bundle.ts";
import { type ReaderKnowledge, verifyReceipt } from "../../evidence/core/verify/verify-receipt.ts";
import { ClientError } from "./errors.ts";

/** The answer as it came, with members that we don't know, for a receipt's are hashed. Throws `receipt_invalid`. */
export async function readVerifiedReceipt(
  answer: unknown,
  knowledge: ReaderKnowledge,
): Promise<ComplianceReceipt> {
  const evidence = evidenceSchema.safeParse(answer);
  const shape = complianceReceiptSchema.safeParse(answer);
  if (!evidence.success) refuse("can't be read", answer, evidence.error.issues);
  if (!shape.success) refuse("is not a compliance receipt", answer, shape.error.issues);
  requireValid(answer, await verifyReceipt(evidence.data, knowledge));
  return answer as ComplianceReceipt;
}

/** The same for one page of a conversation. */
export async function readVerifiedBundle(
  answer: unknown,
  trustAnchors: TrustAnchors,
): Promise<EvidenceBundle> {
  const shape = evidenceBundleSchema.safeParse(answer);
  if (!shape.success) refuse("is not an evidence bundle", answer, shape.error.issues);
  const { receipts, seals } = shape.data;
  // Behind the last turn a page is empty, and there is nothing to verify.
  if (receipts.length === 0 && seals.length === 0) return answer as EvidenceBundle;
  const evidence = bundleEvidenceSchema.safeParse(answer);
  if (!evidence.success) refuse("can't be read", answer, evidence.error.issues);
  requireValid(answer, await verifyBundle(evidence.data, { trustAnchors }));
  return answer as EvidenceBundle;
}

/** Throws `receipt_invalid` unless the answer is about what was asked for. */
export function requireSame(what: string, expected: string, actual: string, answer: unknown): void {
  if (actual !== expected) refuse(`is about another ${what}`, answer, { expected, actual });
}

/** An answer is for the caller's own request, and its token proves a time to the caller: else it is refused too. */
export function requireValid(answer: unknown, { checks }: Pick<Verification, "checks">): void {
  const failed = checks.filter(
    ({ ok, reason, name }) => ok === false || (isUnproven(reason) && name !== FURTHER_TOKENS),
  );
  const reasons = failed.map((check) => `${fullName({ place: "", ...check })}: ${check.detail}`).join("; ");
  if (failed.length > 0) refuse(`does not hold: ${reasons}`, answer, failed);
}

/** A seal has the tokens of several authorities: a caller who can't judge them all has the first one's word. */
const FURTHER_TOKENS: CheckName = "additional_timestamps";

/** A service could leave open whatever it likes by tokens that nobody can judge. */
const UNPROVEN: ReadonlySet<OpenReason | undefined> = new Set<OpenReason>([
  "other_request",
  "other_authority",
  "weak",
  "beyond_verifier",
]);
const isUnproven = (reason: OpenReason | undefined): boolean => UNPROVEN.has(reason);

export function refuse(reason: string, answer: unknown, found: unknown): never {
  throw new ClientError("receipt_invalid", `the answer ${reason}`, { evidence: { found, answer } });
}
