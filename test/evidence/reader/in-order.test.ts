// Work side by side: how much is begun, in which order results come, and what becomes of a failure.
import { expect, test } from "vitest";
import { inOrder, range } from "../../../evidence/reader/in-order.ts";

/** Work that ends when it is told to. */
function held() {
  const begun: number[] = [];
  const ends = new Map<number, PromiseWithResolvers<string>>();
  const work = (item: number): Promise<string> => {
    begun.push(item);
    const end = Promise.withResolvers<string>();
    ends.set(item, end);
    return end.promise;
  };
  const end = (item: number): void => ends.get(item)?.resolve(`of ${item}`);
  const fail = (item: number): void => ends.get(item)?.reject(new Error(`no ${item}`));
  return { begun, work, end, fail };
}

test("results come in the order of their beginnings, whichever ends first", async () => {
  const { work, end, begun } = held();
  const results = inOrder([0, 1, 2], 3, work);
  const first = results.next();
  expect(begun).toEqual([0, 1, 2]);
  for (const item of [2, 1, 0]) end(item);
  expect((await first).value).toBe("of 0");
  expect([await results.next(), await results.next(), await results.next()]).toEqual([
    { done: false, value: "of 1" },
    { done: false, value: "of 2" },
    { done: true, value: undefined },
  ]);
});

test("no more is under way than the width, and a result that is not taken holds back the next", async () => {
  const { work, end, begun } = held();
  const results = inOrder(range(0, 5), 2, work);
  expect(begun).toEqual([]);
  const first = results.next();
  expect(begun).toEqual([0, 1]);
  for (const item of [0, 1]) end(item);
  expect((await first).value).toBe("of 0");
  expect(begun).toEqual([0, 1]);
  expect((await results.next()).value).toBe("of 1");
  expect(begun).toEqual([0, 1, 2]);
});

test("a failure shows when its turn comes, and not before", async () => {
  const { work, end, fail } = held();
  const results = inOrder([0, 1], 2, work);
  const first = results.next();
  fail(1);
  // A rejection that nobody had taken by then would end this process.
  await new Promise((resolve) => setImmediate(resolve));
  end(0);
  expect((await first).value).toBe("of 0");
  await expect(results.next()).rejects.toThrow("no 1");
});

test("a range has its beginning and not its end", () => {
  expect([[...range(2, 5)], [...range(2, 3)], [...range(2, 2)]]).toEqual([[2, 3, 4], [2], []]);
});
