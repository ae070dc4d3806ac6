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
const NO_VALUE = "–";

/** `language` is the value of `--lang`. Throws `UsageError` for one that there is not. */
export function wordsIn(language = "en"): Words {
  const known = Object.keys(LANGUAGES).find((name): name is Language => name === language);
  if (known === undefined)
    throw new UsageError(`--lang is ${Object.keys(LANGUAGES).join(" or ")}, not ${language}`);
  return { text: textIn(known), summary: SUMMARIES[known] };
}

/** The page's sentences for an outcome. */
export const verdictTexts = ({ text: { verdict } }: Words, outcome: Exclude<Outcome, "unreadable">) =>
  verdict[outcome];

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
