// The words of a bill are there in each language for every check that core makes and every point that stays stated.
import { expect, test } from "vitest";
import { BILL_CHECK_NAMES } from "../../../evidence/core/verify/check-names.ts";
import { verifyBill } from "../../../evidence/core/verify/verify-bill.ts";
import { STATED_POINTS } from "../../../evidence/reader/bill-stated.ts";
import { formatAmount } from "../../../evidence/reader/text/format.ts";
import { textIn } from "../../../evidence/reader/text/text.ts";
import { finalBill, historyAt } from "../../support/bill-inputs.ts";

test("The list of checks is that of core", async () => {
  const { checks } = await verifyBill(finalBill, { history: await historyAt(), walk: null });
  const names = new Set(checks.map(({ name }) => name.replace(/^.*\//, "")));
  expect([...names].sort()).toEqual([...BILL_CHECK_NAMES].sort());
});

test("German says all of it in other words", () => {
  const [german, english] = [textIn("de").bill, textIn("en").bill];
  for (const name of BILL_CHECK_NAMES)
    expect(german.checkTexts[name][1]).not.toBe(english.checkTexts[name][1]);
  for (const point of STATED_POINTS) expect(german.statedPoints[point]).not.toBe(english.statedPoints[point]);
});

test.each([
  ["en-GB", "EUR", 910, "€9.10"],
  ["de-DE", "EUR", 123_456_789, "1.234.567,89\u00a0€"],
  ["en-GB", "JPY", 910, "JP¥910"],
  ["en-GB", "KWD", 1_005, "KWD\u00a01.005"],
  ["en-GB", "EUR", 2_147_484_547_900, "€21,474,845,479.00"],
])("An amount in %s of %s %d is %s", (locale, currency, minorUnits, text) => {
  expect(formatAmount(locale, currency, minorUnits)).toBe(text);
});
