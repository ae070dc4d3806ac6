// The verifier's words, by language.
import { de } from "./de.ts";
import { en } from "./en.ts";
import type { Language } from "./languages.ts";

export type Text = typeof en;

const TEXTS: Readonly<Record<Language, Text>> = { de, en };

export const textIn = (language: Language): Text => TEXTS[language];

/** The meaning of a label of the format in this language; a label that nobody knows stands for itself. */
export const termIn = (text: Text, label: string): string =>
  Object.hasOwn(text.terms, label) ? (text.terms[label] ?? label) : label;
