// The notes of erasure and removal on a leaf are not hashed, so somebody who writes the table can put one there: it takes a
// receipt from what is served. One that no command can have written is damage, and no reason for an answer without it.
import { DisclosureError } from "../../evidence/core/errors.ts";
import type { Erasure } from "../../evidence/core/formats/erasure.ts";
import { MAX_CLOCK_DIFFERENCE_MS } from "../../evidence/core/timestamps/clock-difference.ts";
import type { Table } from "../table/table.ts";
import { type ChainLeaf, readChainLeaf, removalOf } from "./chain-leaf.ts";
import { issuedBefore, type Removal, readErasure } from "./leaf-states.ts";
import { Log, type LogEntry } from "./log.ts";

/** The leaves before a removed one that are looked at: it is not older than any of them. */
const NEIGHBOURS = 8;

/** A conversation is erased some time after each of its receipts was issued. Throws `ledger_corrupt`. */
export function requirePlausibleErasure({ erased_at }: Erasure, issuedAt: string, now: Date): void {
  if (isAhead(erased_at, now) || erased_at < issuedAt)
    throw implausible("a receipt has a note of an erasure that was not then", { erased_at, issuedAt });
}

/**
 * What is removed was issued before the first instant that retention kept, and `issued_at` never goes back along a chain.
 * Throws `ledger_corrupt` where a receipt before it, which was `keptSince` then, is as young as that.
 */
export function requirePlausibleRemoval(removal: Removal, keptSince: string | null, now: Date): void {
  const { removed_at, months } = removal;
  if (isAhead(removed_at, now))
    throw implausible("a receipt has a note of a removal still to come", { removed_at });
  if (keptSince !== null && keptSince >= issuedBefore(removal))
    throw implausible("a receipt that counts as removed was not old enough", {
      removed_at,
      months,
      keptSince,
    });
}

/** A receipt of which evidence is made, and its tombstone. */
export interface NotedLeaf {
  readonly receipt: ChainLeaf;
  readonly erasure: Erasure | null;
}

/** Throws as `readChainLeaf` does, and `ledger_corrupt` where a note is not plausible. */
export async function readNotedLeaf(table: Table, chainId: string, entry: LogEntry): Promise<NotedLeaf> {
  await checkRemoval(table, chainId, entry);
  const receipt = readChainLeaf(entry);
  const erasure = readErasure(entry.item);
  if (erasure !== null) requirePlausibleErasure(erasure, receipt.core.issued_at, table.clock());
  return { receipt, erasure };
}

/** Throws `ledger_corrupt` where the leaf has a note of a removal that is not plausible. */
export async function checkRemoval(table: Table, chainId: string, entry: LogEntry): Promise<void> {
  const removal = removalOf(entry);
  if (removal === null) return;
  const keptSince = await readKeptBefore(table, chainId, entry.leaf.leafIndex);
  requirePlausibleRemoval(removal, keptSince, table.clock());
}

/** When the nearest receipt before this place was issued that is not removed; null where there is none near. */
async function readKeptBefore(table: Table, chainId: string, leafIndex: number): Promise<string | null> {
  const count = Math.min(NEIGHBOURS, leafIndex);
  const before = Array.from({ length: count }, (_, i) => leafIndex - 1 - i);
  const entryAt = await new Log(table, chainId).entriesByIndex(before);
  for (const index of before) {
    const entry = entryAt(index);
    if (removalOf(entry) === null) return readChainLeaf(entry).core.issued_at;
  }
  return null;
}

const isAhead = (instant: string, now: Date): boolean =>
  Date.parse(instant) - now.getTime() > MAX_CLOCK_DIFFERENCE_MS;

const implausible = (message: string, evidence: Readonly<Record<string, unknown>>): DisclosureError =>
  new DisclosureError("ledger_corrupt", message, evidence);
