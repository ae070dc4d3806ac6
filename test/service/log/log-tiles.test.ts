// The files of a log that is too long for a test's table: leaf items are made as they are asked for.
import { describe, expect, test } from "vitest";
import { formatHex } from "../../../evidence/core/bytes.ts";
import { chainHeadEntry } from "../../../evidence/core/formats/metachain.ts";
import { tilesBetween } from "../../../evidence/core/log/tiles.ts";
import { buildLogFiles } from "../../../service/log/log-tiles.ts";
import { metachainEntryItem } from "../../../service/seals/metachain-entry.ts";
import { leafIndexOf } from "../../../service/table/keys.ts";
import type { Table } from "../../../service/table/table.ts";
import type { Item } from "../../support/items.ts";
import { LEAF_HASH, LEFT_PATH } from "../../support/leaf-items.ts";
import { headAt } from "../../support/metachain-entries.ts";
import { largestPowerOfTwoBelow, leafHash, type Mth, nodeHash } from "../../support/rfc9162.ts";
import { storedLeafOf } from "../../support/trees.ts";
import { filesOf } from "../../support/whole-tiles.ts";

const WIDTH = 256;
/** Every entry is the same but for the last ones of the first tiles: a range is known by its width then. */
const isMarked = (index: number): boolean => index < 4 * WIDTH && index % WIDTH === WIDTH - 1;
const headOf = (index: number) => headAt(isMarked(index) ? index : 0);
const entryOf = (index: number) => chainHeadEntry(headOf(index));

const known = new Map<string, Uint8Array>();
const mth: Mth = (start, end) => {
  const key = start < 4 * WIDTH ? `${start}:${end}` : `${end - start}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const middle = start + largestPowerOfTwoBelow(end - start);
  const node = end - start === 1 ? leafHash(entryOf(start)) : nodeHash(mth(start, middle), mth(middle, end));
  known.set(key, node);
  return node;
};

const leafAt = storedLeafOf(mth);
const itemAt = (index: number): Item => metachainEntryItem(headOf(index), leafAt(index), index + 1);

/** A table of all these leaves, one of which may be damaged. */
function tableWith(damage: (item: Item, index: number) => Item = (item) => item): Table {
  const at = (index: number) => damage(itemAt(index), index);
  const query = async ({ from = "", upTo = "" }) => {
    const [first, last] = [leafIndexOf(from), leafIndexOf(upTo)];
    return Array.from({ length: last - first + 1 }, (_, i) => at(first + i));
  };
  const batchGet = async (keys: readonly { sk: { S: string } }[]) =>
    keys.map(({ sk }) => at(leafIndexOf(sk.S)));
  return { query, batchGet } as unknown as Table;
}

const publishedAt = (size: number) => ({ size, root: mth(0, size) });

describe("the files of a long log", () => {
  test.each([
    [WIDTH ** 2 - 1, WIDTH ** 2 + 3],
    [WIDTH ** 2 - 300, WIDTH ** 2],
    [2 * WIDTH ** 2 - 2, 2 * WIDTH ** 2 + 258],
  ])("between %i and %i entries are as they are defined, at every level", async (from, size) => {
    const stages = await buildLogFiles(tableWith(), tilesBetween(from, size), size, publishedAt(size));
    const expected = filesOf({ size, mth, entryAt: entryOf });
    const files = stages.flat();
    expect(files.map(({ path }) => path).filter((path) => path.startsWith("tile/2/"))).toHaveLength(1);
    for (const { path, bytes } of files)
      expect(formatHex(bytes), path).toBe(expected.get(path)?.toString("hex"));
  });

  test("within a catch-up are checked against the published tree that is longer", async () => {
    const [size, published] = [2 * WIDTH, publishedAt(WIDTH ** 2 + 1)];
    const tiles = tilesBetween(0, size).filter(({ width }) => width === WIDTH);
    const files = (await buildLogFiles(tableWith(), tiles, size, published)).flat();
    expect(files.map(({ path }) => path)).toEqual([
      "tile/entries/000",
      "tile/entries/001",
      "tile/0/000",
      "tile/0/001",
    ]);
    const other = { ...published, root: mth(0, 5) };
    await expect(buildLogFiles(tableWith(), tiles, size, other)).rejects.toMatchObject({
      code: "ledger_corrupt",
    });
  });

  test("are not made with a leaf that is damaged far behind the new ones", async () => {
    const size = WIDTH ** 2 + 3;
    for (const attribute of [LEAF_HASH, LEFT_PATH]) {
      const damaged = tableWith((item, index) => {
        if (index !== 2 * WIDTH - 1) return item;
        const bytes = Uint8Array.from(item[attribute]?.B ?? []);
        bytes[0] = (bytes[0] ?? 0) ^ 1;
        return { ...item, [attribute]: { B: bytes } };
      });
      const files = buildLogFiles(damaged, tilesBetween(size - 4, size), size, publishedAt(size));
      await expect(files, attribute).rejects.toMatchObject({ code: "ledger_corrupt" });
    }
  });
});
