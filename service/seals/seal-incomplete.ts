// Which seals lack tokens: two sets of numbers in one item. A seal is known by the size that it continues from.
import { incompleteKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";

/** `tokenless` seals were published without any token, `incomplete` ones with fewer than were wanted. */
const LACKS = ["tokenless", "incomplete"] as const;
export type Lack = (typeof LACKS)[number];

/** What lacks what, oldest first. */
export async function readIncomplete(table: Table): Promise<Record<Lack, readonly number[]>> {
  const item = await table.get(incompleteKey);
  const sizesOf = (lack: Lack): number[] => (item?.[lack]?.NS ?? []).map(Number).sort((a, b) => a - b);
  return { tokenless: sizesOf("tokenless"), incomplete: sizesOf("incomplete") };
}

/** Notes what a seal lacks, or that it lacks nothing any more. Safe to repeat: the sets are changed, never replaced. */
export async function noteLack(table: Table, fromSize: number, lack: Lack | null): Promise<void> {
  const removed = LACKS.filter((name) => name !== lack);
  const add = lack === null ? "" : `ADD ${lack} :size `;
  await table.update({
    Key: incompleteKey,
    UpdateExpression: `${add}DELETE ${removed.map((name) => `${name} :size`).join(", ")}`,
    ExpressionAttributeValues: { ":size": { NS: [String(fromSize)] } },
  });
}
