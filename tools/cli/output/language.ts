// The language of what a command writes for people.
import { LANGUAGES, type Language } from "../../../evidence/reader/text/languages.ts";
import { UsageError } from "../command.ts";

const DEFAULT: Language = "en";

/** `name` is the value of `--lang`. Throws `UsageError` for a language that there is not. */
export function languageOf(name: string = DEFAULT): Language {
  const known = Object.keys(LANGUAGES).find((language): language is Language => language === name);
  if (known !== undefined) return known;
  throw new UsageError(`--lang is ${Object.keys(LANGUAGES).join(" or ")}, not ${name}`);
}
