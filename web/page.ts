// The page: shows what lies on the desk, in the reader's language, and passes on what the reader does.

import { utf8 } from "../core/bytes.ts";
import { Desk, NOTHING, type Shown, type Source } from "./desk.ts";
import { chooseLanguage, LANGUAGES, type Language, type Text, textIn } from "../reader/text/text.ts";
import { button, el, svg } from "./view/dom.ts";
import { compactIntake, type IntakeActions, intakeView } from "./view/intake.ts";
import { resultView } from "./view/result.ts";
import { sentenceOf } from "./view/verdict.ts";
import type { TaskRunner } from "./worker.ts";

const MAX_WIDTH = 820;
const SIDE_MARGINS = 40;

export function startPage(runner: TaskRunner): void {
  let language = chooseLanguage([
    new URLSearchParams(location.search).get("lang") ?? "",
    ...navigator.languages,
  ]);
  let shown = NOTHING;
  const desk = new Desk(runner, (news) => {
    shown = news;
    show(true);
  });
  const add = (sources: readonly Source[]): void => void (sources.length > 0 && desk.add(sources));
  const actions: IntakeActions = {
    onFiles: (files) => add(files.map(fileSource)),
    onText: (text) => add([textSource(text)]),
  };
  const switchTo = (chosen: Language): void => {
    language = chosen;
    show(false);
    document.querySelector<HTMLElement>(".languages [aria-pressed=true]")?.focus();
  };
  function show(isNews: boolean): void {
    render(language, shown, actions, switchTo);
    if (isNews) announce(textIn(language), shown);
  }
  listenForEvidence(add);
  listenForLinks();
  listenForPrinting();
  show(false);
}

function render(
  language: Language,
  shown: Shown,
  actions: IntakeActions,
  switchTo: (to: Language) => void,
): void {
  const text = textIn(language);
  document.documentElement.lang = language;
  document.title = `${text.title} · ${text.wordmark}`;
  const isFresh = shown.sheet === null && !shown.busy;
  const intake = isFresh ? intakeView : compactIntake;
  byId("header").replaceChildren(masthead(language, switchTo));
  const notes = shown.notes.map((note) => el("p", { class: "notice" }, note(text)));
  byId("main").replaceChildren(
    ...problemView(text, shown),
    // Below the whole intake, a phone would not show them.
    ...(isFresh ? notes : []),
    intake(text, actions, readPolicy()),
    ...(shown.busy ? [el("progress", { "aria-label": text.intro.checking })] : []),
    ...(isFresh ? [] : notes),
    ...(shown.sheet ? [resultView({ text, sheet: shown.sheet }, pictureWidth(), actions.onFiles)] : []),
  );
  byId("footer").replaceChildren(el("p", {}, text.footer));
}

function masthead(language: Language, switchTo: (to: Language) => void): HTMLElement {
  const text = textIn(language);
  const buttons = Object.entries(LANGUAGES).map(([code, name]) =>
    button(name, () => switchTo(code as Language), { lang: code, "aria-pressed": String(code === language) }),
  );
  return el(
    "div",
    { class: "masthead" },
    el("p", { class: "wordmark" }, logo(), text.wordmark),
    el("div", { class: "languages", role: "group", "aria-label": text.languageLabel }, ...buttons),
  );
}

/** Two leaves and their root. */
const logo = (): SVGElement =>
  svg(
    "svg",
    { viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { d: "M5 18 L12 6 L19 18" }),
    ...[
      [5, 18],
      [19, 18],
      [12, 6],
    ].map(([cx = 0, cy = 0]) => svg("circle", { cx, cy, r: 3 })),
  );

function problemView({ problems }: Text, { problem }: Shown): HTMLElement[] {
  if (problem === null) return [];
  const heading = el("h2", { id: "verdict-heading", tabindex: -1 }, problems.heading);
  const detail = problem.detail === "" ? null : el("code", { lang: "en" }, problem.detail.slice(0, 300));
  return [el("section", { class: "problem" }, heading, el("p", {}, problems[problem.reason]), detail)];
}

/** Says the news to those who hear the page, and brings everyone to where it stands. */
function announce(text: Text, shown: Shown): void {
  const verdict = shown.sheet && sentenceOf(text, shown.sheet);
  const notes = shown.notes.map((note) => note(text)).join(" ");
  byId("status").textContent = shown.busy
    ? text.intro.checking
    : (verdict ?? (shown.problem ? text.problems.heading : notes));
  document.getElementById("verdict-heading")?.focus();
}

function listenForEvidence(add: (sources: readonly Source[]) => void): void {
  const { classList } = document.body;
  addEventListener("dragover", (event) => {
    event.preventDefault();
    classList.add("receiving");
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) classList.remove("receiving");
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    classList.remove("receiving");
    add([...(event.dataTransfer?.files ?? [])].map(fileSource));
  });
  addEventListener("paste", (event) => {
    if (event.target instanceof HTMLTextAreaElement) return;
    const files = [...(event.clipboardData?.files ?? [])].map(fileSource);
    const text = event.clipboardData?.getData("text") ?? "";
    add(files.length > 0 || text === "" ? files : [textSource(text)]);
  });
}

/** A part of a picture opens what it leads to. */
function listenForLinks(): void {
  addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href^='#']") : null;
    const target = document.getElementById(link?.getAttribute("href")?.slice(1) ?? "");
    if (!(target instanceof HTMLDetailsElement)) return;
    event.preventDefault();
    target.open = true;
    target.querySelector("summary")?.focus();
  });
}

/** On paper nothing can be opened, so the proof of a single receipt is printed with its hashes. */
function listenForPrinting(): void {
  const opened: HTMLDetailsElement[] = [];
  addEventListener("beforeprint", () => {
    opened.push(...document.querySelectorAll<HTMLDetailsElement>("#picture details:not([open])"));
    for (const details of opened) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of opened.splice(0)) details.open = false;
  });
}

const fileSource = (file: File): Source => ({
  name: file.name,
  size: file.size,
  read: async () => new Uint8Array(await file.arrayBuffer()),
});

function textSource(text: string): Source {
  // A UTF-16 unit becomes at least one byte, so the length alone can already be too much.
  return { name: null, size: text.length, read: async () => utf8(text) };
}

const pictureWidth = (): number => Math.min(MAX_WIDTH, document.documentElement.clientWidth - SIDE_MARGINS);

const readPolicy = (): string =>
  document.querySelector("meta[http-equiv]")?.getAttribute("content")?.replaceAll("; ", ";\n") ?? "";

function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`index.html has no #${id}`);
  return element;
}
