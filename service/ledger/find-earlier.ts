// Looks for the receipt of an Idempotency-Key without writing anything, for a caller who may write nothing any more.
import { SECOND_MS } from "../../contract/time.ts";
import { integerOf } from "../table/attributes.ts";
import type { Table } from "../table/table.ts";
import type { Submission } from "./append-plan.ts";
import { type Appended, asReplay } from "./appended.ts";
import { readEarlierReceipt } from "./earlier-receipt.ts";
import type { Macs } from "./macs.ts";

interface FindEarlierServices {
  readonly table: Table;
  readonly macs: Macs;
  readonly clock: () => Date;
}

/** Null where the key was not used within its life. Throws what `readEarlierReceipt` throws. */
export async function findEarlier(
  { table, macs, clock }: FindEarlierServices,
  submission: Pick<Submission, "inputHash" | "idempotency">,
): Promise<Appended | null> {
  const record = submission.idempotency && (await table.get(submission.idempotency));
  if (record === null) return null;
  const seconds = Math.floor(clock().getTime() / SECOND_MS);
  // As in a write (append-writes.ts): time to live deletes late.
  if (integerOf(record, "expires_at") <= seconds) return null;
  return asReplay(await readEarlierReceipt({ table, macs }, submission, record));
}
