// A conversation turn by turn, and the roots that its file encloses; what is inside is built when it is opened.
import type { ExaminedSeal, ExaminedTurn } from "../../../evidence/reader/examination.ts";
import { commonName, textAt } from "../../../evidence/reader/text/format.ts";
import { type Text, termIn } from "../../../evidence/reader/text/text.ts";
import { isInOrder } from "../../../evidence/reader/wording.ts";
import { summarize } from "../stations.ts";
import { checksTable } from "./checks.ts";
import { type Child, definitions, el, section } from "./dom.ts";
import { assessment, turnFacts } from "./facts.ts";
import { bdi, hash, timeElement } from "./format.ts";
import { icon, signIcon, stateOf } from "./icon.ts";
import { pathPicture } from "./path-picture.ts";
import { stationsView } from "./stations.ts";
import type { View } from "./view.ts";

export function turnsView(view: View): HTMLElement {
  const { turns } = view.entry.examination;
  const items = turns.map((turn, i) => el("li", {}, turnView(view, turn, i)));
  return section("turns", view.text.timeline.turns, el("ol", { class: "folded" }, ...items));
}

function turnView(view: View, turn: ExaminedTurn, index: number): HTMLElement {
  const { text } = view;
  const [receipt] = turn.evidence.receipts ?? [];
  const state = stateOf(summarize(turn.checks));
  const summary = el(
    "summary",
    {},
    icon(state, text.state[state]),
    el("strong", {}, bdi(text.verdict.inTurn(textAt(receipt, "turn")))),
    ...signs(text, turn),
    bdi(termIn(text, textAt(receipt, "disclosure", "disclosure_method"))),
    timeElement(text, textAt(receipt, "issued_at")),
    quote(turn.wording),
    ...troubles(text, turn, receipt),
  );
  return unfolding(`turn-${index}`, `is-${state}`, summary, () => turnBody(view, turn, index));
}

const quote = (wording: ExaminedTurn["wording"]): Child =>
  wording?.text == null ? null : el("q", { lang: wording.language }, wording.text);

const isRemarked = ({ evidence }: ExaminedTurn): boolean => evidence.receipts?.every(isInOrder) === false;

/** The same signs as in the picture: a receipt can be sound and its link broken, or its notice be remarked on. */
const signs = ({ timeline }: Text, turn: ExaminedTurn): readonly Child[] => [
  turn.follows === false ? signIcon("unlinked", timeline.unlinked) : null,
  isRemarked(turn) ? signIcon("remarked", timeline.remarked) : null,
];

const troubles = (text: Text, turn: ExaminedTurn, receipt: unknown): readonly Child[] => [
  turn.follows === false ? el("small", { class: "unlinked" }, text.timeline.unlinked) : null,
  isRemarked(turn) ? el("small", { class: "remarked" }, assessment(text, receipt)) : null,
];

function turnBody(view: View, turn: ExaminedTurn, index: number): HTMLElement {
  const id = String(index);
  return el(
    "div",
    { class: "unfolded" },
    turnFacts(view, turn, id),
    el("div", { class: "proof" }, pathPicture(view, turn, id), stationsView(view, turn, id)),
    checksTable(view, turn.checks, turn),
  );
}

export function rootsView(view: View): HTMLElement | null {
  const { text, entry } = view;
  const { seals } = entry.examination;
  if (seals.length === 0) return null;
  const items = seals.map((seal, i) => el("li", {}, rootView(view, seal, i)));
  const lead = el("p", {}, text.timeline.rootsLead);
  return section("roots", text.timeline.roots, lead, el("ol", { class: "folded" }, ...items));
}

function rootView(view: View, examined: ExaminedSeal, index: number): HTMLElement {
  const { text } = view;
  const { seal, checks } = examined;
  const state = stateOf(summarize(checks));
  const name = el("strong", {}, text.verdict.inRoot(String(seal.index)));
  const summary = el("summary", {}, icon(state, text.state[state]), name, timeElement(text, seal.sealed_at));
  return unfolding(`root-${index}`, `is-${state}`, summary, () => {
    return el("div", { class: "unfolded" }, rootFacts(view, examined, "hashes"), checksTable(view, checks));
  });
}

/** A published root's own statements, and the time of its timestamp. */
export const rootFacts = (view: View, examined: ExaminedSeal, name: string): HTMLElement => {
  const { text } = view;
  const { seal } = examined;
  return definitions(
    [
      [text.hashes.seal_index, hash(String(seal.index))],
      [text.hashes.root, hash(seal.merkle_root)],
      [text.hashes.tree_size, hash(String(seal.tree_size))],
      [text.hashes.sealed_at, timeElement(text, seal.sealed_at)],
      tokenRow(view, examined),
      [text.hashes.receipt_count, hash(String(seal.receipt_count))],
    ],
    name,
  );
};

/** No time is shown for a token that does not hold. */
function tokenRow(view: View, { checks, tokenTime }: ExaminedSeal): readonly [string, Child] {
  const { hashes, facts } = view.text;
  const ok = checks.find(({ name }) => name === "timestamp")?.ok;
  if (tokenTime === null || ok === false || ok === undefined) return [hashes.signedAt, null];
  const time = timeElement(view.text, tokenTime.genTime);
  if (ok === null || tokenTime.authority === null) return [hashes.statedTime, time];
  const by = bdi(facts.signed(commonName(tokenTime.authority)));
  return [hashes.signedAt, el("span", {}, time, el("small", {}, by))];
}

/** Builds the content when it is unfolded: five hundred turns would be a hundred thousand elements. */
function unfolding(id: string, name: string, summary: HTMLElement, build: () => HTMLElement): HTMLElement {
  const details = el("details", { id, class: name }, summary);
  details.addEventListener("toggle", () => details.append(build()), { once: true });
  return details;
}
