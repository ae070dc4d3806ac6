// Files and standard input, read up to a limit: what is named on a command line may be anything, even /dev/zero.
import { access, type FileHandle, open, stat } from "node:fs/promises";
import { collectBytes } from "../../core/collect-bytes.ts";
import { DisclosureError, isDisclosureError } from "../../core/errors.ts";

/** The service's largest answer, a page of a conversation, has less than 4 MiB. */
export const MAX_EVIDENCE_BYTES = 8 * 1024 * 1024;
/** A trust anchor has some 2 KB; the whole list of a browser has 300 KB. */
export const MAX_PEM_BYTES = 1024 * 1024;
export const STANDARD_INPUT = "-";

const CHUNK_BYTES = 64 * 1024;
/** What a shell opens for its user, as in `verify <(curl …)`, has a name under it. */
const DEVICES = "/dev/";

/** The whole content. Throws `malformed` where there is none to read, `payload_too_large` beyond `limit` bytes. */
export async function readBytes(path: string, limit: number): Promise<Uint8Array> {
  if (path === STANDARD_INPUT) return collect(process.stdin, limit);
  const file = await openToRead(path);
  try {
    return await readOpen(file, limit);
  } catch (error) {
    throw asUnreadable(error);
  } finally {
    await file.close();
  }
}

/** Collects a stream of bytes. Throws `payload_too_large` as soon as there are more than `limit`. */
export async function collect(chunks: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const bytes = await collectBytes(chunks, limit);
  if (bytes === null) throw tooLarge(limit);
  return bytes;
}

/** Text in UTF-8. Throws as `readBytes` does, and `malformed` for other bytes. */
export async function readText(path: string, limit: number): Promise<string> {
  const bytes = await readBytes(path, limit);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new DisclosureError("malformed", "this is not text in UTF-8", {}, cause);
  }
}

/** Runs `read`; what it refuses is said with the name of the file. */
export async function naming<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    throw new DisclosureError(error.code, `${name}: ${error.message}`, {}, error);
  }
}

/** Whether there is anything under this name. */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** A pipe that lies among files is opened only when somebody writes to it: its reader would wait for ever. */
async function openToRead(path: string): Promise<FileHandle> {
  try {
    const found = await stat(path);
    const isReadable = found.isFile() || found.isDirectory() || path.startsWith(DEVICES);
    if (!isReadable) throw new DisclosureError("malformed", "this is no file but a pipe or a device");
    return await open(path, "r");
  } catch (error) {
    throw asUnreadable(error);
  }
}

async function readOpen(file: FileHandle, limit: number): Promise<Uint8Array> {
  const { size } = await file.stat();
  if (size > limit) throw tooLarge(limit);
  // A device says that it has no bytes, and a growing file has more than it said.
  const stream = file.createReadStream({ autoClose: false, highWaterMark: Math.max(size + 1, CHUNK_BYTES) });
  return collect(stream, limit);
}

const tooLarge = (limit: number): DisclosureError =>
  new DisclosureError("payload_too_large", `this is larger than ${limit / 1024 / 1024} MiB`, { limit });

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "this may not be read",
  EISDIR: "this is a folder",
  ENOTDIR: "there is no such file",
  ELOOP: "this link leads nowhere",
};

function asUnreadable(error: unknown): unknown {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (error instanceof DisclosureError || !(error instanceof Error)) return error;
  return new DisclosureError("malformed", REASONS[code] ?? `this can't be read (${code})`, {}, error);
}
