// The evidence sheet's words in each language.

import type { Language } from "./languages.ts";
import { sheetDe } from "./sheet-de.ts";
import { type SheetText, sheetEn } from "./sheet-en.ts";

const TEXTS: Readonly<Record<Language, SheetText>> = { de: sheetDe, en: sheetEn };

export const sheetTextIn = (language: Language): SheetText => TEXTS[language];
