// The languages of the page, and the one that suits the reader.
import { de } from "./de.ts";
import { en } from "./en.ts";

export type Text = typeof en;

export const LANGUAGES = { de: "Deutsch", en: "English" } as const;
export type Language = keyof typeof LANGUAGES;

const TEXTS: Readonly<Record<Language, Text>> = { de, en };

export const textIn = (language: Language): Text => TEXTS[language];

/** The first of the reader's languages (BCP 47) that the page has; English otherwise. */
export function chooseLanguage(wanted: readonly string[]): Language {
  const known = wanted.map((tag) => tag.slice(0, 2).toLowerCase());
  return known.find((tag): tag is Language => Object.hasOwn(TEXTS, tag)) ?? "en";
}

/** The meaning of a label of the format in this language; a label that nobody knows stands for itself. */
export const termIn = (text: Text, label: string): string =>
  Object.hasOwn(text.terms, label) ? (text.terms[label] ?? label) : label;
