// The verdict on one piece: a sentence, what it rests on or what contradicts it, and what it does not say.
import type { PlacedCheck } from "../../../evidence/core/verify/check.ts";
import type { Examination, ExaminedTurn } from "../../../evidence/reader/examination.ts";
import { describeSummary } from "../../../evidence/reader/text/describe-summary.ts";
import { cutText, textAt } from "../../../evidence/reader/text/format.ts";
import { describeMissing, reasonOn, sentenceOn } from "../../../evidence/reader/text/sentence.ts";
import type { Text } from "../../../evidence/reader/text/text.ts";
import { isInOrder } from "../../../evidence/reader/wording.ts";
import type { EvidenceEntry } from "../checked.ts";
import { caveatsOf } from "./caveats.ts";
import { companionsView } from "./companions.ts";
import { button, type Child, el } from "./dom.ts";
import { icon, stateOfOutcome } from "./icon.ts";
import { meaningOf } from "./meaning.ts";
import type { View } from "./view.ts";

const MAX_LISTED = 5;
const MAX_PLACES = 6;

export const sentenceOf = (text: Text, { evidence, verdict }: EvidenceEntry): string =>
  sentenceOn(text, evidence, verdict);

export function verdictView(view: View, onPrint: () => void): HTMLElement {
  const { text, entry } = view;
  const state = stateOfOutcome(entry.verdict.outcome);
  return el(
    "section",
    { class: `verdict is-${state}`, "aria-labelledby": "verdict-heading" },
    icon(state, text.state[state]),
    el(
      "div",
      {},
      el("h2", { id: "verdict-heading", tabindex: -1 }, sentenceOf(text, entry)),
      el("p", {}, reasonOn(text, entry.evidence, entry.verdict)),
      listOf(view),
      missingView(view),
      remarksView(view),
      entry.kind === "proof" ? el("p", { class: "remark" }, text.verdict.proofOnly) : null,
      ...caveatsOf(view).map((caveat) => el("p", { class: "remark" }, caveat)),
      entry.kind === "seal" ? null : el("p", { class: "remark legal" }, text.verdict.legal),
      el("p", { class: "actions" }, button(text.verdict.print, onPrint)),
    ),
    companionsView(view),
  );
}

/** Turns that are not here: those that the file itself names, or else those that its links show. */
function missingView({ text, checked: { summary }, entry: { evidence, files } }: View): HTMLElement | null {
  const names = files.map(({ name }) => name);
  const ofLinks = summary.missingTurns.filter(({ last }) => names.includes(last.file));
  const [shown = null] = describeSummary(text, { ...summary, missingTurns: ofLinks }).missing;
  const missing = describeMissing(text, evidence) ?? shown;
  if (missing === null) return null;
  return el("p", { class: "missing" }, el("strong", {}, text.verdict.notAll), " ", missing);
}

/** That a record holds is easily read as that what it records was in order. */
function remarksView({ text, entry: { verdict, examination } }: View): HTMLElement | null {
  const turns = examination.turns.filter(({ evidence }) => evidence.receipts !== undefined);
  const remarked = turns.filter(({ evidence }) => evidence.receipts?.every(isInOrder) === false);
  if (verdict.outcome === "does_not_hold" || remarked.length === 0) return null;
  const links = turns.length === 1 ? [] : remarkLinks(text, examination, remarked);
  return el("p", { class: "caveat" }, text.verdict.remarks(remarked.length, turns.length), ...links);
}

function remarkLinks(
  text: Text,
  { turns }: Examination,
  remarked: readonly ExaminedTurn[],
): readonly Child[] {
  const links = remarked.slice(0, MAX_PLACES).flatMap((turn, i) => {
    const name = text.verdict.inTurn(cutText(textAt(turn.evidence.receipts?.[0], "turn")));
    return [i === 0 ? " " : ", ", el("a", { href: `#turn-${turns.indexOf(turn)}` }, name)];
  });
  const more = remarked.length - MAX_PLACES;
  return [...links, more > 0 ? ` ${text.verdict.more(more)}` : "."];
}

function listOf(view: View): HTMLElement | null {
  const { failed, open } = view.entry.verdict;
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
  return el("ul", {}, ...items, rest > 0 ? el("li", {}, view.text.verdict.more(rest)) : null);
}

/** All checks of one name, with the places that they are about. */
function itemOf(view: View, checks: readonly PlacedCheck[]): HTMLElement | null {
  const { text, entry } = view;
  const [check] = checks;
  if (check === undefined) return null;
  const places = checks.flatMap(({ place }) => placeName(text, entry, place) ?? []);
  const more = places.length - MAX_PLACES;
  const shown = [...places.slice(0, MAX_PLACES), ...(more > 0 ? [text.verdict.more(more)] : [])];
  return el(
    "li",
    {},
    el("strong", {}, text.checkTexts[check.name].name),
    `: ${meaningOf(view, check, turnAt(entry, check.place))}`,
    shown.length > 0 ? el("small", {}, shown.join(", ")) : null,
  );
}

/** The turn that a check is about; a lone receipt is the whole. */
function turnAt({ examination }: EvidenceEntry, place: string): ExaminedTurn | undefined {
  const [list, index] = place.split("/");
  if (list === "receipts") return examination.turns[Number(index)];
  return examination.kind === "bundle" ? undefined : examination.turns[0];
}

/** `receipts/1` as the reader counts, by turn; null for a check of the whole. */
function placeName(text: Text, { examination }: EvidenceEntry, place: string): string | null {
  const [list, index = "0"] = place.split("/");
  if (list === "seals") return text.verdict.inRoot(textAt(examination.seals[Number(index)]?.seal, "index"));
  if (list !== "receipts") return null;
  const [receipt] = examination.turns[Number(index)]?.evidence.receipts ?? [];
  return text.verdict.inTurn(cutText(textAt(receipt, "turn")));
}
