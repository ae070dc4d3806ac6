// Finding the items that hold places: always those that a query for each place would find, in as few queries as can be.
import fc from "fast-check";
import { expect, test } from "vitest";
import { readCovering } from "../../../service/table/covering.ts";
import type { Item } from "../../../service/table/item.ts";
import { spanKey } from "../../../service/table/keys.ts";
import type { PartitionQuery } from "../../../service/table/table.ts";
import { ascending } from "../../support/trees.ts";

const PARTITION = "partition";

/** A partition whose items begin at these places, and the queries that it was asked. */
function newPartition(starts: readonly number[]) {
  const items: Item[] = starts.map((start) => spanKey(PARTITION, start)).reverse();
  const queries: PartitionQuery[] = [];
  const query = async (asked: PartitionQuery): Promise<Item[]> => {
    queries.push(asked);
    return items.filter(({ sk }) => (sk?.S ?? "") <= (asked.upTo ?? "")).slice(0, asked.limit);
  };
  const read = async (places: readonly number[]) => {
    const over = await readCovering({ query }, PARTITION, places);
    return places.map(over);
  };
  return { read, queries };
}

/** The number of queries for every `step`th of a hundred and more items. */
async function queriesFor(step: number): Promise<number> {
  const { read, queries } = newPartition(ascending(100 * step, (i) => 10 * i));
  await read(ascending(100, (i) => 10 * step * i + 3));
  return queries.length;
}

test("each place is led to the item that begins there or nearest before it", async () => {
  const numbers = fc.uniqueArray(fc.nat(300), { maxLength: 120 });
  const property = fc.asyncProperty(numbers, numbers, async (starts, places) => {
    const sorted = starts.toSorted((a, b) => a - b);
    const { read, queries } = newPartition(sorted);
    const expected = places.map((place) => sorted.findLast((start) => start <= place));
    expect(await read(places)).toEqual(
      expected.map((start) => (start === undefined ? null : spanKey(PARTITION, start))),
    );
    // Each query finds an item that was not found before, but for one that finds that there is none.
    expect(queries.length).toBeLessThanOrEqual(new Set(expected).size + 1);
  });
  await fc.assert(property, { numRuns: 300 });
});

test("a hundred items in a row take few queries, and far ones take one each", async () => {
  expect(await queriesFor(1)).toBeLessThanOrEqual(6);
  expect(await queriesFor(20)).toBeLessThanOrEqual(100);
});

test("one place takes one query for one item, and none takes none", async () => {
  const { read, queries } = newPartition([0, 10, 20]);
  await read([]);
  expect(queries).toEqual([]);
  expect(await read([19])).toEqual([spanKey(PARTITION, 10)]);
  expect(queries).toMatchObject([{ descending: true, limit: 1 }]);
});

test("places behind the last item, all of them the newest's, take one query", async () => {
  const { read, queries } = newPartition(ascending(50, (i) => i));
  await read(ascending(100, (i) => 1_000 + i));
  expect(queries).toHaveLength(1);
});
