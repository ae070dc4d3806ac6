// The plain writes of the table, against the engine: what each changes, and when its condition holds.
import { afterAll, describe, expect, test } from "vitest";
import {
  allOf,
  anyOf,
  type Condition,
  isAbove,
  isAbsent,
  isAtMost,
  isEqual,
  isPresent,
  itemExists,
  noItemExists,
} from "../../../service/table/condition.ts";
import { startLedgerStack } from "../../support/ledger-stack.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const key = { pk: { S: "p" }, sk: { S: "s" } };
const newTable = async () => (await stack.newLedger()).newProcess().table;
const n = (value: number) => ({ N: String(value) });

describe("an update", () => {
  test("sets, sets once, removes, and leaves the rest, reserved words among the names", async () => {
    const table = await newTable();
    await table.put({ ...key, plan: { S: "old" }, since: { S: "then" }, gone: { S: "x" }, kept: { S: "y" } });
    const set = { plan: { S: "new" }, text: { S: "t" } };
    const setOnce = { since: { S: "now" }, until: { S: "now" } };
    expect(await table.update({ key, set, setOnce, remove: ["gone"] })).toBe(true);
    expect(await table.get(key)).toEqual({
      ...key,
      ...set,
      since: { S: "then" },
      until: { S: "now" },
      kept: { S: "y" },
    });
  });

  test("removes an attribute that the item does not have, and may do nothing else", async () => {
    const table = await newTable();
    await table.put({ ...key, kept: { S: "y" } });
    expect(await table.update({ key, remove: ["gone"] })).toBe(true);
    expect(await table.get(key)).toEqual({ ...key, kept: { S: "y" } });
  });

  test("adds members to one set and takes them out of another, whatever else they hold", async () => {
    const table = await newTable();
    await table.put({ ...key, from: { NS: ["1", "2"] }, to: { NS: ["3"] } });
    const member = { NS: ["2"] };
    await table.update({ key, addToSets: { to: member }, takeFromSets: { from: member } });
    const item = await table.get(key);
    expect(item?.from).toEqual({ NS: ["1"] });
    expect([...(item?.to?.NS ?? [])].sort()).toEqual(["2", "3"]);
  });

  test("makes the item where there is none, unless one must exist", async () => {
    const table = await newTable();
    expect(await table.update({ key, set: { a: n(1) }, when: itemExists })).toBe(false);
    expect(await table.get(key)).toBeNull();
    expect(await table.update({ key, set: { a: n(1) } })).toBe(true);
    expect(await table.get(key)).toEqual({ ...key, a: n(1) });
  });
});

describe("a condition", () => {
  const cases: [title: string, when: Condition, holds: boolean][] = [
    ["an item exists", itemExists, true],
    ["no item exists", noItemExists, false],
    ["an attribute is present", isPresent("a"), true],
    ["another attribute is present", isPresent("b"), false],
    ["an attribute is absent", isAbsent("a"), false],
    ["another attribute is absent", isAbsent("b"), true],
    ["an attribute is equal", isEqual("a", n(5)), true],
    ["an attribute is not equal", isEqual("a", n(6)), false],
    ["an attribute is at most its own value", isAtMost("a", n(5)), true],
    ["an attribute is more", isAtMost("a", n(4)), false],
    ["an attribute is above a smaller value", isAbove("a", n(4)), true],
    ["an attribute is not above its own value", isAbove("a", n(5)), false],
    ["one of two holds", anyOf(isAbsent("a"), isAbove("a", n(4))), true],
    ["none of two holds", anyOf(isAbsent("a"), isAbove("a", n(5))), false],
    ["both hold", allOf(itemExists, isEqual("a", n(5))), true],
    ["one of both does not hold", allOf(itemExists, isEqual("a", n(6))), false],
    ["a choice within a list holds", allOf(itemExists, anyOf(isAbsent("b"), isAbove("b", n(1)))), true],
    ["a list with a choice fails as a whole", allOf(noItemExists, anyOf(isAbsent("b"), itemExists)), false],
  ];

  test.each(cases)("%s", async (_title, when, holds) => {
    const table = await newTable();
    await table.put({ ...key, a: n(5) });
    expect(await table.update({ key, set: { a: n(7) }, when })).toBe(holds);
    expect(await table.get(key)).toEqual({ ...key, a: n(holds ? 7 : 5) });
  });

  test("is asked of a put in a transaction too, which shows the item that is there", async () => {
    const table = await newTable();
    await table.put({ ...key, a: n(5) });
    const put = (most: number) =>
      table.transact(
        [{ put: { ...key, a: n(0) }, when: anyOf(noItemExists, isAtMost("a", n(most))) }],
        "token",
      );
    expect(await put(4)).toEqual({
      kind: "refused",
      refusals: [{ code: "ConditionalCheckFailed", item: { ...key, a: n(5) } }],
    });
  });
});

test("a check refuses its transaction where there is no item, and writes nothing", async () => {
  const table = await newTable();
  const other = { pk: { S: "q" }, sk: { S: "s" } };
  const writes = [{ check: other }, { insert: key }];
  expect(await table.transact(writes, "first")).toMatchObject({
    kind: "refused",
    refusals: [{ code: "ConditionalCheckFailed" }, { code: "None" }],
  });
  await table.put(other);
  expect(await table.transact(writes, "second")).toEqual({ kind: "committed" });
  expect([await table.get(other), await table.get(key)]).toEqual([other, key]);
});
