// The page: shows the session in the reader's language, and passes on what the reader does.
import type { Language } from "../../evidence/reader/text/languages.ts";
import { type Text, textIn } from "../../evidence/reader/text/text.ts";
import {
  type Checked,
  type CheckedEntry,
  entryOf,
  isEvidenceEntry,
  overviewOf,
  worstEntry,
} from "./checked.ts";
import { linkedReport } from "./event-link.ts";
import { keyOf, type Source } from "./given-file.ts";
import { fileSource } from "./given-history.ts";
import { readLanguage, rememberLanguage } from "./language.ts";
import { listenForEvidence, listenForLinks, listenForPrinting, textSource } from "./listeners.ts";
import { originOf } from "./origin.ts";
import { readSample } from "./samples.ts";
import { NOTHING, Session, type Shown } from "./session.ts";
import { companionNotices } from "./view/companions.ts";
import { el } from "./view/dom.ts";
import { compactIntake, type IntakeActions, intakeView } from "./view/intake.ts";
import { mastheadView } from "./view/masthead.ts";
import { headlineOf, isMany, overviewView } from "./view/overview.ts";
import { paperView, titleFor } from "./view/paper.ts";
import { resultView } from "./view/result.ts";
import { type TenantActions, tenantView } from "./view/tenant.ts";
import { problemHeading, unreadableView } from "./view/unreadable.ts";
import { sentenceOf } from "./view/verdict.ts";
import type { View } from "./view/view.ts";
import type { Checker } from "./worker.ts";

type PageActions = IntakeActions & TenantActions;

const MAX_WIDTH = 820;
const SIDE_MARGINS = 40;

export function startPage(check: Checker): void {
  new ReceiptPage(check).start();
}

class ReceiptPage {
  readonly #session: Session;
  readonly #origin = originOf(location);
  readonly #timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  #language = readLanguage();
  #shown = NOTHING;
  /** The key of a file of the entry that is opened. */
  #opened: string | null = null;

  readonly #actions: PageActions = {
    onFiles: (files) => void (files.length > 0 && this.#session.add(files.map(fileSource))),
    onFolder: (folder) => void this.#session.add([], folder),
    onText: (text) => void this.#session.add([textSource(text)]),
    onSample: (sample) =>
      void this.#session.openSample(
        readSample(sample).map(({ name, text, as }) => ({ ...textSource(text, name), ...(as && { as }) })),
      ),
    onStartOver: () => this.#session.startOver(),
    onTenant: (fingerprint) => void this.#session.expectTenant(fingerprint),
  };

  constructor(check: Checker) {
    this.#session = new Session(check, this.#origin, (shown) => this.#receive(shown));
  }

  start(): void {
    listenForEvidence((sources, folder) => {
      if (sources.length > 0 || folder !== null) void this.#session.add(sources, folder);
    });
    listenForLinks();
    listenForPrinting(() => this.#paper());
    this.#render();
    this.#openLinked();
    // Another link in the same tab loads no page anew.
    addEventListener("hashchange", () => this.#openLinked());
  }

  #openLinked(): void {
    const linked = linkedReport(location.hash, this.#origin);
    if (linked === null) return;
    this.#session.startOver();
    void this.#session.add([linked]);
  }

  #receive(shown: Shown): void {
    this.#shown = shown;
    const { checked, news } = shown;
    if (checked !== null) this.#opened = keyToOpen(checked, news, this.#opened);
    this.#render();
    this.#announce();
  }

  #open(entry: CheckedEntry): void {
    this.#opened = keyOfEntry(entry);
    this.#render();
    document.getElementById("verdict-heading")?.focus();
  }

  #speak(language: Language): void {
    this.#language = language;
    rememberLanguage(language);
    this.#render();
    document.querySelector<HTMLElement>(".languages [aria-pressed=true]")?.focus();
  }

  get #text(): Text {
    return textIn(this.#language);
  }

  get #entry(): CheckedEntry | undefined {
    return entryOf(this.#shown.checked?.entries ?? [], this.#opened);
  }

  /** Null unless evidence is opened. */
  get #view(): View | null {
    const [entry, { checked }] = [this.#entry, this.#shown];
    if (checked === null || entry === undefined || !isEvidenceEntry(entry)) return null;
    return { text: this.#text, checked, entry, timeZone: this.#timeZone };
  }

  #render(): void {
    const [text, view] = [this.#text, this.#view];
    document.documentElement.lang = this.#language;
    document.title = view === null ? `${text.title} · ${text.wordmark}` : titleFor(view, this.#language);
    byId("header").replaceChildren(mastheadView(text, this.#language, (chosen) => this.#speak(chosen)));
    byId("main").replaceChildren(...this.#content());
    byId("footer").replaceChildren(el("p", {}, text.footer));
  }

  #content(): readonly Node[] {
    const { isBusy, checked } = this.#shown;
    const text = this.#text;
    const promises = { origin: this.#origin, policy: readPolicy() };
    if (isBusy)
      return [
        compactIntake(text, this.#actions, promises),
        el("progress", { "aria-label": text.intro.checking }),
      ];
    const found = checked === null ? [] : this.#found(checked);
    // Without evidence there is nothing to look at but where more comes in; what was found of the rest comes first.
    return this.#view === null && !(checked !== null && isMany(checked))
      ? [...found, intakeView(text, this.#actions, promises)]
      : [compactIntake(text, this.#actions, promises), ...found];
  }

  #found(checked: Checked): readonly Node[] {
    const [text, entry, view] = [this.#text, this.#entry, this.#view];
    const overview = isMany(checked)
      ? overviewView(text, checked, entry, (chosen) => this.#open(chosen))
      : null;
    const actions = {
      onFiles: this.#actions.onFiles,
      onRoots: (files: readonly File[]) =>
        void this.#session.add(files.map((file) => asSeal(fileSource(file)))),
      onPolicy: (source: File | string) =>
        void this.#session.add([
          { ...(typeof source === "string" ? textSource(source) : fileSource(source)), as: "log_policy" },
        ]),
      onPrint: () => print(),
    };
    return [
      checked.isSample ? el("p", { class: "notice" }, text.intro.isSample) : null,
      ...companionNotices(text, checked),
      hasHistory(checked) ? tenantView(text, checked.fingerprint, this.#actions) : null,
      overview,
      entry?.kind === "unreadable" ? unreadableView(text, entry) : null,
      view === null ? null : resultView(view, pictureWidth(), actions),
    ].filter((node) => node !== null);
  }

  /** Says the news to those who hear the page, and brings everyone to where it stands. */
  #announce(): void {
    const { isBusy, checked } = this.#shown;
    byId("status").textContent = isBusy
      ? this.#text.intro.checking
      : checked === null
        ? ""
        : newsOf(this.#text, checked, this.#entry);
    const heading = document.getElementById("overview-heading") ?? document.getElementById("verdict-heading");
    heading?.focus();
  }

  #paper(): Node | null {
    return this.#view && paperView(this.#view, this.#language, readProgram());
  }
}

const asSeal = (source: Source): Source => ({ ...source, as: "seal" });

/** The files that came last are opened, the worst of them first; without new evidence the opened entry stays. */
function keyToOpen(
  { entries }: Pick<Checked, "entries">,
  news: readonly string[],
  opened: string | null,
): string | null {
  const fresh = entries.filter(
    (entry) =>
      (isEvidenceEntry(entry) || entry.kind === "unreadable") &&
      entry.files.some((file) => news.includes(keyOf(file))),
  );
  const known = entryOf(entries, opened);
  const entry = (fresh.length > 0 ? worstEntry(fresh) : known) ?? worstEntry(entries);
  return entry === undefined ? null : keyOfEntry(entry);
}

const keyOfEntry = ({ files: [file] }: CheckedEntry): string | null =>
  file === undefined ? null : keyOf(file);

function newsOf(text: Text, checked: Checked, entry: CheckedEntry | undefined): string {
  const overview = isMany(checked) ? overviewOf(checked) : null;
  if (overview !== null) return headlineOf(text, overview, checked);
  if (entry === undefined)
    return companionNotices(text, checked)
      .map((node) => node.textContent)
      .join(" ");
  if (entry.kind === "unreadable") return problemHeading(text, entry);
  return isEvidenceEntry(entry) ? sentenceOf(text, entry) : "";
}

const hasHistory = ({ entries }: Checked): boolean => entries.some(({ kind }) => kind === "history");

const pictureWidth = (): number => Math.min(MAX_WIDTH, document.documentElement.clientWidth - SIDE_MARGINS);

const metaContent = (selector: string): string =>
  document.querySelector(`meta[${selector}]`)?.getAttribute("content") ?? "";

const readPolicy = (): string => metaContent("http-equiv").replaceAll("; ", ";\n");

const readProgram = (): string => metaContent("name=generator");

function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`index.html has no #${id}`);
  return element;
}
