// Named gaps in the text of a wording, such as {operator}. A text with a gap is attested by its own digest, the gap
// unfilled; only {operator} may be filled, once, by whoever the agent speaks for. See docs/policy-layer.md.
import { DisclosureError } from "../errors.ts";

/** The one on whose behalf the agent speaks. */
export const OPERATOR_GAP = "operator";

/** Braces would be gaps; controls and lone surrogates are in no name. */
const UNFIT_FOR_A_NAME = /[{}\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;
const GAP_MARK = /\{[a-z][a-z0-9_]{0,31}\}/;
const GAP = /\{([a-z][a-z0-9_]{0,31})\}/g;

/** The names of the gaps, each once, in the order of the text. */
export const gapsOf = (text: string): string[] => [
  ...new Set([...text.matchAll(GAP)].map(([, name = ""]) => name)),
];

/** True if every brace of the text belongs to a gap. */
export const hasOnlyGaps = (text: string): boolean => !/[{}]/.test(text.replaceAll(GAP, ""));

/**
 * The text with its gap {operator} filled, as the one for whom the agent speaks registers it. Throws `invalid_request`
 * where the text has no such gap, has a gap that must stay unfilled, or where the name can't be filled in.
 */
export function fillOperator(text: string, operator: string): string {
  const others = gapsOf(text).filter((name) => name !== OPERATOR_GAP);
  if (others.length > 0) {
    const names = others.map((name) => `{${name}}`).join(", ");
    throw new DisclosureError(
      "invalid_request",
      `${names} is never filled: attest the digest of the text with the gap unfilled`,
    );
  }
  if (!gapsOf(text).includes(OPERATOR_GAP))
    throw new DisclosureError("invalid_request", `the text has no gap {${OPERATOR_GAP}}`);
  if (operator.trim() === "" || UNFIT_FOR_A_NAME.test(operator))
    throw new DisclosureError("invalid_request", "the name must not be empty, or have braces or line breaks");
  // A function: in a text, replaceAll would take "$&" in a name for the gap.
  return text.replaceAll(`{${OPERATOR_GAP}}`, () => operator.trim()).normalize("NFC");
}

/** True if the text is the template with something in each of its gaps. A template without gaps fits no text. */
export function fitsGaps(text: string, template: string): boolean {
  const [first = "", ...pieces] = template.split(GAP_MARK);
  const last = pieces.pop();
  if (last === undefined || !text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of pieces) {
    // The leftmost place leaves the most room for what follows; a gap has one character at least.
    const found = text.indexOf(piece, at + 1);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.endsWith(last) && text.length - last.length > at;
}
