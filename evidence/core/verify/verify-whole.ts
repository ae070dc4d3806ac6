// The check `whole` (docs/history.md): whether a bundle has every turn of its conversation, by the labels of the leaves in the
// history. It never fails: a turn that is not shown says nothing against those that are.
import type { BundleEvidence } from "../formats/evidence.ts";
import { hashReceiptCore, labelAfter, withoutAuthentication } from "../formats/receipt.ts";
import { type Check, type Finding, holds, runSteps, unchecked } from "./check.ts";
import type { KnownHistory, TenantHistory } from "./tenant-history.ts";

/** The members by which a receipt is found in a history; they are as they came. */
interface Placed {
  readonly chain_id?: unknown;
  readonly sequence?: unknown;
  readonly turn?: unknown;
}

/** A leaf of the history. */
interface HistoryPlace {
  readonly chainId: string;
  readonly sequence: number;
}

/** None without a history. */
export async function verifyWhole(bundle: BundleEvidence, known: KnownHistory): Promise<readonly Check[]> {
  const { history } = known;
  if (history === null) return [];
  return (await runSteps([["whole", () => findTurns(bundle, history, known)]], undefined)).checks;
}

function findTurns(bundle: BundleEvidence, history: TenantHistory, known: KnownHistory): Finding {
  const receipts = bundle.receipts as readonly Placed[];
  if (known.walk === null) return unchecked("not_given", "the public log was not walked");
  if (receipts.some(({ chain_id }) => typeof chain_id !== "string" || !history.chains.has(chain_id)))
    return unchecked("other_history", "the history is of other chains");
  const last = lastEntry(bundle);
  if (last === null) return unchecked("pending", "a receipt has no head in the public log yet");
  const end = Math.min(...[...history.chains.values()].map((chain) => known.reachOf(chain).end));
  if (last >= end)
    return { ...unchecked("too_new", `the history ends at entry ${end}, before the last turn`), endsAt: end };
  return findMissing(receipts, history) ?? holds(`no turn is missing up to entry ${end}`);
}

/** The entry of the newest head to which the bundle's proofs lead; null while one is pending. */
function lastEntry({ proofs }: BundleEvidence): number | null {
  const entries = proofs.map(({ merkle_proof }) => merkle_proof.cross_tenant_proof?.leaf_index);
  return entries.includes(undefined) ? null : Math.max(...entries.map(Number));
}

/** The first turn that is followed by other leaves than the next receipt's alone; null where there is none. */
function findMissing(receipts: readonly Placed[], history: TenantHistory): Finding | null {
  for (const [i, receipt] of receipts.entries()) {
    const next = receipts[i + 1];
    const found = leavesAfter(receipt, history);
    const isNext = ({ chainId, sequence }: HistoryPlace): boolean =>
      chainId === next?.chain_id && sequence === next.sequence;
    const other = found.find((place) => !isNext(place));
    if (other !== undefined)
      return unchecked(
        "turn_missing",
        `receipt ${other.sequence} of chain ${other.chainId} follows turn ${receipt.turn}, and is not here`,
      );
    if (next !== undefined && found.length === 0)
      return unchecked("turn_missing", `the history has no receipt that follows turn ${receipt.turn}`);
  }
  return null;
}

/** Throws `malformed` for a receipt that has no leaf hash. */
function leavesAfter(receipt: Placed, { chains }: TenantHistory): HistoryPlace[] {
  const label = labelAfter(hashReceiptCore(withoutAuthentication(receipt)));
  return [...chains].flatMap(([chainId, chain]) =>
    chain.placesOf(label).map((sequence) => ({ chainId, sequence })),
  );
}
