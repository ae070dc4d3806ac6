// The words of the console, by language.
import type { Language } from "../../../evidence/reader/text/languages.ts";
import { consoleDe } from "./text-de.ts";
import { type ConsoleText, consoleEn } from "./text-en.ts";

const TEXTS: Readonly<Record<Language, ConsoleText>> = { de: consoleDe, en: consoleEn };

export const consoleTextIn = (language: Language): ConsoleText => TEXTS[language];
