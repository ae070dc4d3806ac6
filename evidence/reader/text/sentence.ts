// The verdict on one piece of evidence as a sentence, on the page and on paper. A part of a conversation, where it is known
// to be one, is never called the conversation.
import type { PlacedCheck } from "../../core/verify/check.ts";
import { missingTurns, turnsOf } from "../conversation-pages.ts";
import type { Evidence } from "../evidence.ts";
import type { Verdict } from "../verdict.ts";
import type { Text } from "./text.ts";

/** How the texts call a kind of evidence: a report is the receipt with more. */
export const wordOf = (kind: Evidence["kind"]): Exclude<Evidence["kind"], "report"> =>
  kind === "report" ? "receipt" : kind;

export function sentenceOn(text: Text, evidence: Evidence, { outcome, open }: Verdict): string {
  const sentences = text.verdict[outcome];
  const turns = missingFrom(evidence) !== null && evidence.kind === "bundle" ? turnsOf(evidence) : null;
  const sentence = turns === null ? sentences[wordOf(evidence.kind)] : sentences.turns(...turns);
  return outcome === "holds_so_far" ? withHistory(text, sentence, open) : sentence;
}

/** Whoever gives a history, and reads that evidence holds, takes it for compared. */
export function withHistory({ verdict }: Text, sentence: string, checks: readonly PlacedCheck[]): string {
  const open = checks.filter(({ name, ok }) => name === "chain_history" && ok === null);
  const ends = open.flatMap(({ endsAt }) => endsAt ?? []);
  if (open.length === 0) return sentence;
  return verdict.notAgainstHistory(sentence, ends.length === 0 ? null : Math.min(...ends));
}

/** What the verdict rests on, or what to read the list of checks below it as. */
export function reasonOn({ verdict }: Text, { kind }: Evidence, { outcome, failed, made }: Verdict): string {
  if (outcome === "holds") return verdict.reason[wordOf(kind)];
  return outcome === "does_not_hold" ? verdict.failedReason(failed.length, made) : verdict.openReason;
}

/** The sentence that names the turns that are not in the file; null where none is known to be missing. */
export function describeMissing({ verdict }: Text, evidence: Evidence): string | null {
  const missing = missingFrom(evidence);
  return missing && verdict.missing(missing.before, missing.from);
}

function missingFrom(evidence: Evidence): ReturnType<typeof missingTurns> | null {
  if (evidence.kind !== "bundle") return null;
  const missing = missingTurns(evidence);
  return missing.before === null && missing.from === null ? null : missing;
}
