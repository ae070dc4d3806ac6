// Finds where a month begins and ends in published chains. `issued_at` never goes back in a chain, so halving finds
// both places: at most log2(receipts of a chain) BatchGetItems for each fifty chains, whatever the chains' age.
import { DisclosureError, isDisclosureError } from "../../evidence/core/errors.ts";
import type { Month } from "../../evidence/core/formats/month.ts";
import type { Chain } from "../ledger/chain.ts";
import { readChainLeaf } from "../ledger/chain-leaf.ts";
import { type LogEntry, readEntry } from "../ledger/log.ts";
import { ChainGrowth } from "../limits/chain-growth.ts";
import type { Span } from "../seals/span.ts";
import { textOf } from "../table/attributes.ts";
import { mapInGroups } from "../table/in-groups.ts";
import { leafKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";

/** Two leaves of each are asked for at a time, which is as much as one BatchGetItem takes. */
const CHAINS_AT_ONCE = 50;
const BATCHES_AT_ONCE = 8;

/** A chain that a published seal holds. */
export interface PublishedChain extends Chain {
  /** Its newest published head. */
  readonly newest: Span;
}

/** Its published receipts of the month are those from `from` up to, and not including, `to`. */
export interface ChainMonth extends PublishedChain {
  readonly from: number;
  readonly to: number;
  /** True where retention removed the receipt `from` - 1, so that nothing says which month it was of. */
  readonly isBeforeRemoved: boolean;
}

/** Throws `ledger_corrupt` where a leaf is missing or damaged: what it may hide can't be counted. */
export async function findMonths(
  table: Table,
  chains: readonly PublishedChain[],
  month: Month,
): Promise<ChainMonth[]> {
  const groups = Array.from({ length: Math.ceil(chains.length / CHAINS_AT_ONCE) }, (_, i) =>
    chains.slice(i * CHAINS_AT_ONCE, (i + 1) * CHAINS_AT_ONCE),
  );
  const found = await mapInGroups(groups, BATCHES_AT_ONCE, async (group) => {
    const searches = group.map((chain) => new MonthSearch(chain, month));
    while (searches.some(({ undecided }) => undecided.length > 0)) await readUndecided(table, searches);
    return searches.map(({ result }) => result);
  });
  return found.flat();
}

async function readUndecided(table: Table, searches: readonly MonthSearch[]): Promise<void> {
  const asked = searches.flatMap((search) =>
    search.undecided.map((leafIndex) => ({ search, key: leafKey(search.chainId, leafIndex) })),
  );
  const items = await table.batchGet(asked.map(({ key }) => key));
  const itemOf = new Map(items.map((item) => [`${textOf(item, "pk")}\n${textOf(item, "sk")}`, item]));
  for (const { search, key } of asked) {
    const item = itemOf.get(`${key.pk.S}\n${key.sk.S}`);
    if (item === undefined) throw new DisclosureError("ledger_corrupt", "a leaf is missing from the table");
    search.learn(readEntry(item));
  }
}

/** The search for both ends in one chain: each leaf that is read narrows down both. */
class MonthSearch {
  readonly #chain: PublishedChain;
  readonly #month: Month;
  /** The first knows which leaves are of the month or later, the second which are later. */
  readonly #begun = new ChainGrowth();
  readonly #ended = new ChainGrowth();
  readonly #removed = new Set<number>();
  #hasNewest = false;

  constructor(chain: PublishedChain, month: Month) {
    this.#chain = chain;
    this.#month = month;
  }

  get chainId(): string {
    return this.#chain.chainId;
  }

  /** The leaves to be read next, none at the end. */
  get undecided(): number[] {
    // The newest first: it says how long the chain is, and in a quiet chain all else.
    if (!this.#hasNewest) return [this.#size - 1];
    const middles = [this.#begun.undecided, this.#ended.undecided];
    return [...new Set(middles.filter((leafIndex) => leafIndex !== null))];
  }

  learn(entry: LogEntry): void {
    const { leafIndex } = entry.leaf;
    const issuedAt = issuedAtOf(entry);
    if (issuedAt === null) this.#removed.add(leafIndex);
    this.#begun.learn(leafIndex, issuedAt !== null && issuedAt >= this.#month.startsAt);
    this.#ended.learn(leafIndex, issuedAt !== null && issuedAt >= this.#month.endsAt);
    this.#hasNewest = true;
  }

  get result(): ChainMonth {
    const [from, to] = [this.#size - this.#begun.atMost, this.#size - this.#ended.atMost];
    // The search ends once it has read the leaf `from` - 1.
    return { ...this.#chain, from, to, isBeforeRemoved: this.#removed.has(from - 1) };
  }

  get #size(): number {
    return this.#chain.newest.treeSize;
  }
}

/** Null where retention has removed the receipt: it was an old one then. */
export function issuedAtOf(entry: LogEntry): string | null {
  try {
    return readChainLeaf(entry).core.issued_at;
  } catch (error) {
    if (isDisclosureError(error, "receipt_removed")) return null;
    throw error;
  }
}
