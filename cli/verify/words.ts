// The words of `verify` in the reader's language: those that the page has too, and those of the short report.

import type { DisclosureError } from "../../core/errors.ts";
import type { Language } from "../../reader/text/languages.ts";
import { summaryDe } from "../../reader/text/summary-de.ts";
import { type SummaryText, summaryEn } from "../../reader/text/summary-en.ts";
import { type Text, textIn } from "../../reader/text/text.ts";
import { unreadableReasonOf } from "../../reader/unreadable.ts";
import { languageOf } from "../output/language.ts";

export interface Words {
  readonly text: Text;
  readonly summary: SummaryText;
  /** Why a file could not be read. English names the very place; other languages have the sentence of the page. */
  readonly whyUnreadable: (error: DisclosureError) => string;
}

const SUMMARIES: Readonly<Record<Language, SummaryText>> = { de: summaryDe, en: summaryEn };

/** `name` is the value of `--lang`. Throws `UsageError` for a language that there is not. */
export function wordsIn(name: string | undefined): Words {
  const language = languageOf(name);
  const text = textIn(language);
  const whyUnreadable = (error: DisclosureError) =>
    language === "en" ? error.message : text.problems[unreadableReasonOf(error)];
  return { text, summary: SUMMARIES[language], whyUnreadable };
}
