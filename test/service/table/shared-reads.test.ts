// Reads that are put together: each item once, a hundred in a request, and nothing remembered that may still change.
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Item } from "../../../service/table/item.ts";
import type { ItemKey } from "../../../service/table/keys.ts";
import { SharedReads } from "../../../service/table/shared-reads.ts";
import { ascending } from "../../support/trees.ts";

const keyOf = (i: number): ItemKey => ({ pk: { S: "p" }, sk: { S: String(i) } });
const keysOf = (count: number): ItemKey[] => ascending(count, keyOf);

/** A table that has items under these keys, and what it was asked for. */
function newTable(there: readonly ItemKey[]) {
  const items = new Set(there.map(({ sk }) => sk.S));
  const asked: (readonly ItemKey[])[] = [];
  const batchGet = async (keys: readonly ItemKey[]): Promise<Item[]> => {
    asked.push(keys);
    return keys.filter(({ sk }) => items.has(sk.S)).map((key) => ({ ...key }));
  };
  return { items, asked, batchGet, reads: new SharedReads({ batchGet }) };
}

test("what is asked for at the same time is read together, each item once, and then never again", async () => {
  const { asked, reads } = newTable(keysOf(10));
  const [first, second] = await Promise.all([
    reads.batchGet([keyOf(1), keyOf(2), keyOf(1)]),
    Promise.resolve().then(() => reads.batchGet([keyOf(2), keyOf(3)])),
  ]);
  expect(asked).toEqual([[keyOf(1), keyOf(2), keyOf(3)]]);
  expect([first, second]).toEqual([
    [keyOf(1), keyOf(2), keyOf(1)],
    [keyOf(2), keyOf(3)],
  ]);
  expect(await reads.batchGet([keyOf(3), keyOf(1)])).toEqual([keyOf(3), keyOf(1)]);
  await reads.batchGet([keyOf(4), keyOf(1)]);
  expect(asked.slice(1)).toEqual([[keyOf(4)]]);
});

test("items of one sort key under two partitions are two", async () => {
  const other = { ...keyOf(1), pk: { S: "q" } };
  const { reads } = newTable(keysOf(2));
  expect(await reads.batchGet([keyOf(1), other])).toEqual([keyOf(1), other]);
});

test("an item that is not there yet, and one whose read failed, are read again", async () => {
  const { items, asked, reads } = newTable([keyOf(1)]);
  expect(await reads.batchGet([keyOf(1), keyOf(2)])).toEqual([keyOf(1)]);
  items.add("2");
  expect(await reads.batchGet([keyOf(1), keyOf(2)])).toEqual([keyOf(1), keyOf(2)]);
  expect(asked).toHaveLength(2);

  const outage = { isOn: true };
  const failing = new SharedReads({
    batchGet: async (keys) => {
      if (outage.isOn) throw new Error("outage");
      return [...keys];
    },
  });
  const both = [failing.batchGet([keyOf(1)]), failing.batchGet([keyOf(1), keyOf(2)])];
  for (const reading of both) await expect(reading).rejects.toThrow("outage");
  outage.isOn = false;
  expect(await failing.batchGet([keyOf(1)])).toEqual([keyOf(1)]);
});

test("many items are read a hundred at a time, by few requests at once", async () => {
  const gates: (() => void)[] = [];
  const sizes: number[] = [];
  const reads = new SharedReads({
    batchGet: async (keys) => {
      sizes.push(keys.length);
      await new Promise<void>((resolve) => gates.push(resolve));
      return [...keys];
    },
  });
  const reading = reads.batchGet(keysOf(1_050));
  await setImmediate();
  await setImmediate();
  expect(gates).toHaveLength(8);
  for (let opened = 0; opened < 11; await setImmediate()) gates[opened++]?.();
  expect(await reading).toEqual(keysOf(1_050));
  expect(sizes).toEqual([...ascending(10, () => 100), 50]);
});
