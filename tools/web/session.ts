// The files that a reader has given since the page was opened or emptied, and what was found of them all.
import type { Checked } from "./checked.ts";
import { keyOf, MAX_SESSION_BYTES, type Source, type TakenFile, takeFile } from "./given-file.ts";
import { type Folder, type GivenHistory, type TakenFolder, takeFolder } from "./given-history.ts";
import type { Checker } from "./worker.ts";

/** The state to show. While `isBusy`, the results from before are not shown. */
export interface Shown {
  readonly isBusy: boolean;
  /** Null where there is no file. */
  readonly checked: Checked | null;
  /** The files that came last, by key. */
  readonly news: readonly string[];
}

export const NOTHING: Shown = { isBusy: false, checked: null, news: [] };

const NOTHING_FOUND: TakenFolder = { sources: [], history: null };

export class Session {
  readonly #check: Checker;
  readonly #origin: string | null;
  readonly #show: (shown: Shown) => void;
  #files: readonly TakenFile[] = [];
  /** A later one takes its place. */
  #history: GivenHistory | null = null;
  #fingerprint: string | null = null;
  #isSample = false;
  /** How often the reader began anew: files that were being read then are no longer wanted. */
  #beginnings = 0;
  /** Ends the check under way: a slow answer about fewer files must not replace a later one. */
  #underWay = new AbortController();

  /** `origin` is where this page came from, null for a saved one; `show` is called with everything new. */
  constructor(check: Checker, origin: string | null, show: (shown: Shown) => void) {
    this.#check = check;
    this.#origin = origin;
    this.#show = show;
  }

  /** Adds files, and has all of them checked together. An example makes room for the reader's own. */
  async add(sources: readonly Source[], folder: Folder | null = null): Promise<void> {
    if (this.#isSample) this.#empty();
    await this.#take(sources, folder);
  }

  /** An example brings along all that it is checked with, and no host is asked about it. */
  async openSample(sources: readonly Source[]): Promise<void> {
    this.#empty();
    this.#isSample = true;
    await this.#take(sources, null);
  }

  /** Checks again, and whether the history is that of the tenant with this fingerprint; null for anyone's. */
  async expectTenant(fingerprint: string | null): Promise<void> {
    this.#fingerprint = fingerprint;
    this.#show({ ...NOTHING, isBusy: true });
    await this.#checkAll([]);
  }

  startOver(): void {
    this.#empty();
    this.#show(NOTHING);
  }

  #empty(): void {
    this.#files = [];
    this.#history = null;
    this.#fingerprint = null;
    this.#isSample = false;
    this.#beginnings++;
    this.#underWay.abort();
  }

  async #take(sources: readonly Source[], folder: Folder | null): Promise<void> {
    const beginning = this.#beginnings;
    this.#show({ ...NOTHING, isBusy: true });
    const found = folder === null ? NOTHING_FOUND : await takeFolder(folder);
    const taken: TakenFile[] = [];
    for (const source of [...sources, ...found.sources])
      taken.push(await takeFile(source, MAX_SESSION_BYTES - sizeOf([...this.#files, ...taken])));
    if (beginning !== this.#beginnings) return;
    const replaced = taken.some(({ as }) => as === "log_policy") ? "log_policy" : null;
    this.#files = withoutDoubles([
      ...this.#files.filter(({ as }) => as === null || as !== replaced),
      ...taken,
    ]);
    this.#history = found.history ?? this.#history;
    await this.#checkAll([...taken, ...(found.history === null ? [] : [found.history.file])].map(keyOf));
  }

  /** Files that came while others were checked are checked with them: only the last answer has all of them. */
  async #checkAll(news: readonly string[]): Promise<void> {
    this.#underWay.abort();
    this.#underWay = new AbortController();
    const { signal } = this.#underWay;
    const question = {
      files: this.#files,
      history: this.#history,
      fingerprint: this.#fingerprint,
      origin: this.#isSample ? null : this.#origin,
      isSample: this.#isSample,
      checkedAt: new Date(),
      stopped: new Map(),
    };
    const checked = await this.#check(question, signal);
    if (!signal.aborted) this.#show({ isBusy: false, checked, news });
  }
}

/** What the reader says of a file counts, whenever it came: a copy of it that lay in a folder takes nothing away. */
function withoutDoubles(files: readonly TakenFile[]): readonly TakenFile[] {
  const kept = new Map<string, TakenFile>();
  for (const file of files) {
    const known = kept.get(keyOf(file));
    kept.set(keyOf(file), known === undefined || (known.as ?? null) === null ? merged(file, known) : known);
  }
  return [...kept.values()];
}

const merged = (file: TakenFile, known: TakenFile | undefined): TakenFile => ({
  ...file,
  isInFolder: file.isInFolder && known?.isInFolder !== false,
});

const sizeOf = (files: readonly TakenFile[]): number =>
  files.reduce((sum, { content, size }) => sum + (content instanceof Uint8Array ? size : 0), 0);
