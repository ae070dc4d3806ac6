// What a receipt says, as every program shows it: how the notice was given, how it was classified, by when it existed.
// The receipt may hold anything.
import { isValidAt, type ProvenTime } from "../../core/timestamps/proven-time.ts";
import type { ExaminedTurn } from "../examination.ts";
import { isWide, unusualDelay } from "../times.ts";
import { commonName, countryName, cutText, formatNumber, textAt, utcTime } from "./format.ts";
import { type Text, termIn } from "./text.ts";

const HOUR_MS = 60 * 60 * 1000;

/** "Spoken introduction, telephone or voice conversation" */
export function describeMethod(text: Text, receipt: unknown): string {
  const term = (name: string): string => cutText(termIn(text, textAt(receipt, "disclosure", name)));
  return `${term("disclosure_method")}, ${term("modality")}`;
}

/** The verdict of the wording rules and their findings. */
export function describeAssessment(text: Text, receipt: unknown): string {
  const { findings } = (receipt as { policy?: { findings?: unknown } }).policy ?? {};
  const names = Array.isArray(findings) ? findings.filter((name) => typeof name === "string") : [];
  const remarks = names.map((name) => cutText(termIn(text, name))).join("; ");
  const verdict = cutText(termIn(text, textAt(receipt, "verdict")));
  return remarks === "" ? verdict : `${verdict}: ${remarks}`;
}

/** The rules that classified it, and whether the verdict was computed again and is the same. */
export function describeRules({ facts }: Text, receipt: unknown, turn: ExaminedTurn): string[] {
  const of = (name: string): string => cutText(textAt(receipt, "policy", name));
  const rules = facts.rules(of("jurisdiction"), of("version"));
  return isRecomputed(turn) ? [rules, facts.recomputed] : [rules];
}

export const isRecomputed = ({ checks }: ExaminedTurn): boolean =>
  checks.some(({ name, ok }) => name === "policy" && ok === true);

export function describeLaw(text: Text, receipt: unknown): string {
  const country = countryName(text.locale, textAt(receipt, "disclosure", "jurisdiction"));
  return text.facts.law(cutText(textAt(receipt, "disclosure", "article_50_clause")), country);
}

/** Who confirms the time, until when that could be checked, and how far the time may be off. */
export function describeConfirmation({ facts, locale }: Text, time: ProvenTime, now: string): string {
  const authority = cutText(commonName(time.authority.subject));
  const signed = isValidAt(time, now)
    ? facts.signed(authority)
    : facts.signedOnce(authority, utcTime(locale, time.validUntil));
  return isWide(time) ? `${signed}; ${facts.wide(formatNumber(locale, time.accuracy ?? 0))}` : signed;
}

/** Where the earliest proven time is much later than the service's, only the service says that it was not later. */
export function describeLateProof({ facts }: Text, { evidence, times }: ExaminedTurn): string | null {
  const delay = unusualDelay(textAt(evidence.receipts?.[0], "issued_at"), times);
  return delay === null ? null : facts.lateProof(facts.delay(Math.floor(delay / HOUR_MS)));
}
