// Every changed digit or character of a bill fails, but for the members that are the operator's word: each of them is
// named here, with the reason why no proof reaches it.
import { describe, expect, test } from "vitest";
import { type JsonValue, parseJson } from "../../../evidence/core/canonical-json.ts";
import { type Bill, PUBLISHED_WITHIN_MS } from "../../../evidence/core/formats/bill.ts";
import { MAX_CLOCK_DIFFERENCE_MS } from "../../../evidence/core/timestamps/clock-difference.ts";
import { billOf, examineBill } from "../../../evidence/reader/bill.ts";
import { finalBill, historyAt, logInputs, openBill, world } from "../../support/bill-inputs.ts";
import { type Leaf, leavesOf, type Pointer, withValue } from "../../support/json-leaves.ts";

const OPERATORS_WORD: ReadonlyMap<Pointer, string> = new Map([
  ["/tenant/id", "the operator's own name of the tenant: the fingerprint is what ties the chains to it"],
  ["/plan/name", "the operator's own name of the plan: the amount follows from the prices"],
]);
/**
 * Between the seal of `as_of` and the publication of the next one, and after the month was closed, any time could be it; the
 * clocks of two machines differ.
 */
const MADE_AT = "/made_at";
/** A tenant may have chains without a receipt, and more of them than when a history was fetched. */
const CHAINS = "/chains";

const inputs = { ...logInputs(), history: await historyAt() };

async function outcomeOf(value: JsonValue): Promise<string> {
  try {
    return (await examineBill(billOf(value), inputs)).outcome;
  } catch {
    return "unreadable";
  }
}

const HEX = "0123456789abcdef";

/** The text with its last character changed, and one that is another in each member of the bill. */
function changesOf(text: string, seed: number): string[] {
  const places = new Set([seed % Math.max(1, text.length), text.length - 1]);
  return [...places].map((i) => text.slice(0, i) + otherCharacter(text.charAt(i)) + text.slice(i + 1));
}

/** Of the same kind, so that the change isn't caught by its form alone. */
function otherCharacter(character: string): string {
  const digit = HEX.indexOf(character);
  if (digit >= 0) return HEX.charAt(digit ^ 1);
  return character === "x" ? "y" : "x";
}

function changedValues(value: Leaf["value"], seed: number): JsonValue[] {
  if (value === null) return ["something", 0];
  if (typeof value === "boolean") return [!value];
  if (typeof value === "string") return changesOf(value, seed);
  const digits = String(value);
  const others = [...digits].map(
    (digit, i) => digits.slice(0, i) + (Number(digit) ^ 1) + digits.slice(i + 1),
  );
  return [...new Set([value + 1, value - 1, ...others.map(Number)])];
}

/** The seals before and after which the bill can't have been made. */
const isWithinLimits = ({ as_of, status }: Bill, madeAt: JsonValue): boolean => {
  const [from, next] = [world.seals[as_of?.seal_index ?? -1], world.seals[(as_of?.seal_index ?? -1) + 1]];
  const at = Date.parse(String(madeAt));
  const closed = status === "final" ? Date.parse("2026-11-01T01:00:00.000Z") : 0;
  const latest = Date.parse(next?.sealed_at ?? "9999-12-31T00:00:00.000Z") + PUBLISHED_WITHIN_MS;
  const earliest = Date.parse(from?.sealed_at ?? "") - MAX_CLOCK_DIFFERENCE_MS;
  return at >= Math.max(closed, earliest) && at <= latest;
};

describe.each([
  ["final", finalBill],
  ["open", openBill],
])("a %s bill", (_, bill) => {
  const value = parseJson(JSON.stringify(bill));
  const leaves = leavesOf(value);

  test("holds as it is", async () => {
    expect(await outcomeOf(value)).toBe("holds");
    expect(leaves.length).toBeGreaterThan(200);
  });

  test("does not hold with any other digit or character in it", async () => {
    const held: string[] = [];
    for (const [i, { pointer, value: member }] of leaves.entries()) {
      if (OPERATORS_WORD.has(pointer)) continue;
      for (const changed of changedValues(member, 7 * i)) {
        if (pointer === MADE_AT && isWithinLimits(bill, changed)) continue;
        if (pointer === CHAINS && Number(changed) > bill.chains) continue;
        const outcome = await outcomeOf(withValue(value, pointer, changed));
        if (outcome !== "does_not_hold" && outcome !== "unreadable") held.push(`${pointer}: ${changed}`);
      }
    }
    expect(held).toEqual([]);
  });

  test("does not hold with a member of a receipt more or less", async () => {
    for (const pointer of ["/lines/0/before/receipt", "/lines/0/last/receipt/policy"]) {
      const added = withValue(value, `${pointer}/added`, 1);
      expect(await outcomeOf(added)).toBe("does_not_hold");
    }
  });

  test("holds with other names: they are the operator's word", async () => {
    for (const pointer of OPERATORS_WORD.keys()) {
      expect(await outcomeOf(withValue(value, pointer, "another"))).toBe("holds");
    }
  });
});

test("A final bill that is told as an open one holds: it claims less", async () => {
  expect(await outcomeOf(parseJson(JSON.stringify({ ...finalBill, status: "open" })))).toBe("holds");
});
