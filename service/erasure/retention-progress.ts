// How far the walk of retention over the table has come, when it came to the table's end last, and whether that is too long
// ago: no function may delete a receipt, so an operator has to run it (docs/decisions/0014-no-function-deletes.md).
import * as z from "zod";
import { DAY_MS } from "../../contract/time.ts";
import { canonicalize, parseJson } from "../../evidence/core/canonical-json.ts";
import { MAX_CLOCK_DIFFERENCE_MS } from "../../evidence/core/timestamps/clock-difference.ts";
import { cutoffOf } from "../ledger/leaf-states.ts";
import { textOf } from "../table/attributes.ts";
import type { Item } from "../table/item.ts";
import { retentionKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import type { Tenant } from "../tenants/tenant-registry.ts";

/** It is to be run every month; a run may come some days late. */
export const RETENTION_OVERDUE_DAYS = 40;
const PLACE = "place";
const COMPLETED = "completed_at";
const placeSchema = z.object({ pk: z.string(), sk: z.string() });

export interface RetentionProgress {
  /** Where the walk goes on; null for the table's beginning. */
  readonly place: Item | null;
  /**
   * When a walk for all tenants came to the table's end last, RFC 3339; null where none has, and for a time still to come,
   * at which none can have.
   */
  readonly completedAt: string | null;
}

export async function readRetentionProgress(table: Table): Promise<RetentionProgress> {
  const item = (await table.get(retentionKey)) ?? {};
  const completedAt = item[COMPLETED]?.S ?? null;
  const isPast =
    completedAt !== null && Date.parse(completedAt) - table.clock().getTime() <= MAX_CLOCK_DIFFERENCE_MS;
  return { place: readPlace(item[PLACE]?.S), completedAt: isPast ? completedAt : null };
}

/** Null as well for a text that no walk has saved. */
function readPlace(text: string | undefined): Item | null {
  try {
    if (text === undefined) return null;
    const { pk, sk } = placeSchema.parse(parseJson(text));
    return { pk: { S: pk }, sk: { S: sk } };
  } catch {
    return null;
  }
}

/** A place that is lost, or older than it could be, costs another reading. */
export async function saveRetentionProgress(
  table: Table,
  { place, completedAt }: RetentionProgress,
): Promise<void> {
  const text = place && canonicalize({ pk: textOf(place, "pk"), sk: textOf(place, "sk") });
  await table.put({
    ...retentionKey,
    ...(text !== null && { [PLACE]: { S: text } }),
    ...(completedAt !== null && { [COMPLETED]: { S: completedAt } }),
  });
}

/** Only a tenant that is older than its own retention can have a receipt that is too old. */
export async function isRetentionOverdue(
  table: Table,
  tenants: readonly Pick<Tenant, "createdAt" | "retentionMonths">[],
): Promise<boolean> {
  const now = table.clock();
  const isDue = tenants.some(
    ({ createdAt, retentionMonths }) =>
      retentionMonths !== null && createdAt < cutoffOf(now, retentionMonths),
  );
  if (!isDue) return false;
  const { completedAt } = await readRetentionProgress(table);
  return completedAt === null || now.getTime() - Date.parse(completedAt) > RETENTION_OVERDUE_DAYS * DAY_MS;
}
