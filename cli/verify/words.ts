// The words of `verify` in the reader's language: those that the page has too, and those of the short report.

import { summaryDe } from "../../reader/text/summary-de.ts";
import { type SummaryText, summaryEn } from "../../reader/text/summary-en.ts";
import { type Language, type Text, textIn } from "../../reader/text/text.ts";
import { languageOf } from "../output/language.ts";

export interface Words {
  readonly text: Text;
  readonly summary: SummaryText;
}

const SUMMARIES: Readonly<Record<Language, SummaryText>> = { de: summaryDe, en: summaryEn };

/** `name` is the value of `--lang`. Throws `UsageError` for a language that there is not. */
export function wordsIn(name: string | undefined): Words {
  const language = languageOf(name);
  return { text: textIn(language), summary: SUMMARIES[language] };
}
