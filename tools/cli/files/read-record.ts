// A record of the files that a program read: what is said of a file is said of the bytes that were examined, and not of
// those that lie under its name a moment later.
import { formatDigest, hashBytes } from "../../../evidence/core/merkle/hash.ts";
import { type ReadBytes, readBytes } from "./read-file.ts";

export interface RecordedFile {
  readonly size: number;
  /** `sha256:` and hex. */
  readonly digest: string;
}

export class ReadRecord {
  readonly #files = new Map<string, RecordedFile>();

  /** Reads as `readBytes` does. A file that is read again is recorded as it was read last. */
  readonly read: ReadBytes = async (path, limit) => {
    const bytes = await readBytes(path, limit);
    this.#files.set(path, { size: bytes.length, digest: formatDigest(hashBytes(bytes)) });
    return bytes;
  };

  /** Null for a file that was not read. */
  of(path: string): RecordedFile | null {
    return this.#files.get(path) ?? null;
  }
}
