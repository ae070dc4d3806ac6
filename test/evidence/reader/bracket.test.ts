import { expect, test } from "vitest";
import type { ProvenTime } from "../../../evidence/core/timestamps/proven-time.ts";
import { bracketOf } from "../../../evidence/reader/bracket.ts";
import type { ExaminedTurn } from "../../../evidence/reader/examination.ts";
import { describeBracket } from "../../../evidence/reader/text/bracket.ts";
import { de } from "../../../evidence/reader/text/de.ts";
import { en } from "../../../evidence/reader/text/en.ts";
import { readReceipt } from "../../support/vector-files.ts";

const NOW = "2026-11-27T00:00:00.000Z";
const proven = (genTime: string, name: string, accuracy: number | null = null): ProvenTime => ({
  genTime,
  accuracy,
  validUntil: "2040-01-01T00:00:00Z",
  authority: { subject: `CN=${name}`, issuer: "CN=Root" },
  signer: "sha256:00",
  trustAnchor: "sha256:00",
  covers: "0x00",
});

function turn(issuedAt: string, after: ProvenTime | null, by: ProvenTime | null): ExaminedTurn {
  const { receipts, ...evidence } = readReceipt("receipts/hand-off.json");
  const times = by === null ? [] : [by];
  const told = { ...evidence, receipts: [{ ...receipts[0], issued_at: issuedAt }] };
  return {
    evidence: told,
    checks: [],
    follows: null,
    tokenTime: null,
    times,
    recordedAfter: after,
    checkpoint: null,
    wording: null,
  };
}

const AFTER = proven("2026-11-22T10:14:03Z", "X");
const BY = proven("2026-11-22T10:15:11Z", "Y");
const INSIDE = "2026-11-22T10:15:00.000Z";

test("a receipt is said to be recorded between two times, each with the authority that signed it", () => {
  expect(describeBracket(en, turn(INSIDE, AFTER, BY), NOW)).toEqual([
    "Recorded between 22 November 2026 at 10:14:03 UTC, signed by X, and 22 November 2026 at 10:15:11 UTC, signed by Y.",
  ]);
  const [sentence] = describeBracket(de, turn(INSIDE, AFTER, BY), NOW);
  expect(sentence).toMatch(/^Eingetragen zwischen 22\. November 2026 .* von X, und .* von Y\.$/);
});

test.each([
  ["before both", "2026-11-22T10:13:57.000Z", true],
  ["within what clocks differ by, before both", "2026-11-22T10:13:59.000Z", false],
  ["between", INSIDE, false],
  ["after both", "2026-11-22T10:15:17.000Z", true],
])("a stated time that lies %s is remarked on: %s", (_, issuedAt, isLeft) => {
  const sentences = describeBracket(en, turn(issuedAt, AFTER, BY), NOW);
  expect(sentences.includes(en.facts.bracket.left)).toBe(isLeft);
});

test("two times that are more than an hour apart are remarked on, their accuracy counted in", () => {
  const hourLater = proven("2026-11-22T11:14:03Z", "Y");
  expect(bracketOf(turn(INSIDE, AFTER, hourLater), NOW).unusualWidth).toBeNull();
  const coarse = proven("2026-11-22T11:14:03Z", "Y", 60);
  expect(bracketOf(turn(INSIDE, AFTER, coarse), NOW).unusualWidth).toBe(61 * 60_000);
  expect(describeBracket(en, turn(INSIDE, AFTER, coarse), NOW)).toContain(
    "These two are 1 hour apart. Between them, the time is the service’s word alone.",
  );
});

test("a receipt without a lower bound is said to have none, and one without any time has no bracket", () => {
  expect(describeBracket(en, turn(INSIDE, null, BY), NOW)).toEqual([en.facts.bracket.noLower]);
  expect(describeBracket(en, turn(INSIDE, AFTER, null), NOW)).toEqual([
    "Recorded after 22 November 2026 at 10:14:03 UTC, signed by X.",
  ]);
  expect(describeBracket(en, turn(INSIDE, null, null), NOW)).toEqual([]);
});
