// The words of a bill in each language.
import { billDe } from "./bill-de.ts";
import { type BillText, billEn } from "./bill-en.ts";
import type { Language } from "./languages.ts";

const TEXTS: Readonly<Record<Language, BillText>> = { de: billDe, en: billEn };

export const billTextIn = (language: Language): BillText => TEXTS[language];
