// A bill against the history of its tenant's chains: every leaf that it counts is there, its heads are those that it must
// name, no chain is left out, and all chains are the tenant's.
import type { Bill, BillLine } from "../formats/bill.ts";
import type { SealedHead } from "../formats/chain-history.ts";
import type { CrossTenantProof } from "../formats/compliance-receipt.ts";
import { chainIdOf, fingerprintOf } from "../formats/tenant-anchor.ts";
import type { ChainHistory } from "../log/chain-history.ts";
import { type Finding, fail, holds, unchecked } from "./check.ts";
import { count } from "./count.ts";
import { checkHead, checkSize } from "./verify-history.ts";

/** The history of a tenant's chains that a reader was handed, verified from each chain's first head to its last. */
export interface BillHistory {
  readonly chains: ReadonlyMap<string, ChainHistory>;
  /** The anchor under which the chains were looked up; null where the service was asked for them. */
  readonly tenantAnchor: string | null;
  /** The newest seal when it was fetched: it has every head up to there. Null where none was published. */
  readonly searchedSeal: number | null;
}

const STALE = "the history was fetched before the bill was made; fetch it again";

/** Says whether every head that the bill could know is in the history. */
const reaches = ({ as_of }: Bill, { searchedSeal }: BillHistory): boolean =>
  as_of === null || (searchedSeal !== null && searchedSeal >= as_of.seal_index);

/** The line's heads are roots of as many leaf hashes, and of all heads those that the format names. */
export function checkLineHistory(bill: Bill, line: BillLine, history: BillHistory): Finding {
  const chain = history.chains.get(line.chain_id);
  if (chain === undefined) {
    if (reaches(bill, history)) fail("the tenant's history has no such chain");
    return unchecked("too_new", STALE);
  }
  const { opening, closing } = line;
  for (const head of opening === null ? [closing] : [opening, closing]) {
    checkSize(chain, head.leaf);
    checkHead(chain, head);
  }
  if (!reaches(bill, history)) return unchecked("too_new", STALE);
  const known = chain.heads.filter(({ seal_index }) => seal_index <= (bill.as_of?.seal_index ?? -1));
  const last = known.findLast(({ tree_size }) => tree_size <= line.from);
  requireHead(opening, last, "opening", `the newest head of at most ${count(line.from, "receipt")}`);
  const first = known.find(({ tree_size }) => tree_size > line.to) ?? known.at(-1);
  requireHead(
    closing,
    first,
    "closing",
    `the first head of more than ${count(line.to, "receipt")}, or else the newest`,
  );
  return holds(`all ${closing.leaf.tree_size} leaf hashes up to head ${closing.leaf.head_index} are there`);
}

function requireHead(
  told: CrossTenantProof | null,
  known: SealedHead | undefined,
  which: string,
  what: string,
): void {
  if (told?.leaf.head_index === known?.head_index) return;
  const name = (index: number | undefined): string => (index === undefined ? "none" : `head ${index}`);
  fail(
    `by the history, ${what} is ${name(known?.head_index)}; the ${which} one is ${name(told?.leaf.head_index)}`,
  );
}

/** Every chain of the history that had a published receipt is billed. */
export function checkAllChains(bill: Bill, history: BillHistory): Finding {
  const billed = new Set(bill.lines.map(({ chain_id }) => chain_id));
  const left = [...history.chains.values()].find(
    ({ chainId, heads: [first] }) =>
      first !== undefined && first.seal_index <= (bill.as_of?.seal_index ?? -1) && !billed.has(chainId),
  );
  if (left !== undefined) fail(`chain ${left.chainId} of the history is left out`);
  if (!reaches(bill, history)) return unchecked("too_new", STALE);
  // A tenant's number of chains may grow, and never falls.
  if (bill.chains > history.chains.size)
    fail(
      `it says that the tenant has ${count(bill.chains, "chain")}, and the history has ${history.chains.size}`,
    );
  return holds(`each of ${count(history.chains.size, "chain")} of the history is billed, if it has receipts`);
}

/** The bill names the tenant that the reader expects, and each of its chains follows from the tenant's anchor. */
export function checkTenant(
  { tenant, lines }: Bill,
  history: BillHistory | undefined,
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
