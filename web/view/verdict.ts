// The verdict: one sentence, and under it what it rests on or what contradicts it.
import { missingTurns, type Page, turnsOf } from "../../reader/conversation-pages.ts";
import type { Turn } from "../examine.ts";
import { newestStamp, type Sheet, type View } from "../sheet.ts";
import type { Text } from "../../reader/text/text.ts";
import type { Outcome, PlacedCheck } from "../../reader/verdict.ts";
import { isInOrder } from "../../reader/wording.ts";
import { el } from "./dom.ts";
import { textAt } from "./format.ts";
import { icon, type State } from "./icon.ts";
import { meaningOf, nameOf } from "./meaning.ts";

const MAX_LISTED = 5;
const MAX_PLACES = 6;
const STATES: Readonly<Record<Outcome, State>> = { holds: "holds", partly: "open", broken: "broken" };

export function sentenceOf(text: Text, { subject, verdict, examination }: Sheet): string {
  const turns = subject.kind === "bundle" && isPartial(subject) ? turnsOf(subject) : null;
  if (turns === null) return text.verdict[verdict.outcome][examination.kind];
  // What is checked is never called the conversation where it is known to be a part of it.
  return text.verdict[verdict.outcome].turns(...turns);
}

function isPartial(page: Page): boolean {
  const { before, from } = missingTurns(page);
  return before !== null || from !== null;
}

function missingView({ text, sheet: { subject } }: View): HTMLElement | null {
  if (subject.kind !== "bundle" || !isPartial(subject)) return null;
  const { before, from } = missingTurns(subject);
  return el(
    "p",
    { class: "missing" },
    el("strong", {}, text.verdict.notAll),
    " ",
    text.verdict.missing(before, from),
  );
}

/** That a record holds is easily read as that what it records was in order. */
function remarksView({ text, sheet: { verdict, examination } }: View): HTMLElement | null {
  const receipts = examination.turns.flatMap(({ evidence }) => evidence.receipts ?? []);
  const remarked = receipts.filter((receipt) => !isInOrder(receipt));
  if (verdict.outcome === "broken" || remarked.length === 0) return null;
  return el("p", { class: "caveat" }, text.verdict.remarks(remarked.length, receipts.length));
}

export function verdictView(view: View): HTMLElement {
  const { text, sheet } = view;
  const { outcome } = sheet.verdict;
  return el(
    "section",
    { class: `verdict is-${STATES[outcome]}`, "aria-labelledby": "verdict-heading" },
    icon(text, STATES[outcome]),
    el(
      "div",
      {},
      el("h2", { id: "verdict-heading", tabindex: -1 }, sentenceOf(text, sheet)),
      el("p", {}, reasonOf(view)),
      listOf(view),
      missingView(view),
      remarksView(view),
      sheet.examination.kind === "proof" ? el("p", { class: "remark" }, text.verdict.proofOnly) : null,
      isWeaklyAnchored(sheet) ? el("p", { class: "remark" }, text.verdict.weakAnchor) : null,
    ),
  );
}

function reasonOf({ text, sheet: { verdict, examination } }: View): string {
  if (verdict.outcome === "holds") return text.verdict.holdsReason[examination.kind];
  if (verdict.outcome === "broken") return text.verdict.brokenReason(verdict.failed.length, verdict.made);
  return text.verdict.partlyReason;
}

function listOf(view: View): HTMLElement | null {
  const { text, sheet } = view;
  const { failed, open } = sheet.verdict;
  const listed = failed.length > 0 ? failed : open;
  if (listed.length === 0) return null;
  // One bad certificate fails five hundred turns: it must not push out of sight what else is wrong.
  const names = [...new Set(listed.map(({ name }) => name))];
  const items = names.slice(0, MAX_LISTED).map((name) =>
    itemOf(
      view,
      listed.filter((check) => check.name === name),
    ),
  );
  const rest = names.length - items.length;
  return el("ul", {}, ...items, rest > 0 ? el("li", {}, text.verdict.more(rest)) : null);
}

/** All checks of one name, with the places that they are about. */
function itemOf({ text, sheet }: View, checks: readonly PlacedCheck[]): HTMLElement | null {
  const [check] = checks;
  if (check === undefined) return null;
  const places = checks.map(({ place }) => placeName(text, sheet, place)).filter((place) => place !== "");
  const more = places.length - MAX_PLACES;
  const shown = [...places.slice(0, MAX_PLACES), ...(more > 0 ? [text.verdict.more(more)] : [])];
  const meaning = meaningOf(text, check, sheet, turnAt(sheet, check.place));
  return el(
    "li",
    {},
    el("strong", {}, nameOf(text, check)),
    `: ${meaning}`,
    shown.length > 0 ? el("small", {}, shown.join(", ")) : null,
  );
}

function turnAt({ examination }: Sheet, place: string): Turn | undefined {
  const [list, index] = place.split("/");
  return list === "receipts" ? examination.turns[Number(index)] : undefined;
}

/** `receipts/1` as the reader counts: by turn. */
function placeName(text: Text, { examination }: Sheet, place: string): string {
  const [list, index = "0"] = place.split("/");
  if (examination.kind !== "bundle" || list === undefined || list === "") return "";
  if (list === "seals") return text.verdict.inRoot(textAt(examination.seals[Number(index)]?.seal, "index"));
  return text.verdict.inTurn(textAt(examination.turns[Number(index)]?.evidence.receipts?.[0], "turn"));
}

/** A timestamp that was believed on the word of the very service whose receipt it is. */
function isWeaklyAnchored(sheet: Sheet): boolean {
  if (sheet.verdict.outcome === "broken" || sheet.anchors?.source.kind !== "service") return false;
  return newestStamp(sheet.examination)?.authority != null;
}
