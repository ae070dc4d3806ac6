// The words of `verify` in the reader's language: those that the page has too, and those of the short report.

import { summaryDe } from "../../reader/text/summary-de.ts";
import { type SummaryText, summaryEn } from "../../reader/text/summary-en.ts";
import { LANGUAGES, type Language, type Text, textIn } from "../../reader/text/text.ts";
import type { Outcome } from "../../reader/verdict.ts";
import { UsageError } from "../command.ts";

export interface Words {
  readonly text: Text;
  readonly summary: SummaryText;
}

const SUMMARIES: Readonly<Record<Language, SummaryText>> = { de: summaryDe, en: summaryEn };

/** `language` is the value of `--lang`. Throws `UsageError` for one that there is not. */
export function wordsIn(language = "en"): Words {
  const known = Object.keys(LANGUAGES).find((name): name is Language => name === language);
  if (known === undefined)
    throw new UsageError(`--lang is ${Object.keys(LANGUAGES).join(" or ")}, not ${language}`);
  return { text: textIn(known), summary: SUMMARIES[known] };
}

/** The page's sentences for an outcome. */
export function verdictTexts({ text: { verdict } }: Words, outcome: Exclude<Outcome, "unreadable">) {
  const names = { holds: "holds", holds_so_far: "partly", does_not_hold: "broken" } as const;
  return verdict[names[outcome]];
}
