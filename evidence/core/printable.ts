// Text from strangers made safe to show: a terminal obeys escape sequences, and bidirectional controls reorder lines.

/** Longer than any field that an honest file holds. */
const MAX_PRINTED = 2_000;
/** Controls, format characters (bidirectional ones among them), surrogates, private use, unassigned, line ends. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;
const UNPRINTABLE_BUT_NEWLINE = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/** One line. A character that can't be printed becomes `\u{1b}`; a text that is too long is cut, with a note by how much. */
export function printable(text: string): string {
  const cut = escapeUnprintable(text.slice(0, MAX_PRINTED));
  return text.length > MAX_PRINTED ? `${cut}… (${text.length - MAX_PRINTED} characters more)` : cut;
}

/** The same of any length. */
export const escapeUnprintable = (text: string): string => text.replaceAll(UNPRINTABLE, escapeCodePoint);

/** JSON with escapes for all unprintable characters: JSON itself allows C1 and bidirectional controls. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(UNPRINTABLE_BUT_NEWLINE, escapeUtf16);

const escapeCodePoint = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

const escapeUtf16 = (character: string): string =>
  Array.from({ length: character.length }, (_, i) => character.charCodeAt(i))
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("");
