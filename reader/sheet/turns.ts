// One receipt on the evidence sheet: its number, its leaf hash, the notice that it records, and its times.
import { isValidAt } from "../../core/timestamps/proven-time.ts";
import type { ExaminedTurn } from "../examination.ts";
import { describeBracket } from "../text/bracket.ts";
import { commonName, countryName, cutText, languageName, textAt } from "../text/format.ts";
import { statedFields } from "../text/stated.ts";
import { termIn } from "../text/text.ts";
import { firstValid } from "../times.ts";
import { isRefuted } from "../verdict.ts";
import type { ShownWording } from "../wording.ts";
import { type Sheet, timeOf } from "./model.ts";
import { code, definitions, node, type SheetElement, type SheetNode, value } from "./node.ts";

export function turnSection(sheet: Sheet, turn: ExaminedTurn): SheetElement {
  const { words } = sheet;
  const receipt: unknown = turn.evidence.receipts?.[0];
  const { event_inclusion_proof: event, cross_tenant_proof: cross } = turn.evidence.merkle_proof;
  const isClaim = isRefuted(turn);
  const rows = receipt === undefined ? [] : receiptRows(sheet, receipt, turn);
  return node(
    "div",
    { class: "turn" },
    receipt === undefined
      ? null
      : node("p", {}, node("strong", {}, words.turn(cutText(textAt(receipt, "turn"))))),
    isClaim ? node("p", {}, words.claimed) : null,
    definitions([
      ...rows,
      [words.proven, isClaim ? words.unproven : provenTime(sheet, turn)],
      [words.leafHash, code(event.leaf_hash)],
      [
        words.root,
        cross === null ? words.pendingRoot : node("div", {}, `${cross.seal_index} `, code(cross.root)),
      ],
    ]),
  );
}

function receiptRows(
  sheet: Sheet,
  receipt: unknown,
  { wording }: ExaminedTurn,
): (readonly [string, SheetNode])[] {
  const { words, text } = sheet;
  const term = (...path: readonly string[]): string => cutText(termIn(text, textAt(receipt, ...path)));
  const country = countryName(text.locale, textAt(receipt, "disclosure", "jurisdiction"));
  const clause = cutText(textAt(receipt, "disclosure", "article_50_clause"));
  return [
    [words.number, code(cutText(textAt(receipt, "event_id")))],
    [
      words.recorded,
      node("div", {}, timeOf(sheet, textAt(receipt, "issued_at")), node("small", {}, words.ownClock)),
    ],
    ...statedRows(sheet, receipt),
    [words.how, value(`${term("disclosure", "disclosure_method")}, ${term("disclosure", "modality")}`)],
    [words.wording, wordingOf(sheet, receipt, wording)],
    [words.assessment, value([term("verdict"), ...findingsOf(sheet, receipt)].join("; "))],
    [words.layer, layerOf(receipt)],
    [words.law, value(text.facts.law(clause, country))],
  ];
}

const statedRows = (sheet: Sheet, receipt: unknown): (readonly [string, SheetNode])[] =>
  statedFields(sheet.text, receipt).map((stated) => {
    const shown = stated.isTime ? timeOf(sheet, stated.value) : value(cutText(stated.value));
    return [stated.label, node("div", {}, shown, node("small", {}, sheet.text.facts.callersWord))];
  });

function wordingOf({ words, text }: Sheet, receipt: unknown, wording: ShownWording | null): SheetElement {
  const digest = code(cutText(textAt(receipt, "disclosure", "subject_hash")));
  if (wording === null) return node("div", {}, words.unknownWording, node("small", {}, digest));
  const { language, template } = wording;
  const name = node("small", {}, cutText(`${wording.id}, ${languageName(text.locale, language)}`));
  if (wording.text !== null) return node("div", {}, node("q", { lang: language }, wording.text), name);
  return node(
    "div",
    {},
    words.ownWording(cutText(wording.approvedBy ?? "")),
    node("small", {}, digest),
    name,
    template?.text == null ? null : node("small", {}, words.filled(cutText(template.id))),
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

function findingsOf({ text }: Sheet, receipt: unknown): string[] {
  const { findings } = (receipt as { policy?: { findings?: unknown } }).policy ?? {};
  if (!Array.isArray(findings)) return [];
  return findings.filter((name) => typeof name === "string").map((name) => cutText(termIn(text, name)));
}

/** Only a time that a token proves is shown as one. */
function provenTime(sheet: Sheet, turn: ExaminedTurn): SheetNode {
  const { words, checkedAt } = sheet;
  const now = checkedAt.toISOString();
  const time = firstValid(turn.times, now);
  if (time === undefined) return words.unproven;
  const bracket = describeBracket(sheet.text, turn, now).map((sentence) => node("small", {}, sentence));
  const authority = commonName(time.authority.subject);
  const confirmed = isValidAt(time, now)
    ? words.confirmed(authority)
    : sheet.text.facts.signedOnce(authority, time.validUntil);
  return node("div", {}, timeOf(sheet, time.genTime), node("small", {}, confirmed), ...bracket);
}
