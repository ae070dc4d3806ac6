// Reads items that were written together. A query or a batch is no snapshot: while a transaction is being applied, it
// may see the last of its items and not yet the first.
import { DisclosureError } from "../../evidence/core/errors.ts";
import { backoff } from "./backoff.ts";

/** The most reads of items that must be there. */
const MAX_READS = 5;

/** An item that must be there, and is not: not yet, or not any more. */
export class MissingItem extends DisclosureError {}

/** Reads again while an item is missing, for as long as a transaction may take to be seen whole. */
export async function untilWhole<T>(read: () => Promise<T>): Promise<T> {
  for (let reads = 1; ; reads++) {
    try {
      return await read();
    } catch (error) {
      if (reads === MAX_READS || !(error instanceof MissingItem)) throw error;
    }
    await backoff(reads);
  }
}
