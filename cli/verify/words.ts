// The words of `verify` in the reader's language: those that the page has too, and those of the short report.

import type { Language } from "../../reader/text/languages.ts";
import { summaryDe } from "../../reader/text/summary-de.ts";
import { type SummaryText, summaryEn } from "../../reader/text/summary-en.ts";
import { type Text, textIn } from "../../reader/text/text.ts";
import type { Problem } from "../../reader/unreadable.ts";
import { languageOf } from "../output/language.ts";

export interface Words {
  readonly text: Text;
  readonly summary: SummaryText;
  /** Why a file could not be read. English names the very place; other languages have the sentence of the page. */
  readonly explain: (problem: Problem) => string;
}

const SUMMARIES: Readonly<Record<Language, SummaryText>> = { de: summaryDe, en: summaryEn };

/** `name` is the value of `--lang`. Throws `UsageError` for a language that there is not. */
export function wordsIn(name: string | undefined): Words {
  const language = languageOf(name);
  const text = textIn(language);
  const explain = ({ reason, detail }: Problem) => (language === "en" ? detail : text.problems[reason]);
  return { text, summary: SUMMARIES[language], explain };
}
