// Files and standard input, read up to a limit: what is named on a command line may be anything, even /dev/zero.
import { access, type FileHandle, open, stat } from "node:fs/promises";
import { collectBytes } from "../../../evidence/core/collect-bytes.ts";
import { DisclosureError } from "../../../evidence/core/errors.ts";
import { formatNumber } from "../../../evidence/reader/text/format.ts";

export const STANDARD_INPUT = "-";

const CHUNK_BYTES = 64 * 1024;
const MEBIBYTE = 1024 * 1024;
/** A shell opens files for its user under this path, as in `verify <(curl …)`. */
const DEVICES = "/dev/";

/** How a file is read: by `readBytes`, or by what keeps a record of it. */
export type ReadBytes = (path: string, limit: number) => Promise<Uint8Array>;

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
export async function readText(path: string, limit: number, read: ReadBytes = readBytes): Promise<string> {
  const bytes = await read(path, limit);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new DisclosureError("malformed", "this is not text in UTF-8", {}, cause);
  }
}

/** True if a second reading would give the same bytes: standard input and pipes give them once. */
export const isRereadable = (path: string): Promise<boolean> =>
  path === STANDARD_INPUT
    ? Promise.resolve(false)
    : stat(path).then(
        (found) => found.isFile() || found.isDirectory(),
        () => true,
      );

/** True if there is anything under this name. */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Opening a pipe waits until somebody writes to it: one among files would keep its reader for ever. */
async function openToRead(path: string): Promise<FileHandle> {
  try {
    const found = await stat(path);
    const isReadable = found.isFile() || found.isDirectory() || path.startsWith(DEVICES);
    if (!isReadable) throw new DisclosureError("malformed", "this is not a file but a pipe or a device");
    return await open(path, "r");
  } catch (error) {
    throw asUnreadable(error);
  }
}

async function readOpen(file: FileHandle, limit: number): Promise<Uint8Array> {
  const { size } = await file.stat();
  if (size > limit) throw tooLarge(limit);
  // A device has the size 0, and a file that grows has more bytes than its size said.
  const stream = file.createReadStream({ autoClose: false, highWaterMark: Math.max(size + 1, CHUNK_BYTES) });
  return collect(stream, limit);
}

const tooLarge = (limit: number): DisclosureError =>
  new DisclosureError("payload_too_large", `this is larger than ${formatSize(limit)}`, { limit });

const formatSize = (bytes: number): string =>
  bytes < MEBIBYTE ? `${formatNumber("en", bytes)} bytes` : `${bytes / MEBIBYTE} MiB`;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "this file may not be read by you",
  EISDIR: "this is a folder",
  ENOTDIR: "there is no such file",
  ELOOP: "this link leads nowhere",
};

function asUnreadable(error: unknown): unknown {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (error instanceof DisclosureError || !(error instanceof Error)) return error;
  return new DisclosureError("malformed", REASONS[code] ?? `this can't be read (${code})`, {}, error);
}
