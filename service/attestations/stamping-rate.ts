// How often a tenant's attestations are stamped in the call. The chain itself decides, so the rate holds across
// processes without a read or a write: its time is cut into slots, and only what comes first in a slot is stamped.
import type { Appended } from "../ledger/appender.ts";
import type { Caller } from "../tenants/tenants.ts";

const MINUTE_MS = 60_000;

/** Whether what was written with this receipt, which shares one stamp, is the first of its slot. */
export function isStampDue({ inlineStampsPerMinute: rate, chainIds }: Caller, appended: Appended): boolean {
  if (rate === null) return true;
  // A replay is a receipt of old: its slot was somebody else's to use.
  if (rate === 0 || appended.isReplay) return false;
  const { previousIssuedAt, receipt } = appended;
  // The tenant's chains share the rate.
  const slotMs = (MINUTE_MS * chainIds.length) / rate;
  const slotOf = (issuedAt: string): number => Math.floor(Date.parse(issuedAt) / slotMs);
  return previousIssuedAt === null || slotOf(previousIssuedAt) < slotOf(receipt.core.issued_at);
}
