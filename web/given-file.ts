// A file that the reader gave to the page, as it is before anything is read from it.
import { formatDigest, hashBytes } from "../core/merkle/hash.ts";
import { MAX_FILE_BYTES } from "../reader/limits.ts";
import type { UnreadableReason } from "../reader/unreadable.ts";

/** Why nothing can be said about a file; the last ones are the page's own reasons. */
export type ProblemReason =
  | UnreadableReason
  | "gone"
  | "too_slow"
  | "too_many"
  | "folder_too_large"
  | "no_evidence"
  | "two_histories"
  | "history_broken"
  | "history_malformed";

/** A file or pasted text on the reader's device; `name` is null for the latter. */
export interface Source {
  readonly name: string | null;
  /** Bytes. */
  readonly size: number;
  read(): Promise<Uint8Array>;
}

export interface GivenFile {
  readonly name: string | null;
  /** Bytes. */
  readonly size: number;
  /** `sha256:` and hex, over the bytes; empty where they could not be had. */
  readonly digest: string;
  /** The bytes, or why they were not taken. */
  readonly content: Uint8Array | ProblemReason;
}

/** Tells files apart: by their bytes where there are any. */
export const keyOf = ({ name, digest }: Pick<GivenFile, "name" | "digest">): string =>
  digest || `unread ${name}`;

/** The most bytes that all files of a session have together: a browser on a phone keeps them in memory. */
export const MAX_SESSION_BYTES = 64 * 1024 * 1024;

/** `room` is how many bytes may still come. */
export async function takeFile({ name, size, read }: Source, room: number): Promise<GivenFile> {
  const refused = (content: ProblemReason): GivenFile => ({ name, size, digest: "", content });
  if (size > MAX_FILE_BYTES) return refused("too_large");
  if (size > room) return refused("too_many");
  // The device may have lost it since it was picked, and a console may not have the report that a link names.
  const bytes = await read().catch(() => null);
  if (bytes === null) return refused("gone");
  return { name, size: bytes.length, digest: formatDigest(hashBytes(bytes)), content: bytes };
}
