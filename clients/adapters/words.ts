// A text as words, to be compared with what was heard. Nothing of it leaves the process.

/** The letters and digits of a text: what a voice or a transcript leaves of it does not depend on punctuation. */
export const wordsOf = (text: string): string =>
  text
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
