// A journal on disk: entries are put in and taken out, and what `put` called durable survives kill -9 and a power cut.
// Everything goes through one writer, which flushes once for all that came meanwhile; nothing blocks the caller.
import type { FileHandle } from "node:fs/promises";
import {
  flushFolder,
  type OpenFile,
  readJournal,
  removeDrafts,
  reopen,
  setAside,
  writeAt,
  writeInPlace,
} from "./journal-file.ts";
import { formatLine, type JournalRecord, parseJournal } from "./journal-lines.ts";

/** A journal beyond this size is written anew without what was taken out, if that is more than half of it. */
const COMPACT_FROM_BYTES = 1024 * 1024;

interface WaitingRecord {
  readonly record: JournalRecord;
  /** Null for an entry that was taken out: no caller waits for that, and it is tried again with the next write. */
  readonly settle: { readonly resolve: () => void; readonly reject: (cause: unknown) => void } | null;
}

export interface Opened {
  readonly journal: Journal;
  /** Lines that a bad disk damaged; they are kept aside in `damaged.txt`. */
  readonly damaged: number;
}

export class Journal {
  readonly #folder: string;
  readonly #live: Map<number, string>;
  #file: FileHandle;
  #last: number;
  #waiting: WaitingRecord[] = [];
  #writing: Promise<void> | null = null;
  /** The end of what is known to be good; a batch that failed is cut off before the next. */
  #size: number;
  #isTorn = false;
  /** After the file was replaced and until its name is known to be on disk. */
  #isNameUnsafe = false;
  #compactFrom = COMPACT_FROM_BYTES;
  #isClosed = false;

  private constructor(folder: string, opened: OpenFile, live: Map<number, string>, last: number) {
    this.#folder = folder;
    this.#file = opened.file;
    this.#size = opened.size;
    this.#live = live;
    this.#last = last;
  }

  /** Opens or makes the journal of a folder, which must be this process's own. */
  static async open(folder: string): Promise<Opened> {
    await removeDrafts(folder);
    const bytes = await readJournal(folder);
    const { entries, last, damaged, torn } = parseJournal(bytes.toString());
    const file = await writeWithout([...damaged, ...torn], folder, linesOf(entries)).catch((cause: unknown) =>
      // A full disk can still be read. A torn line, which was never reported as written, is cut off.
      reopen(folder, bytes.lastIndexOf("\n") + 1, cause),
    );
    try {
      await flushFolder(folder);
      return { journal: new Journal(folder, file, entries, last), damaged: damaged.length };
    } catch (error) {
      await file.file.close();
      throw error;
    }
  }

  /** The entries, by number, in order. */
  get entries(): [number, string][] {
    return [...this.#live];
  }

  /** Puts an entry in and resolves with its number once it is durable. Rejects with what the disk said. */
  async put(entry: string): Promise<number> {
    const number = ++this.#last;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#write({ record: ["put", number, entry], settle: { resolve, reject } });
    await promise;
    return number;
  }

  /** Takes an entry out. A crash before that is on disk brings the entry back. */
  take(number: number): void {
    // At once: a disk too full to note it can still be emptied when this was the last one.
    this.#live.delete(number);
    this.#write({ record: ["taken", number], settle: null });
  }

  /** Finishes what was begun and closes the file. */
  async close(): Promise<void> {
    await this.#writing;
    this.#isClosed = true;
    await this.#file.close();
  }

  #write(waiting: WaitingRecord): void {
    this.#waiting.push(waiting);
    this.#writing ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    for (let hasFailed = false; this.#waiting.length > 0 && !hasFailed; ) {
      const batch = this.#waiting.splice(0);
      try {
        await this.#writeBatch(batch.map(({ record }) => record));
        for (const { settle } of batch) settle?.resolve();
      } catch (error) {
        this.#isTorn = true;
        for (const { settle } of batch) settle?.reject(error);
        this.#waiting.unshift(...batch.filter(({ settle }) => settle === null));
        // Records that no caller waits for are not tried over and over on a full disk.
        hasFailed = this.#waiting.every(({ settle }) => settle === null);
      }
      await this.#compact();
    }
    // In the same tick as the loop's last check: a record that comes a moment later must start the next loop.
    this.#writing = null;
  }

  async #writeBatch(records: readonly JournalRecord[]): Promise<void> {
    if (this.#isNameUnsafe) await flushFolder(this.#folder);
    this.#isNameUnsafe = false;
    // Half a line would spoil the line after it, and a whole one would come back though its put was rejected.
    if (this.#isTorn) await this.#file.truncate(this.#size);
    this.#isTorn = false;
    const bytes = Buffer.from(records.map(formatLine).join(""));
    await writeAt(this.#file, bytes, this.#size);
    await this.#file.datasync();
    this.#size += bytes.length;
    for (const [kind, number, entry] of records) {
      if (kind === "put") this.#live.set(number, entry);
    }
  }

  async #compact(): Promise<void> {
    // The folder may be the next process's by now, and a journal written anew would take the place of its own.
    if (this.#isClosed) return;
    try {
      if (this.#live.size === 0 && this.#size > 0) await this.#empty();
      else if (this.#size >= this.#compactFrom) await this.#writeAnew();
    } catch {
      // The old file is as good as it was, only longer; a full disk is not asked again at every entry.
      this.#compactFrom = 2 * this.#size;
    }
  }

  /** Identifiers of conversations are not kept longer than necessary. A crash that undoes this brings entries back. */
  async #empty(): Promise<void> {
    await this.#file.truncate(0);
    this.#size = 0;
  }

  async #writeAnew(): Promise<void> {
    const old = this.#file;
    const { file, size } = await writeInPlace(this.#folder, linesOf(this.#live));
    // From here on the old file has no name: bytes written to it would be lost.
    [this.#file, this.#size, this.#isTorn, this.#isNameUnsafe] = [file, size, false, true];
    this.#compactFrom = Math.max(COMPACT_FROM_BYTES, 2 * size);
    await old.close();
  }
}

const linesOf = (entries: ReadonlyMap<number, string>): string =>
  [...entries].map(([number, entry]) => formatLine(["put", number, entry])).join("");

/** Writes the journal anew without the lines that are spoilt, once those are kept aside. */
async function writeWithout(spoilt: readonly string[], folder: string, text: string): Promise<OpenFile> {
  const aside = spoilt.map((line) => `${line}\n`).join("");
  if (aside !== "") await setAside(folder, aside);
  return writeInPlace(folder, text);
}
