// Pages of one conversation, a file each: joins those that follow each other, and finds the turns that are missing.
import { joinErasures, joinLayers } from "../core/formats/bundle-pages.ts";
import { conversationKey, linkTo } from "./conversations.ts";
import type { BundleFile } from "./evidence.ts";

/** The first and the last turn that are there; null where the receipts don't say, and so can't be right. */
export function turnsOf({ bundle }: BundleFile): readonly [first: number, last: number] | null {
  const [first, last] = [bundle.receipts.at(0)?.turn, bundle.receipts.at(-1)?.turn];
  return isTurn(first) && isTurn(last) ? [first, last] : null;
}

/** The last turn missing at the beginning, and the first missing at the end; null where nothing is known to be missing. */
export function missingTurns(page: BundleFile): {
  readonly before: number | null;
  readonly from: number | null;
} {
  const [first = 1] = turnsOf(page) ?? [];
  return { before: first > 1 ? first - 1 : null, from: page.nextTurn };
}

/** Both pages as one, where one follows the other in the same conversation; else null. */
export function joinPages(a: BundleFile, b: BundleFile): BundleFile | null {
  const [turnsA, turnsB] = [turnsOf(a), turnsOf(b)];
  if (turnsA === null || turnsB === null || conversationKey(a.bundle) !== conversationKey(b.bundle))
    return null;
  if (turnsA[1] + 1 === turnsB[0]) return areLinked(a, b) ? concatenate(a, b) : null;
  return turnsB[1] + 1 === turnsA[0] && areLinked(b, a) ? concatenate(b, a) : null;
}

/** An id that was erased may name a second conversation. */
function areLinked({ bundle: { receipts } }: BundleFile, { bundle: next }: BundleFile): boolean {
  const last = receipts.at(-1);
  return last !== undefined && next.receipts[0]?.previous_turn_hash === linkTo(last);
}

function concatenate({ bundle: first }: BundleFile, { bundle: second, nextTurn }: BundleFile): BundleFile {
  const { erasures: _, ...rest } = second;
  const bundle = {
    ...rest,
    receipts: [...first.receipts, ...second.receipts],
    requests: [...first.requests, ...second.requests],
    proofs: [...first.proofs, ...second.proofs],
    // Two that differ under one number stay both: they are compared with what is published.
    seals: distinct([...first.seals, ...second.seals]).toSorted((a, b) => a.index - b.index),
    chain_consistency: distinct([...(first.chain_consistency ?? []), ...(second.chain_consistency ?? [])]),
    later_timestamps: distinct([...(first.later_timestamps ?? []), ...(second.later_timestamps ?? [])]),
    policy_layers: joinLayers([first, second]),
    ...joinErasures([first, second]),
  };
  return { kind: "bundle", bundle, nextTurn };
}

const distinct = <T>(list: readonly T[]): T[] => [
  ...new Map(list.map((each) => [JSON.stringify(each), each])).values(),
];

const isTurn = (value: unknown): value is number => Number.isSafeInteger(value);
