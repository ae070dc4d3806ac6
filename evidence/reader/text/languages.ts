// The languages of the pages, and the one that suits the reader.

export const LANGUAGES = { de: "Deutsch", en: "English" } as const;
export type Language = keyof typeof LANGUAGES;

/** The first of the reader's languages (BCP 47) that the pages have; English otherwise. */
export function chooseLanguage(wanted: readonly string[]): Language {
  const known = wanted.map((tag) => tag.slice(0, 2).toLowerCase());
  return known.find((tag): tag is Language => Object.hasOwn(LANGUAGES, tag)) ?? "en";
}
