// The folder of an export: reports by day, and beside them a mirror's files, as far as the reports lead to them. Each file
// is there whole and checked or not at all, so a run that is killed leaves good files, and the next run goes on from them.
import { join } from "node:path";
import { HEAD_FILE } from "../../../contract/metachain-paths.ts";
import { isDisclosureError } from "../../../evidence/core/errors.ts";
import type { ListedReceipt } from "../../../evidence/core/formats/receipt-list.ts";
import { MAX_FILE_BYTES } from "../../../evidence/reader/limits.ts";
import { naming } from "../../../evidence/reader/naming.ts";
import { exists, readBytes } from "../files/read-file.ts";
import { replaceFile } from "../files/write-file.ts";

const REPORTS_FOLDER = "reports";
/** The folder of the chains' history, as `history` makes it. */
const HISTORY_FOLDER = "history";
/** YYYY-MM-DD: a folder of all reports of a year would be too long to list. */
const DAY_LENGTH = 10;

/** The path of a report below the folder; both parts were checked when the list was read. */
export const reportPath = ({ event_id, issued_at }: Pick<ListedReceipt, "event_id" | "issued_at">): string =>
  `${REPORTS_FOLDER}/${issued_at.slice(0, DAY_LENGTH)}/${event_id}.json`;

export class ExportFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  get historyPath(): string {
    return join(this.path, HISTORY_FOLDER);
  }

  /** The bytes of a file; null where there is none yet. */
  async read(path: string): Promise<Uint8Array | null> {
    const file = join(this.path, path);
    return (await exists(file)) ? readBytes(file, MAX_FILE_BYTES) : null;
  }

  write(path: string, bytes: Uint8Array): Promise<void> {
    return replaceFile(join(this.path, path), bytes);
  }

  /**
   * A file that never changes once it is published: it is fetched once, and written once `check` has not thrown. Null where
   * nothing is published. A held file that can't be read as what it should be is fetched again.
   */
  async keep(
    path: string,
    check: (bytes: Uint8Array) => void,
    fetch: () => Promise<Uint8Array | null>,
  ): Promise<Uint8Array | null> {
    const held = await this.read(path);
    if (held !== null && isReadable(held, check)) return held;
    const bytes = await fetch();
    if (bytes === null) return null;
    await naming(path, async () => check(bytes));
    await this.write(path, bytes);
    return bytes;
  }

  /** The head comes last: before, the folder does not pass for a mirror. */
  writeHead(bytes: Uint8Array): Promise<void> {
    return this.write(HEAD_FILE, bytes);
  }
}

/** Throws as `check` does, but for `malformed`. */
function isReadable(bytes: Uint8Array, check: (bytes: Uint8Array) => void): boolean {
  try {
    check(bytes);
    return true;
  } catch (error) {
    if (isDisclosureError(error, "malformed") || isDisclosureError(error, "not_json")) return false;
    throw error;
  }
}
