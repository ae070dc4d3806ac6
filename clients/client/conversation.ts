// Joins a conversation from its pages, each of which was verified before.
import { canonicalize } from "../../evidence/core/canonical-json.ts";
import { joinErasures, joinLayers } from "../../evidence/core/formats/bundle-pages.ts";
import { type EvidenceBundle, MAX_BUNDLED_LAYERS } from "../../evidence/core/formats/evidence-bundle.ts";
import type { Authentication } from "../../evidence/core/formats/receipt.ts";
import { verifyLinks } from "../../evidence/core/verify/verify-links.ts";
import { refuse, requireValid } from "./verified.ts";

/** All pages as one bundle. The service authenticates pages, so this has no code of its own; its receipts have. */
export type JoinedConversation = Omit<EvidenceBundle, keyof Authentication>;

/** Throws `receipt_invalid` unless `page` begins with `turn`, where the page before it ended, and says what comes next. */
export async function requireFollows(
  previous: EvidenceBundle | null,
  page: EvidenceBundle,
  turn: number,
): Promise<void> {
  const { receipts, next_turn } = page;
  // Where the caller asked for turns behind the last one there are none. That a page leads to none can't be.
  if (receipts.length === 0 && next_turn === null && previous === null) return;
  const [first, last] = [receipts.at(0)?.turn, receipts.at(-1)?.turn];
  if (first !== turn) refuse("begins with another turn", page, { expected: turn, actual: first });
  // A page that leads back to an earlier turn would never end.
  if (next_turn !== null && next_turn - 1 !== last)
    refuse("leads on to another turn than its next", page, { last, next_turn });
  const before = previous?.receipts.at(-1);
  if (before !== undefined) requireValid(page, await verifyLinks([before, ...receipts.slice(0, 1)]));
}

/** At least one page. Throws `receipt_invalid` where two of them have different seals under one index. */
export function joinPages(pages: readonly EvidenceBundle[]): JoinedConversation {
  const later_timestamps = joinLaterTimestamps(pages);
  // Each page begins with the path from the head before it.
  const chain_consistency = pages.flatMap((page) => page.chain_consistency ?? []);
  // A bundle with more could not be read. Readers fetch the others by their digests.
  const policy_layers = joinLayers(pages).slice(0, MAX_BUNDLED_LAYERS);
  return {
    interaction_id: pages[0]?.interaction_id ?? "",
    receipts: pages.flatMap(({ receipts }) => receipts),
    requests: pages.flatMap(({ requests }) => requests),
    proofs: pages.flatMap(({ proofs }) => proofs),
    seals: joinSeals(pages),
    ...(later_timestamps.length > 0 && { later_timestamps }),
    ...(chain_consistency.length > 0 && { chain_consistency }),
    ...(policy_layers.length > 0 && { policy_layers }),
    ...joinErasures(pages),
    next_turn: null,
  };
}

/** Pages that lead to one seal have it each: it is taken once. */
function joinSeals(pages: readonly EvidenceBundle[]): EvidenceBundle["seals"] {
  const byIndex = new Map<number, EvidenceBundle["seals"][number]>();
  for (const page of pages) {
    for (const seal of page.seals) {
      const known = byIndex.get(seal.index) ?? seal;
      if (canonicalize(known) !== canonicalize(seal))
        refuse(`has another seal ${seal.index} than the page before`, page, { known, seal });
      byIndex.set(seal.index, seal);
    }
  }
  return [...byIndex.values()].sort((a, b) => a.index - b.index);
}

/** A token may come between two calls, so the last page that has a seal knows most of its tokens. */
function joinLaterTimestamps(
  pages: readonly EvidenceBundle[],
): NonNullable<EvidenceBundle["later_timestamps"]> {
  const byIndex = new Map<number, NonNullable<EvidenceBundle["later_timestamps"]>>();
  for (const { seals, later_timestamps = [] } of pages) {
    for (const { index } of seals)
      byIndex.set(
        index,
        later_timestamps.filter(({ seal_index }) => seal_index === index),
      );
  }
  return [...byIndex.entries()].sort(([a], [b]) => a - b).flatMap(([, tokens]) => tokens);
}
