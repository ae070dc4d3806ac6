// The notice that a receipt records: the wording itself, when and how it was given, and its number.
import type { ExaminedTurn } from "../../../evidence/reader/examination.ts";
import { describeBracket } from "../../../evidence/reader/text/bracket.ts";
import { cutText, languageName, textAt } from "../../../evidence/reader/text/format.ts";
import {
  describeAssessment,
  describeConfirmation,
  describeLateProof,
  describeLaw,
  describeMethod,
  describeRules,
} from "../../../evidence/reader/text/receipt.ts";
import { statedFields } from "../../../evidence/reader/text/stated.ts";
import type { Text } from "../../../evidence/reader/text/text.ts";
import { provenBy } from "../../../evidence/reader/times.ts";
import { isRefuted } from "../../../evidence/reader/verdict.ts";
import type { ShownWording } from "../../../evidence/reader/wording.ts";
import { compareField } from "./compare.ts";
import { erasureRemarks } from "./conversation.ts";
import { type Child, definitions, el, section } from "./dom.ts";
import { bdi, hash, zonedTime } from "./format.ts";
import type { View } from "./view.ts";

export function receiptFacts(view: View, turn: ExaminedTurn): HTMLElement | null {
  if (turn.evidence.receipts === undefined) return null;
  const { facts } = view.text;
  const heading = isRefuted(turn) ? facts.claimed : facts.heading;
  const remarks = [...erasureRemarks(view), el("p", { class: "remark" }, facts.limit)];
  return section("facts", heading, turnFacts(view, turn, "0"), ...remarks);
}

/** The wording and its circumstances, without a heading; `id` sets the turn apart. The receipt may hold anything. */
export function turnFacts(view: View, turn: ExaminedTurn, id: string): HTMLElement {
  const { text } = view;
  const receipt: unknown = turn.evidence.receipts?.[0];
  const digest = textAt(receipt, "disclosure", "subject_hash");
  const { wording } = turn;
  return el(
    "div",
    { class: "facts" },
    claimNote(text, turn),
    wordingView(text, wording, digest),
    definitions(
      [
        [text.facts.when, recorded(view, receipt, turn)],
        ...statedPairs(view, receipt),
        [text.facts.proven, proven(view, turn)],
        [text.facts.place, text.facts.turn(cutText(textAt(receipt, "turn")))],
        [text.facts.method, bdi(describeMethod(text, receipt))],
        [text.facts.wordingName, wording && bdi(cutText(wording.id))],
        [text.facts.language, wording && bdi(languageName(text.locale, wording.language))],
        [text.facts.assessment, assessed(text, receipt, turn)],
        [text.facts.jurisdiction, bdi(describeLaw(text, receipt))],
      ],
      "pairs",
    ),
    compareField(text, { digest, wording }, id),
  );
}

/** Only a receipt that fails itself proves nothing: a bad timestamp takes no more than the time. */
function claimNote({ facts }: Text, turn: ExaminedTurn): Child {
  if (isRefuted(turn)) return el("p", { class: "remark" }, facts.claimedNote);
  const isUntimed = turn.checks.some(({ ok }) => ok === false);
  return isUntimed ? el("p", { class: "remark" }, facts.untimedNote) : null;
}

function recorded(view: View, receipt: unknown, turn: ExaminedTurn): HTMLElement {
  const late = describeLateProof(view.text, turn);
  return el(
    "span",
    {},
    zonedTime(view, textAt(receipt, "issued_at")),
    el("small", {}, view.text.facts.ownClock),
    late === null ? null : el("small", { class: "doubt" }, late),
  );
}

const statedPairs = (view: View, receipt: unknown): [string, Child][] =>
  statedFields(view.text, receipt).map(({ label, value, isTime }) => {
    const shown = isTime ? zonedTime(view, value) : bdi(cutText(value));
    return [label, el("span", {}, shown, el("small", {}, view.text.facts.callersWord))];
  });

/** Every time that a timestamp proves, and the authority that confirms it. A receipt that was changed has none. */
function proven(view: View, turn: ExaminedTurn): Child {
  if (turn.times.length === 0 || isRefuted(turn)) return view.text.facts.unproven;
  const now = view.checked.checkedAt.toISOString();
  return el(
    "span",
    {},
    ...turn.times.flatMap((time) => [
      el("span", { class: "line" }, zonedTime(view, provenBy(time))),
      el("small", {}, el("bdi", {}, describeConfirmation(view.text, time, now))),
    ]),
    ...bracketLines(view.text, turn, now),
  );
}

/** Remarks on the bracket stand out. */
function bracketLines(text: Text, turn: ExaminedTurn, now: string): HTMLElement[] {
  const [sentence, ...remarks] = describeBracket(text, turn, now);
  if (sentence === undefined) return [];
  const doubts = remarks.map((remark) => el("small", { class: "doubt" }, remark));
  // The names in it are cut, and the sentence is not.
  return [el("small", {}, el("bdi", {}, sentence)), ...doubts];
}

function wordingView(text: Text, wording: ShownWording | null, digest: string): HTMLElement {
  if (wording === null) return unknownWording(text.facts.unknownWording, digest);
  const { language, template } = wording;
  if (wording.text !== null) return el("blockquote", { lang: language }, wording.text);
  const own = unknownWording(text.facts.ownWording(cutText(wording.approvedBy ?? "")), digest);
  if (template?.text == null) return own;
  own.append(el("p", {}, bdi(text.facts.filled(template.id))), el("q", { lang: language }, template.text));
  return own;
}

const unknownWording = (words: string, digest: string): HTMLElement =>
  el("div", { class: "unknown" }, el("p", {}, bdi(words)), el("p", {}, hash(digest)));

function assessed(text: Text, receipt: unknown, turn: ExaminedTurn): HTMLElement {
  const rules = describeRules(text, receipt, turn).map((rule) => el("small", {}, el("bdi", {}, rule)));
  return el("span", {}, assessment(text, receipt), ...rules);
}

/** The parts of it are cut, and the whole is not. */
export const assessment = (text: Text, receipt: unknown): HTMLElement =>
  el("bdi", {}, describeAssessment(text, receipt));
