// Keeps queued disclosures in a folder on disk if it can be used, and in memory alone if not. Nothing here rejects.
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import * as z from "zod";
import { attestationRequestSchema } from "../../../evidence/core/formats/attestation-request.ts";
import { type ClientError, isClientError } from "../errors.ts";
import { lockFolder } from "./folder-lock.ts";
import { Journal } from "./journal.ts";
import { diskFailed, OWNER_ONLY_FOLDER, requirePrivate } from "./private-folder.ts";
import { takeFreeFolder } from "./shared-folder.ts";

const disclosureSchema = z.object({
  request: attestationRequestSchema,
  idempotencyKey: z.string(),
  addedAt: z.iso.datetime(),
});

/** An entry's number in the journal, or null where it is in memory only. */
export type Place = number | null;

/** A disclosure that an earlier process left. */
export interface Found {
  readonly place: number;
  readonly text: string;
  readonly disclosure: z.infer<typeof disclosureSchema>;
}

type OnProblem = (error: ClientError) => void;

export class QueueStore {
  readonly found: readonly Found[];
  readonly #journal: Journal | null;
  readonly #unlock: () => void;
  readonly #onProblem: OnProblem;

  private constructor(journal: Journal | null, unlock: () => void, onProblem: OnProblem) {
    this.#journal = journal;
    this.#unlock = unlock;
    this.#onProblem = onProblem;
    this.found = this.#readEntries();
  }

  /** A folder that can't be used is reported to `onProblem`, and the store continues in memory. */
  static async open(given: string, isShared: boolean, onProblem: OnProblem): Promise<QueueStore> {
    let unlock = (): void => {};
    try {
      await makeFolder(given);
      requirePrivate(given);
      const taken = isShared ? takeFreeFolder(given) : { folder: given, unlock: lockFolder(given) };
      const { folder } = taken;
      unlock = taken.unlock;
      const { journal, damaged } = await Journal.open(folder);
      if (damaged > 0) onProblem(diskFailed(`${damaged} damaged lines are now in damaged.txt`));
      return new QueueStore(journal, unlock, onProblem);
    } catch (cause) {
      unlock();
      onProblem(isClientError(cause) ? cause : diskFailed("the folder can't be used", cause));
      return new QueueStore(null, () => {}, onProblem);
    }
  }

  /** Resolves with its place once it is on disk; with null where the disk fails, which is reported. */
  async put(text: string): Promise<Place> {
    try {
      return (await this.#journal?.put(text)) ?? null;
    } catch (cause) {
      this.#onProblem(diskFailed("a disclosure is in memory only", cause));
      return null;
    }
  }

  take(place: Place): void {
    if (place !== null) this.#journal?.take(place);
  }

  async close(): Promise<void> {
    await this.#journal?.close().catch((cause: unknown) => this.#onProblem(diskFailed("not closed", cause)));
    this.#unlock();
  }

  /** An entry that can't be read stays on disk, for a person to look at. */
  #readEntries(): Found[] {
    const entries = this.#journal?.entries ?? [];
    const found = entries.flatMap(([place, text]) => {
      const { success, data } = disclosureSchema.safeParse(parseLoosely(text));
      return success ? [{ place, text, disclosure: data }] : [];
    });
    const unread = entries.length - found.length;
    if (unread > 0) this.#onProblem(diskFailed(`${unread} entries of the journal can't be read`));
    return found;
  }
}

function parseLoosely(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Makes the folder and those above it. Node's own recursive mkdir never ends where a folder that is there takes none in,
 * as /proc does.
 */
async function makeFolder(folder: string): Promise<void> {
  const failure = await mkdir(folder, { mode: OWNER_ONLY_FOLDER }).then(() => null, codeOf);
  if (failure === null || failure === "EEXIST") return;
  const parent = dirname(resolve(folder));
  if (failure === "ENOENT" && !existsSync(parent)) await makeFolder(parent);
  await mkdir(folder, { mode: OWNER_ONLY_FOLDER });
}

const codeOf = ({ code }: NodeJS.ErrnoException): string | undefined => code;
