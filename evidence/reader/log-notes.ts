// Reads the signed notes of a log: the text of its newest checkpoint, and that of each seal.
import { DisclosureError } from "../core/errors.ts";
import type { LogSource } from "./metachain.ts";

/** Null where there is no such file. Throws `publication_unavailable`, or `malformed` for bytes that are no text. */
export async function readNoteFile(files: LogSource, path: string): Promise<string | null> {
  const bytes = await files.logFile(path);
  return bytes === null ? null : decodeNote(bytes, path);
}

/** The text of a note. Throws `malformed`, naming `what`, for bytes that are not UTF-8. */
export function decodeNote(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new DisclosureError("malformed", `${what} is no text in UTF-8`, {}, cause);
  }
}
