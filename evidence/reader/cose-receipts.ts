// The COSE receipts that a reader has next to the evidence: each is checked with the receipt at whose place of the log it is.
import { isDisclosureError } from "../core/errors.ts";
import { parseCheckpoint } from "../core/log/checkpoint.ts";
import { parseNote } from "../core/log/note.ts";
import { runSteps } from "../core/verify/check.ts";
import { checkCoseReceipt, isOfPlace, type LogPlace } from "../core/verify/verify-cose-receipt.ts";
import type { Examination, ExaminedTurn } from "./examination.ts";
import type { CoseReceipts } from "./inputs.ts";

/** Adds the check `cose_receipt` to each turn that a COSE receipt is of. */
export async function withCoseReceipts(
  examination: Examination,
  { receipts, policy }: CoseReceipts,
): Promise<Examination> {
  const examineTurn = async (turn: ExaminedTurn): Promise<ExaminedTurn> => {
    const place = placeOf(turn);
    if (place === null) return turn;
    const steps = receipts
      .filter((receipt) => isOfPlace(receipt, place))
      .map((receipt) => ["cose_receipt", () => checkCoseReceipt(receipt, place.cross, policy)] as const);
    const { checks } = await runSteps(steps, undefined);
    return { ...turn, checks: [...turn.checks, ...checks] };
  };
  return { ...examination, turns: await Promise.all(examination.turns.map(examineTurn)) };
}

/** The places of the receipts in the log. */
export const placesOf = ({ turns }: Pick<Examination, "turns">): LogPlace[] =>
  turns.flatMap((turn) => placeOf(turn) ?? []);

function placeOf({ evidence }: ExaminedTurn): LogPlace | null {
  const cross = evidence.merkle_proof.cross_tenant_proof;
  return cross && { cross, origin: originOf(evidence.log_checkpoint ?? null) };
}

/** The log that the evidence's checkpoint names; null where there is none, or none that can be read. */
function originOf(note: string | null): string | null {
  try {
    return note === null ? null : parseCheckpoint(parseNote(note).text).origin;
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    return null;
  }
}
