// A field for a text that the reader has: whether it is the one whose digest a receipt names is computed here.
import { isDisclosureError } from "../../core/errors.ts";
import type { Text } from "../../reader/text/text.ts";
import { isTextOf } from "../../reader/wording.ts";
import { button, el } from "./dom.ts";
import { icon } from "./icon.ts";

/** `digest` is what the receipt names, and `id` sets the field apart from that of another turn. */
export function compareField({ facts }: Text, digest: string, id: string): HTMLElement {
  const field = el("textarea", { id: `compare-${id}`, rows: 3, autocomplete: "off" });
  const answer = el("p", { class: "compared", role: "status" });
  const compare = button(facts.compareButton, () => {
    const isText = matches(field.value, digest);
    const words = isText ? facts.isText : facts.isNotText;
    answer.replaceChildren(icon(isText ? "holds" : "broken", ""), words);
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
function matches(text: string, digest: string): boolean {
  try {
    return [text, text.trim()].some((candidate) => isTextOf(candidate, digest));
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    return false;
  }
}
