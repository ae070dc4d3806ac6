// One receipt on the evidence sheet: its number, its leaf hash, the notice that it records, and its times.
import type { ExaminedTurn } from "../examination.ts";
import { describeBracket } from "../text/bracket.ts";
import { cutText, languageName, textAt } from "../text/format.ts";
import {
  describeAssessment,
  describeConfirmation,
  describeLateProof,
  describeLaw,
  describeMethod,
  describeRules,
} from "../text/receipt.ts";
import { statedFields } from "../text/stated.ts";
import { firstValid, provenBy } from "../times.ts";
import { isRefuted } from "../verdict.ts";
import type { ShownWording } from "../wording.ts";
import { type Sheet, timeOf } from "./model.ts";
import { code, definitions, node, type SheetElement, type SheetNode, value } from "./node.ts";

export function turnSection(sheet: Sheet, turn: ExaminedTurn): SheetElement {
  const { facts, hashes, picture } = sheet.text;
  const receipt: unknown = turn.evidence.receipts?.[0];
  const { event_inclusion_proof: event, cross_tenant_proof: cross } = turn.evidence.merkle_proof;
  const isClaim = isRefuted(turn);
  const rows = receipt === undefined ? [] : receiptRows(sheet, receipt, turn);
  return node(
    "div",
    { class: "turn" },
    receipt === undefined
      ? null
      : node("p", {}, node("strong", {}, facts.turn(cutText(textAt(receipt, "turn"))))),
    isClaim ? node("p", {}, facts.claimedNote) : null,
    definitions([
      ...rows,
      [facts.proven, isClaim ? facts.unproven : provenTime(sheet, turn)],
      [hashes.leaf_hash, code(event.leaf_hash)],
      [
        picture.unpublished,
        cross === null ? picture.pendingRoot : node("div", {}, `${cross.seal_index} `, code(cross.root)),
      ],
    ]),
  );
}

function receiptRows(sheet: Sheet, receipt: unknown, turn: ExaminedTurn): (readonly [string, SheetNode])[] {
  const { text } = sheet;
  const { facts } = text;
  const late = describeLateProof(text, turn);
  return [
    [text.hashes.event_id, code(cutText(textAt(receipt, "event_id")))],
    [
      facts.when,
      node(
        "div",
        {},
        timeOf(sheet, textAt(receipt, "issued_at")),
        node("small", {}, facts.ownClock),
        late === null ? null : node("small", {}, late),
      ),
    ],
    ...statedRows(sheet, receipt),
    [facts.method, value(describeMethod(text, receipt))],
    [facts.wording, wordingOf(sheet, receipt, turn.wording)],
    [
      facts.assessment,
      node(
        "div",
        {},
        value(describeAssessment(text, receipt)),
        ...describeRules(text, receipt, turn).map((rules) => node("small", {}, rules)),
      ),
    ],
    [text.sheet.layer, layerOf(receipt)],
    [facts.jurisdiction, value(describeLaw(text, receipt))],
  ];
}

const statedRows = (sheet: Sheet, receipt: unknown): (readonly [string, SheetNode])[] =>
  statedFields(sheet.text, receipt).map((stated) => {
    const shown = stated.isTime ? timeOf(sheet, stated.value) : value(cutText(stated.value));
    return [stated.label, node("div", {}, shown, node("small", {}, sheet.text.facts.callersWord))];
  });

function wordingOf({ text }: Sheet, receipt: unknown, wording: ShownWording | null): SheetElement {
  const digest = code(cutText(textAt(receipt, "disclosure", "subject_hash")));
  if (wording === null) return node("div", {}, text.facts.unknownWording, node("small", {}, digest));
  const { language, template } = wording;
  const name = node("small", {}, cutText(`${wording.id}, ${languageName(text.locale, language)}`));
  if (wording.text !== null) return node("div", {}, node("q", { lang: language }, wording.text), name);
  return node(
    "div",
    {},
    text.facts.ownWording(cutText(wording.approvedBy ?? "")),
    node("small", {}, digest),
    name,
    template?.text == null ? null : node("small", {}, text.facts.filled(cutText(template.id))),
    template?.text == null ? null : node("q", { lang: language }, template.text),
  );
}

/** The layer that the verdict is from: the version says which for people, the digest for programs. */
function layerOf(receipt: unknown): SheetElement {
  const of = (name: string): string => cutText(textAt(receipt, "policy", name));
  return node(
    "div",
    {},
    value(`${of("jurisdiction")} ${of("version")}`),
    node("small", {}, code(of("digest"))),
  );
}

/** Only a time that a token proves is shown as one. */
function provenTime(sheet: Sheet, turn: ExaminedTurn): SheetNode {
  const { text } = sheet;
  const now = sheet.checkedAt.toISOString();
  const time = firstValid(turn.times, now);
  if (time === undefined) return text.facts.unproven;
  const bracket = describeBracket(text, turn, now).map((sentence) => node("small", {}, sentence));
  const confirmed = node("small", {}, describeConfirmation(text, time, now));
  return node("div", {}, timeOf(sheet, provenBy(time)), confirmed, ...bracket);
}
