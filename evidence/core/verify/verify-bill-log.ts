// The public log, up to the seal as of which a bill was made: whether a line's heads are those of its chain, whether the chain
// has a newer head than the one that the line closes with, and whether the tenant has a chain that nobody shows.
import type { Bill, BillLine } from "../formats/bill.ts";
import type { HeadWalk } from "../log/head-walk.ts";
import { type Finding, fail, holds, unchecked } from "./check.ts";
import { count } from "./count.ts";
import { chainsToWalk, firstOther, type TenantHistory } from "./tenant-history.ts";
import { requireHead } from "./verify-public-heads.ts";

/** The chains that a walk for this bill looks for. */
export const chainsOfBill = ({ lines }: Bill, history: TenantHistory | null): Set<string> =>
  new Set([...lines.map(({ chain_id }) => chain_id), ...chainsToWalk(history)]);

/** `walk` ends at the bill's seal; null where the log at hand does not reach it, undefined where the reader has none. */
export function checkLineHeads(
  { opening, closing, after }: BillLine,
  walk: HeadWalk | null | undefined,
): Finding {
  if (walk === undefined) return unchecked("not_given", "the public log was not walked");
  if (walk === null) return tooShort();
  if (opening !== null) requireHead(walk, opening);
  requireHead(walk, closing);
  const { chain_id, head_index } = closing.leaf;
  const newer = walk.headsOf(chain_id)?.[head_index + 1];
  // A line that shows a published receipt of a later month counts all before it.
  if (after === null && newer !== undefined)
    fail(
      `the log has head ${head_index + 1} of this chain at entry ${newer.leafIndex}, which the bill leaves out`,
    );
  const what = after === null ? "and its last one " : "";
  return holds(`head ${head_index} of the chain, ${what}among ${count(walk.size, "entry", "entries")}`);
}

/** The log has no chain of the anchor beside those of the history, and those that the bill has since the history was made. */
export function checkNoOtherChain({ lines }: Bill, history: TenantHistory, walk: HeadWalk | null): Finding {
  if (walk === null) return tooShort();
  const other = firstOther(history, walk, new Set(lines.map(({ chain_id }) => chain_id)));
  if (other !== null)
    fail(`the log has chain ${other.chainId} of this anchor at entry ${other.leafIndex}, which is not shown`);
  return holds(`no other chain of this anchor among ${count(walk.size, "entry", "entries")}`);
}

const tooShort = (): Finding =>
  unchecked("too_new", "the files of the public log do not reach the bill's seal yet");
