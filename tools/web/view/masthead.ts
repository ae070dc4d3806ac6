// The head of a page: what it is, and in which language.
import { LANGUAGES, type Language } from "../../../evidence/reader/text/languages.ts";
import type { Text } from "../../../evidence/reader/text/text.ts";
import { button, el, svg } from "./dom.ts";

export function mastheadView(
  { wordmark, languageLabel }: Pick<Text, "wordmark" | "languageLabel">,
  language: Language,
  onLanguage: (chosen: Language) => void,
): HTMLElement {
  const buttons = Object.entries(LANGUAGES).map(([code, name]) =>
    button(name, () => onLanguage(code as Language), {
      lang: code,
      "aria-pressed": String(code === language),
    }),
  );
  return el(
    "div",
    { class: "masthead" },
    el("p", { class: "wordmark" }, logo(), wordmark),
    el("div", { class: "languages", role: "group", "aria-label": languageLabel }, ...buttons),
  );
}

/** Two leaves and their root. */
const logo = (): SVGElement =>
  svg(
    "svg",
    { viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { d: "M5 18 L12 6 L19 18" }),
    ...[
      [5, 18],
      [19, 18],
      [12, 6],
    ].map(([cx = 0, cy = 0]) => svg("circle", { cx, cy, r: 3 })),
  );
