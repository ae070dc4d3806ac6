// The map that drops its oldest entry.
import { expect, test } from "vitest";
import { BoundedMap } from "../../../evidence/core/bounded-map.ts";

test("a bounded map drops the entry that was set least recently, and no other", () => {
  const map = new BoundedMap<string, number>(2);
  map.set("a", 1).set("b", 2).set("a", 3).set("c", 4);
  expect([...map]).toEqual([
    ["a", 3],
    ["c", 4],
  ]);
  map.delete("a");
  map.set("d", 5);
  expect([...map.keys()]).toEqual(["c", "d"]);
});
