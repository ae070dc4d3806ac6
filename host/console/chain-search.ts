// Finds places in chains by time. `issued_at` never goes back in a chain, so halving finds where a time begins: one
// BatchGetItem for each hundred chains and step, at most log2 of their sizes.
import { isDisclosureError } from "../../evidence/core/errors.ts";
import type { ReceiptCore } from "../../evidence/core/formats/receipt.ts";
import { readSize } from "../../service/audit/chain-extent.ts";
import { readChainLeaf } from "../../service/ledger/chain-leaf.ts";
import { readEntry } from "../../service/ledger/log.ts";
import { mapInGroups } from "../../service/table/in-groups.ts";
import type { Item } from "../../service/table/item.ts";
import { leafKey } from "../../service/table/keys.ts";
import type { Table } from "../../service/table/table.ts";
import type { OwnedChain } from "./directory.ts";

/** Chains that are asked at the same time. */
export const READS_AT_ONCE = 32;

/** A chain with its size as it was read. */
export interface SizedChain {
  readonly chain: OwnedChain;
  readonly size: number;
}

/** The receipt of a leaf; `removed` where retention left only its hashes, `damaged` where it can't be read. */
export type ListedLeaf = ReceiptCore | "removed" | "damaged";

/** Everything else than a leaf that is not as it was written is thrown. */
export function readListed(item: Item): ListedLeaf {
  try {
    return readChainLeaf(readEntry(item)).core;
  } catch (error) {
    if (isDisclosureError(error, "receipt_removed")) return "removed";
    if (isDisclosureError(error, "ledger_corrupt")) return "damaged";
    throw error;
  }
}

/** One Query for each chain. */
export const readSizes = (table: Table, chains: readonly OwnedChain[]): Promise<SizedChain[]> =>
  mapInGroups(chains, READS_AT_ONCE, async (chain) => ({
    chain,
    size: await readSize(table, chain.chainId),
  }));

export interface PlaceSearch extends SizedChain {
  /** True of the receipts up to a place in the chain, and of none behind it. */
  readonly isBefore: (core: ReceiptCore) => boolean;
}

interface Doubt {
  readonly search: PlaceSearch;
  /** So many leaves at the beginning are before, and those from `end` on are not. */
  before: number;
  end: number;
}

/** For each search, how many leaves at the chain's beginning are before. A leaf without a receipt counts as one of them. */
export async function findPlaces(table: Table, searches: readonly PlaceSearch[]): Promise<number[]> {
  const doubts = searches.map((search): Doubt => ({ search, before: 0, end: search.size }));
  for (;;) {
    const open = doubts.filter(({ before, end }) => before < end);
    if (open.length === 0) return doubts.map(({ before }) => before);
    await halve(table, open);
  }
}

async function halve(table: Table, open: readonly Doubt[]): Promise<void> {
  const keys = new Map(
    open.map((doubt) => {
      const key = leafKey(doubt.search.chain.chainId, middleOf(doubt));
      return [nameOf(key), key] as const;
    }),
  );
  const items = await table.batchGet([...keys.values()]);
  const leaves = new Map(items.map((item) => [`${item.pk?.S} ${item.sk?.S}`, readListed(item)]));
  for (const doubt of open) {
    const middle = middleOf(doubt);
    const leaf = leaves.get(nameOf(leafKey(doubt.search.chain.chainId, middle))) ?? "damaged";
    if (typeof leaf === "string" || doubt.search.isBefore(leaf)) doubt.before = middle + 1;
    else doubt.end = middle;
  }
}

const middleOf = ({ before, end }: Doubt): number => Math.floor((before + end) / 2);

const nameOf = ({ pk, sk }: ReturnType<typeof leafKey>): string => `${pk.S} ${sk.S}`;
