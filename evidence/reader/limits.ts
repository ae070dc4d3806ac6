// The sizes that a reader's program takes. Evidence comes from strangers: what is larger is refused before it costs time.
import { MAX_TOKEN_LENGTH } from "../core/formats/metachain.ts";
import { MAX_LIST_LENGTH } from "../core/formats/shapes.ts";

/** A page of a conversation has less than 4 MiB; pages that were joined and saved may have more. Bytes. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;
/** A bill has some 20 KB for each of 4,096 chains at most. Bytes. */
export const MAX_BILL_BYTES = 128 * 1024 * 1024;
/** A token is the longest text in evidence. Characters. */
export const MAX_TEXT_LENGTH = MAX_TOKEN_LENGTH;
/** A trust anchor has some 2 KB; the whole list of a browser has 300 KB. Characters. */
export const MAX_PEM_LENGTH = 1024 * 1024;

/** True if every text and list in parsed JSON has a size that evidence can have. `parseJson` has bounded the nesting. */
export function isWithinLimits(value: unknown): boolean {
  if (typeof value === "string") return value.length <= MAX_TEXT_LENGTH;
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value) && value.length > MAX_LIST_LENGTH) return false;
  return Object.values(value).every(isWithinLimits);
}
