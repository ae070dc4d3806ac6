// The verdict on one piece: a sentence, what it rests on or what contradicts it, and what it does not say.
import { missingTurns, turnsOf } from "../../reader/conversation-pages.ts";
import type { BundleFile } from "../../reader/evidence.ts";
import type { Examination, ExaminedTurn, PlacedCheck } from "../../reader/examination.ts";
import { cutText, textAt } from "../../reader/text/format.ts";
import type { Text } from "../../reader/text/text.ts";
import { isInOrder } from "../../reader/wording.ts";
import { companionsOf, type EvidenceEntry } from "../checked.ts";
import { companionsView } from "./companions.ts";
import { button, type Child, el } from "./dom.ts";
import { icon, stateOfOutcome } from "./icon.ts";
import { meaningOf, nameOf } from "./meaning.ts";
import { anchorsFor, type View } from "./view.ts";

const MAX_LISTED = 5;
const MAX_PLACES = 6;

export function sentenceOf(text: Text, { evidence, verdict }: EvidenceEntry): string {
  const sentences = text.verdict[verdict.outcome];
  const turns = evidence.kind === "bundle" && isPartial(evidence) ? turnsOf(evidence) : null;
  // A part of a conversation, where it is known to be one, is never called the conversation.
  if (turns !== null) return sentences.turns(...turns);
  return sentences[wordOf(evidence.kind)];
}

const wordOf = (kind: Examination["kind"]): Exclude<Examination["kind"], "report"> =>
  kind === "report" ? "receipt" : kind;

function isPartial(page: BundleFile): boolean {
  const { before, from } = missingTurns(page);
  return before !== null || from !== null;
}

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
      el("p", {}, reasonOf(text, entry)),
      listOf(view),
      missingView(view),
      remarksView(view),
      entry.kind === "proof" ? el("p", { class: "remark" }, text.verdict.proofOnly) : null,
      isWeaklyAnchored(view) ? el("p", { class: "remark" }, text.verdict.weakAnchor) : null,
      ownFilesView(view),
      entry.kind === "seal" ? null : el("p", { class: "remark legal" }, text.verdict.legal),
      el("p", { class: "actions" }, button(text.verdict.print, onPrint)),
    ),
    companionsView(view),
  );
}

function missingView({ text, entry: { evidence } }: View): HTMLElement | null {
  if (evidence.kind !== "bundle" || !isPartial(evidence)) return null;
  const { before, from } = missingTurns(evidence);
  return el(
    "p",
    { class: "missing" },
    el("strong", {}, text.verdict.notAll),
    " ",
    text.verdict.missing(before, from),
  );
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

function reasonOf(text: Text, { verdict, kind }: EvidenceEntry): string {
  if (verdict.outcome === "holds") return text.verdict.reason[wordOf(kind)];
  if (verdict.outcome === "does_not_hold")
    return text.verdict.failedReason(verdict.failed.length, verdict.made);
  return text.verdict.openReason;
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
    el("strong", {}, nameOf(text, check)),
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

/** A timestamp that was believed on the word of the very service that gave the receipt. */
const isWeaklyAnchored = (view: View): boolean =>
  view.entry.verdict.outcome !== "does_not_hold" &&
  anchorsFor(view).some(({ source }) => source.kind === "service");

/**
 * The certificates, and the published roots that nobody was asked about, are as true as the place that the reader has them
 * from: whoever forges a receipt can forge these as well.
 */
function ownFilesView({ text, checked, entry }: View): HTMLElement | null {
  if (checked.isSample || entry.verdict.outcome === "does_not_hold") return null;
  const certificates = anchorsFor({ checked, entry }).flatMap(({ source }) =>
    source.kind === "reader" ? [source.name] : [],
  );
  const roots = companionsOf(checked.entries, entry).flatMap((other) =>
    other.kind === "seal" && isUncompared(other) ? other.files.map(({ name }) => name) : [],
  );
  const names = new Set([...certificates, ...roots].map((name) => name ?? text.intro.pasted));
  if (names.size === 0) return null;
  return el("p", { class: "remark" }, text.verdict.ownFiles(cutText([...names].join(", "))));
}

const isUncompared = ({ examination }: EvidenceEntry): boolean =>
  examination.seals.some(({ checks }) =>
    checks.some(({ name, ok }) => name === "published_root" && ok !== true),
  );
