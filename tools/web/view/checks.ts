// Every check with its outcome and its meaning, as a table.
import type { Check } from "../../../evidence/core/verify/check.ts";
import type { ExaminedTurn } from "../../../evidence/reader/examination.ts";
import { el } from "./dom.ts";
import { icon } from "./icon.ts";
import { meaningOf, stateOfCheck } from "./meaning.ts";
import type { View } from "./view.ts";

/** `turn` is the one that the checks are about, if they are about one. */
export function checksTable(view: View, checks: readonly Check[], turn?: ExaminedTurn): HTMLElement {
  const { result, check, reason } = view.text.checks.columns;
  const head = [result, check, reason].map((name) => el("th", { scope: "col" }, name));
  return el(
    "table",
    { class: "checks" },
    el("thead", { class: "unseen" }, el("tr", {}, ...head)),
    el("tbody", {}, ...checks.map((each) => row(view, each, turn))),
  );
}

function row(view: View, check: Check, turn: ExaminedTurn | undefined): HTMLElement {
  const { text } = view;
  const state = stateOfCheck(check, turn);
  const reason = el("span", { lang: "en" }, `${check.name}: ${check.detail}`);
  return el(
    "tr",
    { class: `is-${state}` },
    el("td", {}, icon(state, text.state[state])),
    el("th", { scope: "row" }, text.checkTexts[check.name].name),
    el(
      "td",
      {},
      meaningOf(view, check, turn),
      state === "broken" ? el("small", {}, `${text.checks.detail}: `, reason) : null,
    ),
  );
}
