// The meaning of a check's outcome in plain words, where the circumstances say more than the check's name.
import type { Check, PlacedCheck } from "../../../evidence/core/verify/check.ts";
import type { ExaminedTurn } from "../../../evidence/reader/examination.ts";
import { openSentence } from "../../../evidence/reader/text/open-sentence.ts";
import { isSupplementary } from "../../../evidence/reader/verdict.ts";
import { type State, stateOf } from "./icon.ts";
import { circumstancesOf, type View } from "./view.ts";

/** A check that this evidence alone can't decide, or that had nothing to look at, is set aside. */
export const stateOfCheck = (check: Check, turn?: ExaminedTurn): State => {
  const { ok, name, reason } = check;
  const isOfAnother = reason === "other_request" || reason === "other_authority";
  const isUndecided = ok === null && !isOfAnother && isSupplementary(name);
  return isUndecided || isUnbounded(check, turn) ? "aside" : stateOf(ok);
};

/** A receipt that names no earlier root says nothing false by that, and proves no time. */
const isUnbounded = ({ name, ok }: Check, turn: ExaminedTurn | undefined): boolean =>
  name === "recorded_after" && ok === true && turn?.recordedAfter === null;

/** `turn` is the one that the check is about, if it is about one. */
export function meaningOf(view: View, check: Check | PlacedCheck, turn?: ExaminedTurn): string {
  const { text, entry } = view;
  const { name, ok } = check;
  if (ok === null) {
    const place = "place" in check ? check.place : placeOf(entry.kind, turn);
    return openSentence(text, { ...check, place }, circumstancesOf(view));
  }
  if (isUnbounded(check, turn)) return text.checks.unbounded;
  if (name === "timestamp" && ok && isRenewed(turn)) return text.checks.renewed;
  return text.checkTexts[name][ok ? "holds" : "broken"];
}

/** A lone receipt is the whole; a receipt of a conversation is a part of it. */
const placeOf = (kind: string, turn: ExaminedTurn | undefined): string =>
  kind === "bundle" && turn !== undefined ? "receipts" : "";

const isRenewed = (turn: ExaminedTurn | undefined): boolean =>
  turn?.times.some(({ covers }) => covers !== turn.evidence.merkle_proof.merkle_root) === true;
