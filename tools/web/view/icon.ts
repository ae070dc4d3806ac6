// The states of anything that was checked: each has its own shape, so that none depends on colour.
import type { Text } from "../../../evidence/reader/text/text.ts";
import type { Outcome } from "../../../evidence/reader/verdict.ts";
import { el, svg } from "./dom.ts";

export type State = "holds" | "open" | "broken" | "aside";

export const stateOf = (ok: boolean | null): State => (ok === null ? "open" : ok ? "holds" : "broken");

const OUTCOME_STATES: Readonly<Record<Outcome, State>> = {
  holds: "holds",
  holds_so_far: "open",
  does_not_hold: "broken",
  unreadable: "broken",
};

export const stateOfOutcome = (outcome: Outcome): State => OUTCOME_STATES[outcome];

/** The mark of an outcome. What can't be read has the mark of what does not hold, and never its name. */
export const outcomeIcon = ({ state, overview }: Text, outcome: Outcome): HTMLElement =>
  icon(
    stateOfOutcome(outcome),
    outcome === "unreadable" ? overview.state.unreadable : state[stateOfOutcome(outcome)],
  );

const MARKS: Readonly<Record<State, string>> = {
  holds: "M-4.6 0.4 L-1.4 3.6 L4.8 -3.6",
  open: "M-4 0 H4",
  aside: "M-4 0 H4",
  broken: "M-3.6 -3.6 L3.6 3.6 M3.6 -3.6 L-3.6 3.6",
};

/** A disc of radius 10 around the origin, for pictures. */
export const disc = (state: State): SVGElement =>
  svg(
    "g",
    { class: `disc is-${state}` },
    svg("circle", { r: 10 }),
    svg("path", { d: MARKS[state], "stroke-linecap": "round", "stroke-linejoin": "round" }),
  );

/** `label` is for those who don't see it. */
export const icon = (state: State, label: string): HTMLElement => labelled(disc(state), label);

/** A turn can be sound and its link broken, or be recorded with remarks: these signs are put next to its state. */
const SIGNS = {
  unlinked: "M-9 0 H-4 M4 0 H9 M-3 -6 L3 6 M3 -6 L-3 6",
  remarked: "M0 -5 V1 M0 4.9 V5.1",
} as const;

export type Sign = keyof typeof SIGNS;

/** Around the origin, for pictures. */
export const signMark = (sign: Sign): SVGElement =>
  svg(
    "g",
    { class: `sign is-${sign}` },
    sign === "remarked" ? svg("circle", { r: 9 }) : svg("g"),
    svg("path", { d: SIGNS[sign], "stroke-linecap": "round" }),
  );

export const signIcon = (sign: Sign, label: string): HTMLElement => labelled(signMark(sign), label);

function labelled(mark: SVGElement, label: string): HTMLElement {
  const picture = svg("svg", { viewBox: "-11 -11 22 22", "aria-hidden": "true", class: "icon" }, mark);
  return el("span", { class: "state", title: label }, picture, el("span", { class: "unseen" }, label));
}
