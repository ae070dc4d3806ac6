// The COSE receipts that a reader has next to the evidence: each is checked with the receipt at whose place of the log it is.
import type { CrossTenantProof } from "../core/formats/compliance-receipt.ts";
import { runSteps } from "../core/verify/check.ts";
import { checkCoseReceipt, isOfPlace } from "../core/verify/verify-cose-receipt.ts";
import type { Examination, ExaminedTurn } from "./examination.ts";
import type { CoseReceipts } from "./inputs.ts";

/** Adds the check `cose_receipt` to each turn that a COSE receipt is of. */
export async function withCoseReceipts(
  examination: Examination,
  { receipts, policy }: CoseReceipts,
): Promise<Examination> {
  const examineTurn = async (turn: ExaminedTurn): Promise<ExaminedTurn> => {
    const cross = turn.evidence.merkle_proof.cross_tenant_proof;
    if (cross === null) return turn;
    const steps = receipts
      .filter((receipt) => isOfPlace(receipt, cross))
      .map((receipt) => ["cose_receipt", () => checkCoseReceipt(receipt, cross, policy)] as const);
    const { checks } = await runSteps(steps, undefined);
    return { ...turn, checks: [...turn.checks, ...checks] };
  };
  return { ...examination, turns: await Promise.all(examination.turns.map(examineTurn)) };
}

/** The places of the receipts in the log. */
export const placesOf = ({ turns }: Pick<Examination, "turns">): CrossTenantProof[] =>
  turns.flatMap(({ evidence }) => evidence.merkle_proof.cross_tenant_proof ?? []);
