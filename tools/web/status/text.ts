// The words of the status page, by language.
import type { Language } from "../../../evidence/reader/text/languages.ts";
import { statusDe } from "./text-de.ts";
import { type StatusText, statusEn } from "./text-en.ts";

const TEXTS: Readonly<Record<Language, StatusText>> = { de: statusDe, en: statusEn };

export const statusTextIn = (language: Language): StatusText => TEXTS[language];
