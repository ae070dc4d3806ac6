// The evidence sheet's words in each language.
import { sheetDe } from "./sheet-de.ts";
import { type SheetText, sheetEn } from "./sheet-en.ts";
import type { Language } from "./text.ts";

const TEXTS: Readonly<Record<Language, SheetText>> = { de: sheetDe, en: sheetEn };

export const sheetTextIn = (language: Language): SheetText => TEXTS[language];
