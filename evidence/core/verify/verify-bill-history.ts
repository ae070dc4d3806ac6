// A bill against the history of its tenant's chains: every leaf that it counts is there, its heads are those that it must
// name, no chain is left out, and all chains are the tenant's.
import type { Bill, BillLine } from "../formats/bill.ts";
import type { SealedHead } from "../formats/chain-history.ts";
import { chainIdOf, fingerprintOf } from "../formats/tenant-anchor.ts";
import type { ChainHistory } from "../log/chain-history.ts";
import type { HeadWalk } from "../log/head-walk.ts";
import { reachOf } from "../log/reach.ts";
import { type Finding, fail, holds, unchecked } from "./check.ts";
import { count } from "./count.ts";
import type { TenantHistory } from "./tenant-history.ts";
import { checkBroken, checkHead, inFileOnly } from "./verify-heads.ts";

/** How many entries the log had when the bill was made. */
const sizeOf = ({ as_of }: Bill): number => as_of?.tree_size ?? 0;

/** The line's heads are roots of as many leaves, and of all heads those that the format names. */
export function checkLineHistory(
  bill: Bill,
  line: BillLine,
  { chains }: TenantHistory,
  walk: HeadWalk | null,
): Finding {
  const chain = chains.get(line.chain_id);
  if (chain === undefined) return unchecked("other_history", "the history has no such chain");
  const { opening, closing } = line;
  const told = opening === null ? [closing] : [opening, closing];
  const reach = reachOf(chain, walk);
  const size = sizeOf(bill);
  checkBroken(size - 1, reach);
  for (const head of told) if (head.leaf_index < reach.end) checkHead(chain, head);
  checkNearest(line, chain, size);
  if (told.some(({ leaf_index }) => leaf_index >= reach.end))
    return unchecked("too_new", `the history ends at entry ${reach.end}, before this bill; fetch it again`);
  const { tree_size, head_index } = closing.leaf;
  const what = `all ${count(tree_size, "leaf", "leaves")} up to head ${head_index} are there`;
  return holds(walk === null ? inFileOnly(what) : `${what}; one history up to entry ${reach.end}`);
}

/** No head of the history below the bill's seal is nearer to the month's ends than those of the line. */
function checkNearest({ from, to, opening, closing }: BillLine, { heads }: ChainHistory, size: number): void {
  const known = heads.filter(({ leaf_index }) => leaf_index < size);
  const last = known.findLast(({ tree_size }) => tree_size <= from);
  if (last !== undefined && last.head_index > (opening?.leaf.head_index ?? -1))
    refuse(last, "opening", `the newest head of at most ${count(from, "receipt")}`, opening);
  const first = known.find(({ tree_size }) => tree_size > to);
  const covers = closing.leaf.tree_size > to;
  if (first !== undefined && (!covers || first.head_index < closing.leaf.head_index))
    refuse(first, "closing", `the first head of more than ${count(to, "receipt")}`, closing);
  const newest = known.at(-1);
  if (!covers && newest !== undefined && newest.head_index > closing.leaf.head_index)
    refuse(newest, "closing", "the newest head", closing);
}

function refuse(
  { head_index }: SealedHead,
  which: "opening" | "closing",
  what: string,
  told: BillLine["opening"],
): never {
  const name = told === null ? "none" : `head ${told.leaf.head_index}`;
  fail(`by the history, ${what} is head ${head_index}; the ${which} one is ${name}`);
}

/** Every chain of the history that had a published receipt is billed. */
export function checkAllChains(bill: Bill, { chains }: TenantHistory): Finding {
  const billed = new Set(bill.lines.map(({ chain_id }) => chain_id));
  const left = [...chains.values()].find(
    ({ chainId, heads: [first] }) =>
      first !== undefined && first.leaf_index < sizeOf(bill) && !billed.has(chainId),
  );
  if (left !== undefined) fail(`chain ${left.chainId} of the history is left out`);
  return holds(`each of ${count(chains.size, "chain")} of the history is billed, if it has receipts`);
}

/** The bill names the tenant that the reader expects, and each of its chains follows from the tenant's anchor. */
export function checkTenant(
  { tenant, lines }: Bill,
  history: TenantHistory | undefined,
  fingerprint: string | undefined,
): Finding {
  if (fingerprint !== undefined && tenant.fingerprint !== fingerprint) fail("the bill is another tenant's");
  const anchor = history?.tenantAnchor ?? null;
  if (anchor === null)
    return unchecked(
      "other_history",
      "which chains are the tenant's shows a history that was fetched with its anchor",
    );
  if (fingerprintOf(anchor) !== tenant.fingerprint) fail("the history is another tenant's than the bill");
  const other = lines.find(({ shard, chain_id }) => chainIdOf(anchor, shard) !== chain_id);
  if (other !== undefined) fail(`chain ${other.chain_id} is not chain ${other.shard} of this tenant`);
  return holds(`${count(lines.length, "chain")} of the tenant with this fingerprint`);
}
