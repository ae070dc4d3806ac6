// The states of anything that was checked: each has its own shape, so that none depends on colour.
import type { Text } from "../../reader/text/text.ts";
import { el, svg } from "./dom.ts";

export type State = "holds" | "open" | "broken" | "aside";

export const stateOf = (ok: boolean | null): State => (ok === null ? "open" : ok ? "holds" : "broken");

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

/** With a text for those who don't see it. */
export function icon(text: Text, state: State): HTMLElement {
  const picture = svg("svg", { viewBox: "-11 -11 22 22", "aria-hidden": "true", class: "icon" }, disc(state));
  return el("span", { class: "state" }, picture, el("span", { class: "unseen" }, text.state[state]));
}
