// How much of a chain is fetched before any of it is verified. A head is checked against its root when all of its leaves are
// there, so the size that a service states for it must not decide how many are asked for.
import { DisclosureError, type ErrorCode } from "../../../evidence/core/errors.ts";
import type { SealedHead } from "../../../evidence/core/formats/chain-history.ts";
import { count } from "../../../evidence/core/verify/count.ts";
import { type MetachainSource, parseRoot } from "../../../evidence/reader/metachain.ts";
import { unavailable } from "../metachain/http-reader.ts";

/** Receipts under heads that are fetched together: one request for each head would be many. */
export const GROUP_RECEIPTS = 65_536;
/** Receipts under one head beyond the one before it: more than a chain gets in many hours without a sealer. */
export const MAX_HEAD_RECEIPTS = 4_194_304;

export interface HeadGroup {
  readonly heads: readonly SealedHead[];
  readonly from: number;
  readonly to: number;
}

/** The heads in their order, in groups of at most `GROUP_RECEIPTS`; a head that adds more has one of its own. */
export function* inGroups(heads: readonly SealedHead[], from: number): Generator<HeadGroup> {
  for (let [first, size] = [0, from]; first < heads.length; ) {
    let end = first + 1;
    while (end < heads.length && (heads[end]?.tree_size ?? 0) - size <= GROUP_RECEIPTS) end++;
    const group = heads.slice(first, end);
    const to = group.at(-1)?.tree_size ?? size;
    yield { heads: group, from: size, to };
    [first, size] = [end, to];
  }
}

/** Throws `proof_invalid` for a head that adds more receipts than its published seal counts, `malformed` beyond the limit. */
export async function requireCounted(
  chainId: string,
  { heads, from, to }: HeadGroup,
  seals: MetachainSource,
): Promise<void> {
  const [head] = heads;
  const added = to - from;
  if (head === undefined || added <= GROUP_RECEIPTS) return;
  const { head_index, seal_index } = head;
  const told = `the service tells that head ${head_index} of chain ${chainId} adds ${count(added, "receipt")}`;
  const bytes = await seals.root(seal_index);
  if (bytes === null) throw unavailable(`root ${seal_index} of the public log is missing`);
  const { receipt_count } = parseRoot(bytes, seal_index);
  if (added > receipt_count)
    refuse("proof_invalid", `${told}, and its seal ${seal_index} counts ${receipt_count}`);
  if (added > MAX_HEAD_RECEIPTS)
    refuse(
      "malformed",
      `${told}: more than the ${MAX_HEAD_RECEIPTS} that are fetched before a root is checked`,
    );
}

function refuse(code: ErrorCode, sentence: string): never {
  throw new DisclosureError(code, sentence);
}
