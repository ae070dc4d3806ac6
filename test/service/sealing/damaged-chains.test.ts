// The chains that are set aside: which of them a run tries again.
import { describe, expect, test } from "vitest";
import { dueAgain } from "../../../service/sealing/damaged-chains.ts";

const MAX_RETRIES = 100;
const named = (count: number): string[] => Array.from({ length: count }, (_, i) => `chain-${i}`);

describe("a run of the sealer", () => {
  test.each([0, 1, MAX_RETRIES])("tries all of %i damaged chains again", (count) => {
    const chains = named(count);
    for (const random of [0, 0.5, 0.999_999]) {
      expect(dueAgain(chains, () => random).toSorted()).toEqual(chains.toSorted());
    }
  });

  test("tries a hundred of more, from any of them on, and goes on with the first after the last", () => {
    const chains = named(250);
    expect(dueAgain(chains, () => 0)).toEqual(chains.slice(0, MAX_RETRIES));
    expect(dueAgain(chains, () => 0.5)).toEqual(chains.slice(125, 225));
    expect(dueAgain(chains, () => 0.999)).toEqual([...chains.slice(249), ...chains.slice(0, 99)]);
  });

  test("comes to every one of twice as many as it tries, whatever its interval", () => {
    const chains = named(2 * MAX_RETRIES);
    const tried = new Set(Array.from({ length: 60 }, () => dueAgain(chains)).flat());
    expect(tried.size).toBe(chains.length);
  });
});
