// A file that the reader gave to the page, as it is before anything is read from it.
import { formatDigest, hashBytes } from "../../evidence/core/merkle/hash.ts";
import { MAX_FILE_BYTES } from "../../evidence/reader/limits.ts";
import type { UnreadableReason } from "../../evidence/reader/unreadable.ts";

/** A file or pasted text on the reader's device; `name` is null for the latter. */
export interface Source {
  readonly name: string | null;
  /** Bytes. */
  readonly size: number;
  read(): Promise<Uint8Array>;
  /** What the reader says that it is, where a button asked for just that. */
  readonly as?: GivenAs;
  /** True for a file of a folder: whoever made the folder chose it. */
  readonly isInFolder?: boolean;
}

/** A root that counts as published, or the key or policy that takes the place of the one before. */
export type GivenAs = "seal" | "log_policy";

export interface TakenFile {
  readonly name: string | null;
  /** Bytes. */
  readonly size: number;
  /** `sha256:` and hex, over the bytes; empty where they could not be had. */
  readonly digest: string;
  /** The bytes, or why they were not taken. */
  readonly content: Uint8Array | UnreadableReason;
  readonly as: GivenAs | null;
  readonly isInFolder: boolean;
}

/** Tells files apart: by their bytes where there are any. */
export const keyOf = ({ name, digest }: Pick<TakenFile, "name" | "digest">): string =>
  digest || `unread ${name}`;

/** The most bytes that all files of a session have together: a browser on a phone keeps them in memory. */
export const MAX_SESSION_BYTES = 64 * 1024 * 1024;

/** `room` is how many bytes may still come. */
export async function takeFile(
  { name, size, read, as, isInFolder = false }: Source,
  room: number,
): Promise<TakenFile> {
  const refused = (content: UnreadableReason): TakenFile => ({
    name,
    size,
    digest: "",
    content,
    as: as ?? null,
    isInFolder,
  });
  if (size > MAX_FILE_BYTES) return refused("too_large");
  if (size > room) return refused("too_many");
  // The device may have lost it since it was picked, and a console may not have the report that a link names.
  const bytes = await read().catch(() => null);
  if (bytes === null) return refused("gone");
  const digest = formatDigest(hashBytes(bytes));
  return { name, size: bytes.length, digest, content: bytes, as: as ?? null, isInFolder };
}
