// The reader's desk: takes whatever is laid on it, keeps what belongs together, and has it checked.

import type { Seal } from "../core/formats/metachain.ts";
import { formatDigest, hashBytes } from "../core/merkle/hash.ts";
import { joinPages, type Page, turnsOf } from "../reader/conversation-pages.ts";
import { type Document, type Problem, problem, type Subject } from "./documents.ts";
import { sealIndices } from "./examine.ts";
import { MAX_FILE_BYTES } from "../reader/limits.ts";
import { fetchAnchors, fetchSeals } from "./origin.ts";
import { findRenewals } from "./renewals.ts";
import { type CheckedFile, describeUsed, type RootSource, type Sheet } from "./sheet.ts";
import type { Text } from "../reader/text/text.ts";
import type { Anchors } from "./trust.ts";
import { judge } from "../reader/verdict.ts";
import type { Answer, Question, TaskRunner } from "./worker.ts";

/** A file or pasted text; `name` is null for the latter. */
export interface Source {
  readonly name: string | null;
  /** Bytes. */
  readonly size: number;
  read(): Promise<Uint8Array>;
}

type Note = (text: Text) => string;
type Laid = { readonly subject: Subject; readonly files: readonly CheckedFile[] };
type ReadSource = { readonly document: Document; readonly file: CheckedFile };

/** What is shown of the desk. At most one of `problem` and `sheet` is there: no verdict stands under another's failure. */
export interface Shown {
  readonly busy: boolean;
  readonly problem: Problem | null;
  readonly notes: readonly Note[];
  readonly sheet: Sheet | null;
}

export const NOTHING: Shown = { busy: false, problem: null, notes: [], sheet: null };

export class Desk {
  readonly #runner: TaskRunner;
  readonly #show: (shown: Shown) => void;
  #laid: Laid | null = null;
  #request: unknown;
  #anchors: Anchors | null = null;
  readonly #seals = new Map<number, Seal>();
  /** Counts what was laid down, so that a slow answer about an earlier file never shows under a later one. */
  #latest = 0;

  /** `show` is called whenever there is something new to show. */
  constructor(runner: TaskRunner, show: (shown: Shown) => void) {
    this.#runner = runner;
    this.#show = show;
  }

  async add(sources: readonly Source[]): Promise<void> {
    const current = ++this.#latest;
    this.#show({ ...NOTHING, busy: true });
    const read: ReadSource[] = [];
    for (const source of sources) read.push(await this.#read(source));
    if (current !== this.#latest) return;
    const shown = await this.#takeAll(read);
    if (current === this.#latest) this.#show(shown);
  }

  async #read({ name, size, read }: Source): Promise<ReadSource> {
    const refused = (reason: "too_large" | "failed"): ReadSource => ({
      document: problem(reason),
      file: { name, size, digest: "" },
    });
    if (size > MAX_FILE_BYTES) return refused("too_large");
    // The device may have lost it since it was picked.
    const bytes = await read().catch(() => null);
    if (bytes === null) return refused("failed");
    const document = await this.#runner.read(bytes);
    return { document, file: { name, size, digest: formatDigest(hashBytes(bytes)) } };
  }

  async #takeAll(read: readonly ReadSource[]): Promise<Shown> {
    const failed = read.map(({ document }) => document).find((document) => document.kind === "problem");
    if (failed !== undefined) return this.#fail(failed);
    // The request of the receipt before says nothing about the next one.
    if (this.#laid !== null && read.some(({ document }) => isEvidence(document))) this.#request = undefined;
    const notes = read.toSorted(byTurn).flatMap((each) => this.#take(each) ?? []);
    if (this.#laid === null) return { ...NOTHING, notes: [...notes, (text) => text.add.later] };
    const sheet = await this.#check(this.#laid);
    return "kind" in sheet ? this.#fail(sheet) : { ...NOTHING, notes, sheet };
  }

  #fail(failed: Problem): Shown {
    this.#laid = null;
    return { ...NOTHING, problem: failed };
  }

  /** Puts one thing where it belongs, and says so unless it is what is examined. */
  #take({ document, file }: ReadSource): Note | null {
    if (document.kind === "certificates") {
      this.#anchors = { source: { kind: "reader", name: file.name }, der: document.anchors };
      return (text) => text.add.certificates;
    }
    if (document.kind === "request") {
      this.#request = document.request;
      return (text) => text.add.request;
    }
    if (document.kind === "seal") this.#seals.set(document.seal.index, document.seal);
    const isBeside = document.kind === "seal" && this.#laid !== null && this.#laid.subject.kind !== "seal";
    if (isBeside) return (text) => text.add.seal(document.seal.index);
    if (document.kind === "bundle") return this.#takePage(document, file);
    if (document.kind !== "problem") this.#laid = { subject: document, files: [file] };
    return null;
  }

  /** A page of the conversation that lies there already is put to it. */
  #takePage(page: Page, file: CheckedFile): Note | null {
    const { subject, files } = this.#laid ?? { subject: null, files: [] };
    const joined = subject?.kind === "bundle" ? joinPages(subject, page) : null;
    this.#laid = joined ? { subject: joined, files: [...files, file] } : { subject: page, files: [file] };
    return joined && ((text) => text.add.page);
  }

  async #check({ subject, files }: Laid): Promise<Sheet | Problem> {
    const checkedAt = new Date();
    const now = checkedAt.toISOString();
    const [published, service] = await Promise.all([
      this.#published(subject),
      this.#anchors === null ? fetchAnchors() : [],
    ]);
    const knowledge = { request: this.#request, published, now };
    const choice = { reader: this.#anchors, service };
    const answer = await this.#examine({ subject, knowledge, choice }, now);
    if (answer.kind === "problem") return answer;
    const { examination, anchors } = answer;
    const sourceOf = (index: number): RootSource => (this.#seals.has(index) ? "added" : "published");
    return {
      subject,
      examination,
      verdict: judge(examination),
      files,
      checkedAt,
      roots: new Map(Array.from(published.keys(), (index) => [index, sourceOf(index)])),
      anchors: anchors && describeUsed(anchors, examination),
    };
  }

  /** Where a timestamp alone won't do, and newer ones that cover it are published, they are taken too. */
  async #examine(question: Question, now: string): Promise<Answer | Problem> {
    const answer = await this.#runner.examine(question);
    if (answer.kind === "problem") return answer;
    const { knowledge, choice } = question;
    const renewals = await findRenewals(answer.examination, choice, now);
    if (renewals.length === 0) return answer;
    return this.#runner.examine({
      ...question,
      knowledge: { ...knowledge, renewals },
      choice: { ...choice, renewals },
    });
  }

  /** What the reader laid down comes first: it may be from a mirror that depends on nobody here. */
  async #published(subject: Subject): Promise<Map<number, Seal | null>> {
    const wanted = sealIndices(subject);
    const fetched = await fetchSeals(wanted.filter((index) => !this.#seals.has(index)));
    const added = [...this.#seals].filter(([index]) => wanted.includes(index));
    return new Map([...fetched, ...added]);
  }
}

/** Pages of one conversation may be picked in any order. */
const byTurn = ({ document: a }: ReadSource, { document: b }: ReadSource): number =>
  a.kind === "bundle" && b.kind === "bundle" ? (turnsOf(a)?.[0] ?? 0) - (turnsOf(b)?.[0] ?? 0) : 0;

const isEvidence = ({ kind }: Document): boolean => kind === "receipt" || kind === "bundle";
