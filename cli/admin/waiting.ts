// Names what a deployment has recorded and not yet sealed or published. It is no fault, and can be the first sign of one.
import { count } from "../../core/verify/count.ts";
import type { LedgerStatus } from "../../service/audit/ledger-status.ts";

/** One entry for each kind of thing that waits. */
export function describeWaiting({
  unpublished,
  backlog: { receipts },
}: Pick<LedgerStatus, "unpublished"> & { readonly backlog: { readonly receipts: number } }): string[] {
  return [
    ...(receipts === 0 ? [] : [`${waits(receipts, "receipt")} to be sealed`]),
    ...(unpublished === 0 ? [] : [`${waits(unpublished, "seal")} to be published`]),
  ];
}

const waits = (number: number, noun: string): string =>
  `${count(number, noun)} ${number === 1 ? "waits" : "wait"}`;
