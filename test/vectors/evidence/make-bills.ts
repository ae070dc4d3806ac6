// Makes the vectors of bills: good ones, forged ones, and what their reader has. Everything in them follows from the tenant
// and the times of test/support/bill-world.ts.
import type { Bill } from "../../../evidence/core/formats/bill.ts";
import { billAt, finalBill, openBill, world } from "../../support/bill-inputs.ts";
import { BILL_LIES } from "../../support/bill-lies.ts";
import { FINAL_AT, historyFiles, publishedFiles } from "../../support/bill-world.ts";
import { print, type Vectors } from "./edit.ts";

const GOOD: readonly { readonly name: string; readonly reason: string; readonly bill: Bill }[] = [
  { name: "final", reason: "two chains: one goes on after the month, one does not", bill: finalBill },
  { name: "open", reason: "the same month, eleven days before its end", bill: openBill },
  {
    name: "no-receipts",
    reason: "no receipt is of the month, but both chains have later ones",
    bill: billAt(FINAL_AT, { month: "2026-08" }),
  },
  {
    name: "without-a-price",
    reason: "the plan has no price",
    bill: billAt(FINAL_AT, { plan: { name: "free", price: null } }),
  },
];

export function billVectors(): Vectors {
  const bills = [...GOOD.map((good) => ({ ...good, failing: [] })), ...BILL_LIES];
  const rows = bills.map(({ name, reason, failing }) => ({
    file: `bills/${name}.json`,
    expected: failing.length === 0 ? "holds" : "does_not_hold",
    failing,
    reason,
  }));
  const under = (folder: string, files: Iterable<readonly [string, Uint8Array | string]>) =>
    [...files].map(([path, bytes]) => [`${folder}/${path}`, bytes]);
  return Object.fromEntries([
    ...bills.map(({ name, bill }) => [`bills/${name}.json`, print(bill as never)]),
    ...under("bills/mirror", publishedFiles(world)),
    ...under("bills/history", historyFiles(world, world.seals)),
    ["bills.json", print(rows as never)],
  ]);
}
