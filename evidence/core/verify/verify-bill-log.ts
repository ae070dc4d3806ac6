// The public log, up to the seal as of which a bill was made, says two things of it: whether a chain has a newer head than the
// one that its line closes with, and whether the tenant has a chain that nobody shows.
import { DisclosureError } from "../errors.ts";
import type { Bill, BillLine } from "../formats/bill.ts";
import { MAX_SHARD } from "../formats/event-id.ts";
import { chainIdOf } from "../formats/tenant-anchor.ts";
import { leafOfProof } from "../log/entry.ts";
import type { LabelSearch } from "../log/label-search.ts";
import { labelOf } from "../log/verify-labels.ts";
import type { TreeLeaf } from "../merkle/merkle-tree.ts";
import { type Finding, holds } from "./check.ts";
import { count } from "./count.ts";
import type { BillKnowledge } from "./verify-bill.ts";
import type { BillHistory } from "./verify-bill-history.ts";

/** A walk over the entries from after `from` (null: from the first on) up to those of `as_of`. */
export interface BillWalk {
  readonly from: TreeLeaf | null;
  /** The labels that must not be among them, as hex. */
  readonly labels: ReadonlySet<string>;
  /** By the label of its first head, each chain that the tenant could have beside those of the history. */
  readonly unshown: ReadonlyMap<string, string>;
}

/** A line that shows a published receipt of a later month needs no search: no newer head could add to it. */
const openLines = ({ lines }: Bill): BillLine[] => lines.filter(({ after }) => after === null);

/** The walk that the bill asks for; null where it asks for none. The bill must hold by itself. */
export function planWalk(bill: Bill, history: BillHistory | undefined): BillWalk | null {
  const unshown = unshownChains(history);
  const open = openLines(bill).map(({ closing }) => closing);
  const [first] = open.toSorted((a, b) => a.leaf_index - b.leaf_index);
  if (bill.as_of === null || (first === undefined && unshown.size === 0)) return null;
  const from = first === undefined || unshown.size > 0 ? null : leafOfProof(first);
  return { from, labels: new Set([...open.map(nextLabel), ...unshown.keys()]), unshown };
}

const nextLabel = ({ leaf }: BillLine["closing"]): string => labelOf(leaf.chain_id, leaf.head_index + 1);

/** The tenant's anchor gives the ids that further chains of the tenant would have. */
function unshownChains(history: BillHistory | undefined): Map<string, string> {
  const anchor = history?.tenantAnchor ?? null;
  if (history === undefined || anchor === null) return new Map();
  const ids = Array.from({ length: MAX_SHARD + 1 }, (_, shard) => chainIdOf(anchor, shard));
  return new Map(ids.filter((id) => !history.chains.has(id)).map((id) => [labelOf(id, 0), id]));
}

/** Judges a bill by a search that has walked all of the log. */
export function judgeWalk(
  bill: Bill,
  { unshown }: BillWalk,
  search: LabelSearch,
): Pick<BillKnowledge, "newestHeads" | "otherChains"> {
  const newest = openLines(bill).map(({ chain_id, closing }): [string, Finding | DisclosureError] => {
    const what = `head ${closing.leaf.head_index + 1} of this chain, which the bill leaves out`;
    return [chain_id, absent(search, nextLabel(closing), what)];
  });
  const [shown] = [...unshown].filter(([label]) => search.entriesUnder(label).length > 0);
  return {
    newestHeads: new Map(newest),
    ...(unshown.size > 0 && { otherChains: otherChains(shown?.[1], search) }),
  };
}

function absent(search: LabelSearch, label: string, what: string): Finding | DisclosureError {
  const [found] = search.entriesUnder(label);
  if (found === undefined)
    return holds(`the public log has no newer head among ${count(search.size, "entry", "entries")}`);
  return new DisclosureError("proof_invalid", `the public log has ${what}`, { leafIndex: found.leafIndex });
}

function otherChains(shown: string | undefined, { size }: LabelSearch): Finding | DisclosureError {
  if (shown === undefined)
    return holds(`no other chain of this anchor among ${count(size, "entry", "entries")}`);
  return new DisclosureError(
    "proof_invalid",
    `the public log has chain ${shown} of this anchor, which is not shown`,
  );
}
