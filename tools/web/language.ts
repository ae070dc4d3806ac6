// The reader's language: that of the link, else the one chosen before, else the browser's.
import { chooseLanguage, type Language } from "../../evidence/reader/text/languages.ts";

const KEY = "language";

export const readLanguage = (): Language =>
  chooseLanguage([
    new URLSearchParams(location.search).get("lang") ?? "",
    remembered() ?? "",
    ...navigator.languages,
  ]);

export function rememberLanguage(language: Language): void {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // Storage can be switched off, or full: then the choice lasts as long as the page.
  }
}

function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
