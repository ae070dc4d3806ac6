import { expect, test } from "vitest";
import { readPages } from "../../../evidence/core/pages.ts";

/** The pages that are read, each of which is its own place. */
async function read<Place extends number | string>(
  first: Place,
  nextOf: (place: Place) => Place | null,
): Promise<Place[]> {
  const refuse = (place: Place): never => {
    throw new Error(`circle at ${place}`);
  };
  const found: Place[] = [];
  for await (const page of readPages({ first, read: async (place) => place, nextOf, refuse }))
    found.push(page);
  return found;
}

test("reads page after page, to the one that names no next", async () => {
  expect(await read<number>(0, (place) => (place < 4 ? place + 2 : null))).toEqual([0, 2, 4]);
  expect(await read<string>("", (place) => (place.length < 2 ? `${place}x` : null))).toEqual(["", "x", "xx"]);
});

test.each([3, 2, 0])("refuses a page at 3 that leads on to %d", async (next) => {
  await expect(read<number>(1, (place) => (place === 3 ? next : 3))).rejects.toThrow("circle at 3");
});

test.each(["", "a", "b"])("refuses a page at b that leads on to %j", async (next) => {
  const places = new Map([
    ["", "a"],
    ["a", "b"],
  ]);
  await expect(read<string>("", (place) => places.get(place) ?? next)).rejects.toThrow("circle at b");
});
