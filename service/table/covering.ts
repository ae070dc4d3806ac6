// Finds items that each begin at a place and go on to where the next one begins: spans of a chain, and seals. Which one
// holds a place only a query can tell; where places are close to each other, one query tells it for many.
import { textOf } from "./attributes.ts";
import type { Item } from "./item.ts";
import { spanFrom } from "./keys.ts";
import type { Table } from "./table.ts";

/** The most items that the first query reads, and any. A seal with its tokens can have some 20 KB. */
const FIRST_LIMIT = 8;
const MAX_LIMIT = 32;

/**
 * For each of `places` the item of the partition that begins there or nearest before it. A query that found only items
 * that were looked for is followed by one of twice the length, so that consecutive items take few queries, and far ones
 * cost one each.
 */
export async function readCovering(
  table: Pick<Table, "query">,
  partition: string,
  places: readonly number[],
): Promise<(place: number) => Item | null> {
  const found: Item[] = [];
  let wanted = [...new Set(places.map(spanFrom))].sort().reverse();
  let limit = FIRST_LIMIT;
  while (wanted[0] !== undefined) {
    limit = Math.min(limit, wanted.length);
    const items = await table.query({ partition, upTo: wanted[0], descending: true, limit });
    found.push(...items);
    const left = items.length < limit ? [] : wanted.filter((start) => itemOver(items, start) === null);
    const looked = wanted.slice(0, wanted.length - left.length);
    limit = Math.min(MAX_LIMIT, 2 * new Set(looked.map((start) => itemOver(items, start))).size);
    wanted = left;
  }
  return (place) => itemOver(found, spanFrom(place));
}

/** Among items in descending order the first that begins at `start` or before. */
const itemOver = (items: readonly Item[], start: string): Item | null =>
  items.find((item) => textOf(item, "sk") <= start) ?? null;
