// A journal on disk: entries are put in and taken out, and what a promise called durable survives kill -9 and a power
// cut. Everything goes through one writer, which flushes once for all that came meanwhile; nothing blocks the caller.
import { appendFile, type FileHandle, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { formatLine, type JournalRecord, parseJournal } from "./journal-lines.ts";

const OWNER_ONLY = 0o600;
/** A journal beyond this size is written anew without what was taken out, if that is more than half of it. */
const COMPACT_FROM_BYTES = 1024 * 1024;

interface Waiting {
  readonly record: JournalRecord;
  readonly resolve: () => void;
  readonly reject: (cause: unknown) => void;
}

export class Journal {
  readonly #folder: string;
  readonly #live: Map<number, string>;
  #file: FileHandle;
  #last: number;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | null = null;
  /** The end of what is known to be good; a batch that failed is cut off before the next. */
  #size = 0;
  #isTorn = false;
  #compactFrom = COMPACT_FROM_BYTES;

  private constructor(folder: string, file: FileHandle, live: Map<number, string>, last: number) {
    this.#folder = folder;
    this.#file = file;
    this.#live = live;
    this.#last = last;
  }

  /** Opens or makes the journal. Damaged lines are kept aside in `damaged.txt`, and counted. */
  static async open(folder: string): Promise<{ journal: Journal; damaged: number }> {
    const { entries, last, damaged } = parseJournal(await readIfThere(join(folder, "journal")));
    if (damaged.length > 0) {
      const text = damaged.map((line) => `${line}\n`).join("");
      await appendFile(join(folder, "damaged.txt"), text, { mode: OWNER_ONLY, flush: true });
    }
    const { file, size } = await writeAnew(folder, entries);
    const journal = new Journal(folder, file, entries, last);
    journal.#size = size;
    return { journal, damaged: damaged.length };
  }

  /** What is in, by number, in order. */
  entries(): [number, string][] {
    return [...this.#live];
  }

  /** Puts an entry in and resolves with its number once it is durable. Rejects with what the disk said. */
  async put(entry: string): Promise<number> {
    const number = ++this.#last;
    await this.#write(["put", number, entry]);
    return number;
  }

  /** Takes an entry out. A crash before it resolves may bring the entry back. */
  take(number: number): Promise<void> {
    return this.#write(["taken", number]);
  }

  /** Finishes what was begun and closes the file. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#file.close();
  }

  #write(record: JournalRecord): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ record, resolve, reject });
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
    });
    return promise;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      try {
        await this.#writeBatch(batch.map(({ record }) => record));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        this.#isTorn = true;
        for (const { reject } of batch) reject(error);
      }
      await this.#compact();
    }
  }

  async #writeBatch(records: readonly JournalRecord[]): Promise<void> {
    // Half a line would spoil the line after it, and a whole one would come back though its caller was told no.
    if (this.#isTorn) await this.#file.truncate(this.#size);
    this.#isTorn = false;
    const bytes = Buffer.from(records.map(formatLine).join(""));
    await writeAt(this.#file, bytes, this.#size);
    await this.#file.datasync();
    this.#size += bytes.length;
    for (const [kind, number, entry] of records) {
      if (kind === "put") this.#live.set(number, entry);
      else this.#live.delete(number);
    }
  }

  async #compact(): Promise<void> {
    if (this.#size < this.#compactFrom) return;
    try {
      const { file, size } = await writeAnew(this.#folder, this.#live);
      await this.#file.close();
      [this.#file, this.#size, this.#isTorn] = [file, size, false];
      this.#compactFrom = Math.max(COMPACT_FROM_BYTES, 2 * size);
    } catch {
      // The old file is as good as it was, only longer; a full disk is not asked again at every entry.
      this.#compactFrom = 2 * this.#size;
    }
  }
}

/** Beside the old one, then in its place: a crash leaves either. The folder is flushed too, or the name may be lost. */
async function writeAnew(
  folder: string,
  entries: ReadonlyMap<number, string>,
): Promise<{ file: FileHandle; size: number }> {
  const draft = join(folder, "journal.draft");
  const file = await open(draft, "w", OWNER_ONLY);
  try {
    const bytes = Buffer.from(
      [...entries].map(([number, entry]) => formatLine(["put", number, entry])).join(""),
    );
    await writeAt(file, bytes, 0);
    await file.sync();
    await rename(draft, join(folder, "journal"));
    await flushFolder(folder);
    return { file, size: bytes.length };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** Windows has no handle of a folder, and needs none. */
async function flushFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}
