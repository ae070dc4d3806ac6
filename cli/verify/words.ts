// The words of `verify` in the reader's language: those that the page has too, and those of the short report.

import { summaryDe } from "../../reader/text/summary-de.ts";
import { type SummaryText, summaryEn } from "../../reader/text/summary-en.ts";
import { type Language, type Text, textIn } from "../../reader/text/text.ts";
import type { Outcome } from "../../reader/verdict.ts";

export interface Words {
  readonly text: Text;
  readonly summary: SummaryText;
}

const SUMMARIES: Readonly<Record<Language, SummaryText>> = { de: summaryDe, en: summaryEn };
const NO_VALUE = "–";

export const wordsIn = (language: Language): Words => ({
  text: textIn(language),
  summary: SUMMARIES[language],
});

/** The page's sentences for an outcome. */
export function verdictTexts({ text: { verdict } }: Words, outcome: Exclude<Outcome, "unreadable">) {
  return verdict[outcome];
}

/** UTC, to the second: what everybody who reads the report can compare. `instant` is from evidence. */
export function dateTime({ text }: Words, instant: string): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return NO_VALUE;
  const format = new Intl.DateTimeFormat(text.locale, {
    dateStyle: "long",
    timeStyle: "medium",
    timeZone: "UTC",
  });
  return `${format.format(date)} UTC`;
}

/** The name in an RFC 4514 name that people know its bearer by; all of it where there is none. */
export const commonName = (name: string): string =>
  /(?:^|,)CN=((?:\\.|[^,\\])+)/.exec(name)?.[1]?.replaceAll(/\\(.)/g, "$1") ?? name;
