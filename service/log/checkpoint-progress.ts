// How far the log's checkpoints have come, as an item of the table. It remembers that there was a checkpoint, should the
// bucket forget it.
import { isDisclosureError } from "../../evidence/core/errors.ts";
import { integerOf } from "../table/attributes.ts";
import { anyOf, isAbsent, isAtMost } from "../table/condition.ts";
import { checkpointsKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";

export interface CheckpointProgress {
  /** The newest seal with a checkpoint, and its tree. */
  readonly index: number;
  readonly size: number;
  /** When its quorum was last cosigned; null where the newest answers of the witnesses were none. */
  readonly cosignedAt: Date | null;
}

/** Null where none is noted. */
export async function readCheckpointProgress(table: Table): Promise<CheckpointProgress | "damaged" | null> {
  const item = await table.get(checkpointsKey);
  if (item?.size === undefined) return null;
  try {
    const cosignedAt = item.cosigned_at === undefined ? null : new Date(integerOf(item, "cosigned_at"));
    return { index: integerOf(item, "index"), size: integerOf(item, "size"), cosignedAt };
  } catch (error) {
    if (isDisclosureError(error, "ledger_corrupt")) return "damaged";
    throw error;
  }
}

/** As before the first checkpoint. */
export const forgetCheckpointProgress = (table: Table): Promise<void> => table.put(checkpointsKey);

/** Never back: another run may have come further. */
export async function writeCheckpointProgress(
  table: Table,
  { index, size, cosignedAt }: CheckpointProgress,
): Promise<void> {
  const set = { index: { N: String(index) }, size: { N: String(size) } };
  const when = anyOf(isAbsent("size"), isAtMost("size", { N: String(size) }));
  const update = { key: checkpointsKey, when };
  if (cosignedAt === null) await table.update({ ...update, set, remove: ["cosigned_at"] });
  else await table.update({ ...update, set: { ...set, cosigned_at: { N: String(cosignedAt.getTime()) } } });
}
