// The console's page: the one script of what an operator looks at. It asks its own program every few seconds, and draws
// anew only what changed.
import type { Language } from "../../evidence/reader/text/languages.ts";
import { type Choice, type ConsolePart, ConsoleReader } from "./console/console-reader.ts";
import { consoleTextIn } from "./console/text.ts";
import type { ConsoleText } from "./console/text-en.ts";
import { readLanguage, rememberLanguage } from "./language.ts";
import { originOf } from "./origin.ts";
import type { ConsoleView } from "./view/console/part.ts";
import { choicesView, fillRows, notesOf, pagerView, receiptsView } from "./view/console/receipts.ts";
import { sealsView } from "./view/console/seals.ts";
import { figuresView, findingsView, headView, partsView, troubleView } from "./view/console/state.ts";
import { chainsView, daysView, tenantsView } from "./view/console/tenants.ts";
import { el } from "./view/dom.ts";
import { mastheadView } from "./view/masthead.ts";
import { redraw } from "./view/redraw.ts";

/** The width of pictures, in pixels. A window that is being closed has none. */
const MAX_WIDTH = 960;
const MIN_WIDTH = 240;
/** Places of the page, each drawn by itself, in their order. */
const PLACES = [
  "head",
  "trouble",
  "figures",
  "findings",
  "receipts",
  "seals",
  "tenants",
  "days",
  "chains",
] as const;
type ConsolePlace = (typeof PLACES)[number];
/** New receipts are told to those who hear the page, no more often than this. */
const TELL_EVERY_MS = 10_000;

class ConsolePage {
  readonly #places = new Map<ConsolePlace, HTMLElement>(PLACES.map((place) => [place, el("div", {})]));
  #language = readLanguage();
  #told = { at: 0, untold: 0 };
  readonly #reader = new ConsoleReader({
    onPart: (part) => this.#draw(part),
    onArrived: (count) => this.#tell(count),
  });

  start(): void {
    this.#drawAll();
    if (originOf(location) === null) return;
    this.#reader.start();
    document.addEventListener("visibilitychange", () => this.#reader.setVisible(!document.hidden));
    addEventListener("resize", () => this.#drawPictures());
  }

  get #view(): ConsoleView {
    const room = document.documentElement.clientWidth - 2 * marginOf(document.body);
    return { text: this.#text, width: Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, room)) };
  }

  get #text(): ConsoleText {
    return consoleTextIn(this.#language);
  }

  #place(place: ConsolePlace): HTMLElement {
    return this.#places.get(place) ?? document.body;
  }

  #speak(language: Language): void {
    this.#language = language;
    rememberLanguage(language);
    this.#drawAll();
    document.querySelector<HTMLElement>(".languages [aria-pressed=true]")?.focus();
  }

  #drawAll(): void {
    const text = this.#text;
    document.documentElement.lang = this.#language;
    document.title = `${text.title} · ${text.wordmark}`;
    const skip = el("a", { href: "#receipts", class: "skip" }, text.skip);
    const masthead = mastheadView(text, this.#language, (chosen) => this.#speak(chosen));
    byId("header").replaceChildren(skip, masthead);
    byId("footer").replaceChildren(el("p", {}, text.footer));
    if (originOf(location) === null) {
      byId("main").replaceChildren(el("p", { class: "notice" }, text.saved));
      return;
    }
    byId("main").replaceChildren(...this.#places.values());
    for (const part of ["overview", "frame", "seals", "tenants", "days", "chains", "trouble"] as const)
      this.#draw(part);
  }

  #drawPictures(): void {
    for (const part of ["seals", "days"] as const) this.#draw(part);
  }

  #draw(part: ConsolePart): void {
    const [view, { overview, seals, tenants, days, chains, problem }] = [this.#view, this.#reader.state];
    const draw = (place: ConsolePlace, ...nodes: readonly (Node | null)[]): void =>
      redraw(this.#place(place), nodes);
    if (part === "overview" || part === "tenants") {
      draw("head", headView(view, overview), overview && partsView(view));
      draw(
        "figures",
        overview === null
          ? el("progress", { "aria-label": view.text.reading })
          : figuresView(view, overview, tenants),
      );
      draw("findings", overview && findingsView(view, overview));
    }
    if (part === "tenants")
      draw("tenants", tenants && tenantsView(view, tenants, (id) => this.#showTenant(id)));
    if (part === "tenants") this.#drawChoices();
    if (part === "trouble") draw("trouble", troubleView(view, problem));
    if (part === "seals") draw("seals", seals && sealsView(view, seals));
    if (part === "days") draw("days", days && daysView(view, days));
    if (part === "chains") draw("chains", chains && chainsView(view, chains));
    if (part === "frame") this.#drawFrame();
    if (part === "receipts") this.#drawReceipts();
  }

  #showTenant(tenant: string): void {
    this.#choose({ tenant });
    // The days of the tenant before, or none yet where their first answer is still to come.
    document.getElementById("days-heading")?.scrollIntoView({ block: "nearest" });
  }

  #choose(changed: Partial<Choice>): void {
    this.#reader.choose(changed);
    this.#drawChoices();
  }

  #drawFrame(): void {
    const frame = receiptsView(this.#view, el("div", { id: "choices" }), el("div", { id: "pager" }));
    this.#place("receipts").replaceChildren(frame);
    this.#drawChoices();
    this.#drawReceipts();
  }

  #drawChoices(): void {
    const reader = this.#reader;
    const ids = reader.state.tenants?.tenants.map(({ id }) => id) ?? [];
    const choices = choicesView(this.#view, ids, reader.choice, reader.isPaused, {
      onChoice: (changed) => this.#choose(changed),
      onPause: () => {
        reader.setPaused(!reader.isPaused);
        this.#drawChoices();
        this.#drawReceipts();
      },
    });
    redraw(byId("choices"), [choices]);
  }

  #drawReceipts(): void {
    const { list, choice, isPaused } = this.#reader;
    const view = this.#view;
    const words = view.text.receipts;
    if (list.page === null) byId("receipt-rows").replaceChildren();
    fillRows(view, byId("receipt-rows"), list.receipts);
    const isChosen = choice.tenant !== null || choice.verdict !== null || !list.isNewest;
    redraw(byId("receipt-notes"), list.page === null ? [] : notesOf(view, list.page, isChosen));
    byId("receipt-note").textContent = !list.isNewest ? words.away : isPaused ? words.paused : words.live;
    const hasOlder = list.page !== null && list.page.next !== null;
    const pager = pagerView(
      view,
      { isNewest: list.isNewest, hasOlder },
      {
        onOlder: () => void this.#reader.goOlder(),
        onNewer: () => void this.#reader.goNewer(),
        onNewest: () => void this.#reader.goNewest(),
      },
    );
    redraw(byId("pager"), [pager]);
  }

  #tell(count: number): void {
    const now = performance.now();
    const untold = this.#told.untold + count;
    const isSoon = this.#told.at !== 0 && now - this.#told.at < TELL_EVERY_MS;
    this.#told = isSoon ? { ...this.#told, untold } : { at: now, untold: 0 };
    if (!isSoon) byId("status").textContent = this.#text.receipts.arrived(String(untold));
  }
}

const marginOf = (element: Element): number => Number.parseFloat(getComputedStyle(element).paddingLeft);

function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the console has no #${id}`);
  return element;
}

new ConsolePage().start();
