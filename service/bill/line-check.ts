// The rules that the receipts of a bill's line must keep, checked before the line is served. Its paths are verified where
// they are read.
import { DisclosureError } from "../../core/errors.ts";
import type { BilledReceipt, BillLine } from "../../core/formats/bill.ts";
import type { Month } from "../limits/month.ts";
import { nameOfMonth } from "./bill-month.ts";

/** Throws `ledger_corrupt`: the fault is ours, and nobody may be billed by it. */
export function checkLine(line: BillLine, month: Month): void {
  const { chain_id, from, to, opening, closing } = line;
  const endsAt = month.endsAt.toISOString();
  const isBefore = ({ receipt }: BilledReceipt) => receipt.issued_at < month.startsAt;
  const isAfter = ({ receipt }: BilledReceipt) => receipt.issued_at >= endsAt;
  const isWithin = (billed: BilledReceipt) => !isBefore(billed) && !isAfter(billed);
  const holds = (billed: BilledReceipt | null, sequence: number, rule: (billed: BilledReceipt) => boolean) =>
    billed === null ||
    (billed.receipt.chain_id === chain_id && billed.receipt.sequence === sequence && rule(billed));
  const isRight =
    from <= to &&
    closing.leaf.chain_id === chain_id &&
    closing.leaf.tree_size >= to &&
    (opening === null || (opening.leaf.chain_id === chain_id && opening.leaf.tree_size <= from)) &&
    holds(line.before, from - 1, isBefore) &&
    holds(line.first, from, isWithin) &&
    holds(line.last, to - 1, isWithin) &&
    holds(line.after, to, isAfter);
  if (isRight) return;
  const evidence = { chain_id, from, to, month: nameOfMonth(month) };
  throw new DisclosureError("ledger_corrupt", "a line of a bill contradicts its receipts", evidence);
}
