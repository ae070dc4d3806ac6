// What the page takes on. Evidence comes from strangers: past these sizes it is refused before anything costs time.
import { MAX_TOKEN_LENGTH } from "../core/formats/metachain.ts";

/** The largest bundle the service hands out has some 5 MB. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** A token is the longest text there is; a megabyte of ASN.1 becomes a gigabyte of objects. Counted in characters. */
export const MAX_TEXT_LENGTH = MAX_TOKEN_LENGTH;
/** A bundle has 500 receipts, a renewal 2,000 steps, a path 54 nodes. */
export const MAX_LIST_LENGTH = 2_000;
/** A collection of certificates; a browser's whole list has 250 KB. */
export const MAX_PEM_LENGTH = 512 * 1024;
/** What reading or checking may take, in milliseconds, before it is stopped. */
export const MAX_WORK_MS = 60_000;
/** What the reader's eye may be asked to take in of one field, in characters. */
export const MAX_SHOWN_LENGTH = 160;

/** Whether every text and list in parsed JSON is of a size that evidence has. The nesting is known to be shallow. */
export function isModest(value: unknown): boolean {
  if (typeof value === "string") return value.length <= MAX_TEXT_LENGTH;
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value) && value.length > MAX_LIST_LENGTH) return false;
  return Object.values(value).every(isModest);
}
