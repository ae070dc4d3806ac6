// Adds the check `checkpoint` to an examination, for a reader who has a policy: one for each receipt, or for the root.
import type { ClaimedTree } from "../core/verify/verify-checkpoint.ts";
import type { Checkpoints } from "./checkpoints.ts";
import type { Examination, ExaminedSeal, ExaminedTurn } from "./examination.ts";

/** With `isAlone`, no file of the log is read. Throws `publication_unavailable`. */
export async function withCheckpoints(
  examination: Examination,
  checkpoints: Checkpoints,
  isAlone: boolean,
): Promise<Examination> {
  const examineTurn = async (turn: ExaminedTurn): Promise<ExaminedTurn> => {
    const carried = turn.evidence.log_checkpoint ?? null;
    const { check, checkpoint } = await checkpoints.examine(treeOfTurn(turn), carried, isAlone);
    return { ...turn, checkpoint, checks: [...turn.checks, check] };
  };
  const examineSeal = async (examined: ExaminedSeal): Promise<ExaminedSeal> => {
    const { check, checkpoint } = await checkpoints.examine(treeOfSeal(examined), null, isAlone);
    return { ...examined, checkpoint, checks: [...examined.checks, check] };
  };
  const { kind, turns, seals } = examination;
  return {
    ...examination,
    turns: await Promise.all(turns.map(examineTurn)),
    // A bundle's roots are those of its receipts and of the seals that they name; the receipts' are checked with them.
    seals: kind === "seal" ? await Promise.all(seals.map(examineSeal)) : seals,
  };
}

function treeOfTurn({ evidence }: ExaminedTurn): ClaimedTree | null {
  const cross = evidence.merkle_proof.cross_tenant_proof;
  return (
    cross && { sealIndex: cross.seal_index, size: cross.tree_size, root: evidence.merkle_proof.merkle_root }
  );
}

const treeOfSeal = ({ seal }: ExaminedSeal): ClaimedTree => ({
  sealIndex: seal.index,
  size: seal.tree_size,
  root: seal.merkle_root,
});
