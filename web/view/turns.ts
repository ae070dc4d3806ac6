// A bundle turn by turn, and the roots that it encloses; what is inside is built when it is opened.
import type { Seal } from "../../core/formats/metachain.ts";
import type { ExaminedSeal, Turn } from "../examine.ts";
import { summarize } from "../parts.ts";
import type { View } from "../sheet.ts";
import { type Text, termIn } from "../../reader/text/text.ts";
import { findWording, isInOrder } from "../../reader/wording.ts";
import { checksTable } from "./checks.ts";
import { definitions, el, section } from "./dom.ts";
import { assessment, turnFacts } from "./facts.ts";
import { bdi, hash, textAt, timeElement } from "./format.ts";
import { icon, stateOf } from "./icon.ts";
import { partsView } from "./parts.ts";
import { pathPicture } from "./path-picture.ts";

export function turnsView(view: View): HTMLElement {
  const { turns } = view.sheet.examination;
  const items = turns.map((turn, i) => el("li", {}, turnView(view, turn, i)));
  return section("turns", view.text.timeline.turns, el("ol", { class: "folded" }, ...items));
}

function turnView(view: View, turn: Turn, index: number): HTMLElement {
  const { text } = view;
  const [receipt] = turn.evidence.receipts ?? [];
  const state = stateOf(turn.follows === false ? false : summarize(turn.checks));
  const wording = findWording(textAt(receipt, "disclosure", "subject_hash"))?.wording;
  const summary = el(
    "summary",
    {},
    icon(text, state),
    el("strong", {}, bdi(text.verdict.inTurn(textAt(receipt, "turn")))),
    bdi(termIn(text, textAt(receipt, "disclosure", "disclosure_method"))),
    timeElement(text, textAt(receipt, "issued_at")),
    wording ? el("q", { lang: wording.language }, wording.text) : null,
    // A turn that holds is green, whatever was said at it.
    receipt === undefined || isInOrder(receipt)
      ? null
      : el("small", { class: "remarked" }, assessment(text, receipt)),
  );
  return unfolding(`turn-${index}`, `is-${state}`, summary, () => turnBody(view, turn, index));
}

function turnBody(view: View, turn: Turn, index: number): HTMLElement {
  return el(
    "div",
    { class: "unfolded" },
    turnFacts(view, turn),
    el(
      "div",
      { class: "proof" },
      pathPicture(view, turn, String(index)),
      partsView(view, turn, String(index)),
    ),
    checksTable(view, turn.checks, turn),
  );
}

export function rootsView(view: View): HTMLElement | null {
  const { text, sheet } = view;
  const { seals } = sheet.examination;
  if (seals.length === 0) return null;
  const items = seals.map((seal, i) => el("li", {}, rootView(view, seal, i)));
  const lead = el("p", {}, text.timeline.rootsLead);
  return section("roots", text.timeline.roots, lead, el("ol", { class: "folded" }, ...items));
}

function rootView(view: View, { seal, checks }: ExaminedSeal, index: number): HTMLElement {
  const { text } = view;
  const state = stateOf(summarize(checks));
  const name = el("strong", {}, text.verdict.inRoot(String(seal.index)));
  const summary = el("summary", {}, icon(text, state), name, timeElement(text, seal.sealed_at));
  return unfolding(`root-${index}`, `is-${state}`, summary, () => {
    return el("div", { class: "unfolded" }, rootFacts(text, seal, "hashes"), checksTable(view, checks));
  });
}

/** What a published root says of itself. */
export const rootFacts = (text: Text, seal: Seal, name: string): HTMLElement =>
  definitions(
    [
      [text.hashes.seal_index, hash(String(seal.index))],
      [text.hashes.root, hash(seal.merkle_root)],
      [text.hashes.tree_size, hash(String(seal.tree_size))],
      [text.hashes.sealed_at, timeElement(text, seal.sealed_at)],
      [text.hashes.receipt_count, hash(String(seal.receipt_count))],
    ],
    name,
  );

/** Five hundred turns would be a hundred thousand elements. */
function unfolding(id: string, name: string, summary: HTMLElement, build: () => HTMLElement): HTMLElement {
  const details = el("details", { id, class: name }, summary);
  details.addEventListener("toggle", () => details.append(build()), { once: true });
  return details;
}
