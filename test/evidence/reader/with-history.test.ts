// Whoever gives a history reads in the first sentence whether the evidence was held against it.
import { expect, test } from "vitest";
import type { PlacedCheck } from "../../../evidence/core/verify/check.ts";
import { withHistory } from "../../../evidence/reader/text/sentence.ts";
import { textIn } from "../../../evidence/reader/text/text.ts";

const check = (more: Partial<PlacedCheck>): PlacedCheck => ({
  ...{ name: "chain_history", place: "", ok: null, detail: "", reason: "too_new" },
  ...more,
});
const said = (language: "en" | "de", ...checks: readonly PlacedCheck[]): string =>
  withHistory(textIn(language), textIn(language).verdict.holds_so_far.receipt, checks);

test("a history that ends before the evidence is told with its end, the earliest of several", () => {
  expect(said("en", check({ endsAt: 7 }), check({ endsAt: 5 }), check({ reason: "other_history" }))).toBe(
    "This receipt holds as far as it can be checked now, but not against the history that you gave: what is at hand of it and of the log ends at entry 5.",
  );
  expect(said("de", check({ endsAt: 5 }))).toBe(
    "Dieser Beleg hält stand, soweit er sich jetzt prüfen lässt, aber nicht am Verlauf, den Sie angegeben haben: Was von ihm und vom Protokoll vorliegt, endet bei Eintrag 5.",
  );
});

test("a history of other chains is told as one", () => {
  expect(said("en", check({ reason: "other_history" }))).toMatch(/, but not .*: it is of other chains\.$/);
  expect(said("de", check({ reason: "other_history" }))).toMatch(
    /, aber nicht .*: Er ist der anderer Ketten\.$/,
  );
});

test("a history that the evidence was held against is no news", () => {
  const open = check({ name: "public_heads", reason: "not_given" });
  expect(said("en", check({ ok: true }), open)).toBe(textIn("en").verdict.holds_so_far.receipt);
});
