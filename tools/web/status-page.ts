// The status page: the one script of the page at the service's root. It asks the service, and shows what it states.
import type { Language } from "../../evidence/reader/text/languages.ts";
import { readLanguage, rememberLanguage } from "./language.ts";
import { originOf } from "./origin.ts";
import { type Answers, readAnswers, readFrom } from "./status/answers.ts";
import { statusTextIn } from "./status/text.ts";
import { el } from "./view/dom.ts";
import { mastheadView } from "./view/masthead.ts";
import { introView, linksView, readingView } from "./view/status/frame.ts";
import type { StatusView } from "./view/status/part.ts";
import { logView, rootsView } from "./view/status/roots.ts";
import { capabilitiesView, jurisdictionsView } from "./view/status/tables.ts";

class StatusPage {
  readonly #origin = originOf(location);
  readonly #timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  #language = readLanguage();
  #answers: Answers | null = null;

  async read(): Promise<void> {
    this.#answers = null;
    this.#render();
    if (this.#origin === null) return;
    this.#answers = await readAnswers(readFrom(this.#origin), () => new Date());
    this.#render();
  }

  /** The button was replaced with the page, and the focus goes on to the new one. */
  async #readAgain(): Promise<void> {
    await this.read();
    byId("again").focus();
  }

  #speak(language: Language): void {
    this.#language = language;
    rememberLanguage(language);
    this.#render();
    document.querySelector<HTMLElement>(".languages [aria-pressed=true]")?.focus();
  }

  #render(): void {
    const text = statusTextIn(this.#language);
    document.documentElement.lang = this.#language;
    document.title = `${text.wordmark} · ${text.title}`;
    byId("header").replaceChildren(mastheadView(text, this.#language, (chosen) => this.#speak(chosen)));
    byId("status").textContent = this.#isReading ? text.reading : "";
    byId("main").replaceChildren(introView(text), ...this.#parts());
    byId("footer").replaceChildren(el("p", {}, text.footer));
  }

  get #isReading(): boolean {
    return this.#answers === null && this.#origin !== null;
  }

  #parts(): readonly Node[] {
    const text = statusTextIn(this.#language);
    if (this.#isReading) return [el("progress", { "aria-label": text.reading })];
    if (this.#answers === null) return [el("p", { class: "notice" }, text.saved)];
    const view: StatusView = { text, answers: this.#answers, timeZone: this.#timeZone };
    return [
      readingView(view, () => void this.#readAgain()),
      rootsView(view),
      logView(view),
      jurisdictionsView(view),
      capabilitiesView(view),
      linksView(text),
    ];
  }
}

function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`status.html has no #${id}`);
  return element;
}

void new StatusPage().read();
