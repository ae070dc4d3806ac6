// A table that was put back from a copy, beside roots that were not: it would give out again the event ids of receipts that
// were answered, and seal other ones. Where roots and table came back together, nothing in the folder knows of it.
import { DisclosureError, isDisclosureError } from "../../evidence/core/errors.ts";
import type { PublishedRoots } from "../../service/seals/published-roots.ts";
import { SealRecords } from "../../service/seals/seal-records.ts";
import type { Table } from "../../service/table/table.ts";

/** No root is published before its seal is in the table. Throws `misconfigured` where one is. */
export async function requireSealsOf(roots: PublishedRoots, table: Table): Promise<void> {
  const next = await nextSeal(table);
  if (next === null || (await roots.seal(next)) === null) return;
  throw new DisclosureError(
    "misconfigured",
    `the table is older than its published roots: it has no seal ${next}; put back the newest table, or set DATA_DIR to a new folder`,
  );
}

/** Null where the newest seal is damaged: a stack that runs can be looked into. */
async function nextSeal(table: Table): Promise<number | null> {
  try {
    const newest = await new SealRecords(table).newest();
    return newest === null ? 0 : newest.tree.index + 1;
  } catch (error) {
    if (isDisclosureError(error, "ledger_corrupt")) return null;
    throw error;
  }
}
