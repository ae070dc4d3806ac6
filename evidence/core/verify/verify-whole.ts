// The check `whole` (docs/history.md): whether a bundle has every turn of its conversation, by the labels of the leaves in the
// history. It never fails: a turn that is not shown says nothing against those that are.
import { equalBytes } from "../bytes.ts";
import type { BundleEvidence } from "../formats/evidence.ts";
import { hashReceiptCore, labelAfter, withoutAuthentication } from "../formats/receipt.ts";
import { type Check, type Finding, holds, runSteps, unchecked } from "./check.ts";
import type { KnownHistory, TenantHistory } from "./tenant-history.ts";

/** A receipt as it came, and its leaf hash. */
interface ShownTurn {
  readonly receipt: { readonly chain_id?: unknown; readonly sequence?: unknown; readonly turn?: unknown };
  readonly leafHash: Uint8Array;
}

/** A leaf of the history. */
interface HistoryPlace {
  readonly chainId: string;
  readonly sequence: number;
  readonly leafHash: Uint8Array | null;
}

/** Made as soon as a history or a walk is at hand, as the checks of a receipt with them are. */
export async function verifyWhole(bundle: BundleEvidence, known: KnownHistory): Promise<readonly Check[]> {
  if (known.history === null && known.walk === null) return [];
  return (await runSteps([["whole", () => findTurns(bundle, known)]], undefined)).checks;
}

/** Where several reasons leave the check open, the first one counts. */
function findTurns(bundle: BundleEvidence, known: KnownHistory): Finding {
  const { history, walk } = known;
  const receipts = bundle.receipts as readonly ShownTurn["receipt"][];
  if (history === null) return unchecked("not_given", "the history of the chains is not at hand");
  if (walk === null) return unchecked("not_given", "the public log was not walked");
  if (receipts.some(({ chain_id }) => typeof chain_id !== "string" || !history.chains.has(chain_id)))
    return unchecked("other_history", "the history is of other chains");
  const last = lastEntry(bundle);
  if (last === null) return unchecked("pending", "a receipt has no head in the public log yet");
  const end = Math.min(...[...history.chains.values()].map((chain) => known.reachOf(chain).end));
  if (last >= end) {
    const file = end === walk.size ? "the public log at hand" : "the history";
    return { ...unchecked("too_new", `${file} ends at entry ${end}, before the last turn`), endsAt: end };
  }
  return findMissing(receipts, history) ?? holds(`no turn is missing up to entry ${end}`);
}

/** The entry of the newest head to which the bundle's proofs lead; null while one is pending. */
function lastEntry({ proofs }: BundleEvidence): number | null {
  const entries = proofs.map(({ merkle_proof }) => merkle_proof.cross_tenant_proof?.leaf_index);
  return entries.includes(undefined) ? null : Math.max(...entries.map(Number));
}

/**
 * The first turn that is followed by other leaves than the next receipt's alone; null where there is none. Throws
 * `malformed` for a receipt that has no leaf hash.
 */
function findMissing(receipts: readonly ShownTurn["receipt"][], history: TenantHistory): Finding | null {
  const turns = receipts.map((receipt) => ({
    receipt,
    leafHash: hashReceiptCore(withoutAuthentication(receipt)),
  }));
  for (const [i, turn] of turns.entries()) {
    const [next, found] = [turns[i + 1], leavesAfter(turn, history)];
    const other = found.find((place) => !isLeafOf(place, next));
    const of = `turn ${turn.receipt.turn}`;
    if (other !== undefined)
      return unchecked(
        "turn_missing",
        `receipt ${other.sequence} of chain ${other.chainId} follows ${of}, and is not here`,
      );
    if (next !== undefined && found.length === 0)
      return unchecked("turn_missing", `the history has no receipt that follows ${of}`);
  }
  return null;
}

const leavesAfter = ({ leafHash }: ShownTurn, { chains }: TenantHistory): HistoryPlace[] =>
  [...chains].flatMap(([chainId, chain]) =>
    chain
      .placesOf(labelAfter(leafHash))
      .map((sequence) => ({ chainId, sequence, leafHash: chain.leafHash(sequence) })),
  );

/** A copy of the leaf at another place is another leaf. */
const isLeafOf = ({ chainId, sequence, leafHash }: HistoryPlace, turn: ShownTurn | undefined): boolean =>
  turn?.receipt.chain_id === chainId &&
  turn.receipt.sequence === sequence &&
  leafHash !== null &&
  equalBytes(leafHash, turn.leafHash);
