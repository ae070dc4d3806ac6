// Renewal: a later root of the metachain covers every earlier one, so a newer token over it proves of an old receipt
// what the receipt's own token can't once its certificates ran out. RFC 9162 section 2.1.4; the idea is RFC 4998's.

import { type Seal, timestampsOf } from "../formats/metachain.ts";
import type { Renewal, TreeHead } from "../formats/renewal.ts";
import { parseNode } from "../merkle/hash.ts";
import { verifyConsistency } from "../merkle/merkle-proof.ts";
import { type ProvenTime, type TokenKnowledge, verifyTimestamp } from "../timestamps/proven-time.ts";
import { tokenOpenReason } from "../timestamps/x509/token-check.ts";

/**
 * The times that the tokens of the later seal prove of `renewed`, a tree head as a receipt's proof leads to it.
 * Throws `proof_invalid` unless the later tree extends it, `token_invalid` unless one token of the seal holds.
 */
export async function verifyRenewal(
  renewed: TreeHead,
  renewal: Renewal,
  knowledge: TokenKnowledge,
): Promise<readonly ProvenTime[]> {
  verifyCoverage(renewed, renewal);
  return verifyTokensOf(renewal.seal, knowledge);
}

/** The times that the tokens of a seal prove. Throws `token_invalid` unless one of them holds. */
export async function verifyTokensOf(seal: Seal, knowledge: TokenKnowledge): Promise<readonly ProvenTime[]> {
  const outcomes = await Promise.allSettled(
    timestampsOf(seal).map((timestamp) =>
      verifyTimestamp(seal.merkle_root, timestamp, seal.sealed_at, knowledge),
    ),
  );
  const times = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? (outcome.value ?? []) : []));
  // A seal may carry tokens of authorities that this reader doesn't trust; one that holds is enough.
  if (times.length === 0) throwWorst(outcomes);
  return times;
}

/** Every node under the renewed root is hashed into the later one: it can't be younger than the later token. */
function verifyCoverage(renewed: TreeHead, { between, consistency_path, seal }: Renewal): void {
  let previous = renewed;
  for (const step of [...between, { ...seal, consistency_path }]) {
    const path = step.consistency_path.map(parseNode);
    const [previousRoot, root] = [parseNode(previous.merkle_root), parseNode(step.merkle_root)];
    verifyConsistency(previous.tree_size, step.tree_size, path, previousRoot, root);
    previous = step;
  }
}

/** That a token can't be judged is the last to be said: a fault refutes it. */
function throwWorst(outcomes: readonly PromiseSettledResult<unknown>[]): void {
  const reasons = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  const [first] = reasons;
  if (first !== undefined) throw reasons.find((reason) => tokenOpenReason(reason) === null) ?? first;
}
