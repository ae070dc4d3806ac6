// A field for a text that the reader has: whether it is the one whose digest a receipt names is computed here.
import type { Text } from "../../../evidence/reader/text/text.ts";
import { isFilledFrom, isTextOf, type ShownWording } from "../../../evidence/reader/wording.ts";
import { button, el } from "./dom.ts";
import { icon } from "./icon.ts";

/** The digest that the receipt names, and what is known of the wording. */
export interface NamedWording {
  readonly digest: string;
  readonly wording: ShownWording | null;
}

/** `id` sets the field apart from that of another turn. */
export function compareField({ facts }: Text, attested: NamedWording, id: string): HTMLElement {
  const field = el("textarea", { id: `compare-${id}`, rows: 3, autocomplete: "off" });
  const answer = el("p", { class: "compared", role: "status" });
  const compare = button(facts.compareButton, () => {
    const [state, words] = compareWith(facts, attested, field.value);
    answer.replaceChildren(icon(state, ""), words);
  });
  return el(
    "details",
    { class: "compare screen" },
    el("summary", {}, facts.compare),
    el("label", { for: `compare-${id}` }, facts.compareLabel),
    field,
    compare,
    answer,
  );
}

/** White space around a copied text is mostly no part of it, but may be. */
function compareWith(
  facts: Text["facts"],
  { digest, wording }: NamedWording,
  text: string,
): readonly ["holds" | "open" | "broken", string] {
  if ([text, text.trim()].some((candidate) => isTextOf(candidate, digest))) return ["holds", facts.isText];
  if (wording?.text != null && isFilledFrom(text.trim(), wording.text))
    return ["open", facts.isFilled(wording.id)];
  return ["broken", facts.isNotText];
}
