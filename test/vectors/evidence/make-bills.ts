// Makes the vectors of bills: good ones, forged ones, and what their reader has. Everything in them follows from the tenant
// and the times of test/support/bill-world.ts.
import type { Bill } from "../../../evidence/core/formats/bill.ts";
import { billAt, finalBill, openBill, world } from "../../support/bill-inputs.ts";
import { BILL_LIES, PLANTED_LIES } from "../../support/bill-lies.ts";
import { FINAL_AT, historyFiles, publishedFiles, type World } from "../../support/bill-world.ts";
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
  const bills = [...GOOD.map((good) => ({ ...good, failing: [] })), ...BILL_LIES].map((one) => ({
    ...one,
    ...{ world, folder: "bills" },
  }));
  const forged = PLANTED_LIES.map((one) => ({ ...one, folder: `bills/${one.name}` }));
  // What an operator plants in the log takes nothing from an honest bill that ignores it.
  const honest = forged.slice(0, 1).map((one) => ({
    ...{ ...one, name: "honest-beside-a-planted-number", failing: [] },
    reason: "an honest bill, in whose log an entry has the number of a later head",
    bill: billAt(FINAL_AT, {}, one.world),
  }));
  const all = [...bills, ...forged, ...honest];
  const rows = all.map(({ name, reason, failing, folder }) => ({
    file: `bills/${name}.json`,
    ...{ mirror: `${folder}/mirror`, history: `${folder}/history` },
    expected: failing.length === 0 ? "holds" : "does_not_hold",
    failing,
    reason,
  }));
  const worlds = new Map<string, World>(all.map(({ folder, world }) => [folder, world]));
  const under = (folder: string, files: Iterable<readonly [string, Uint8Array | string]>) =>
    [...files].map(([path, bytes]) => [`${folder}/${path}`, bytes]);
  return Object.fromEntries([
    ...all.map(({ name, bill }) => [`bills/${name}.json`, print(bill as never)]),
    ...[...worlds].flatMap(([folder, of]) => [
      ...under(`${folder}/mirror`, publishedFiles(of)),
      ...under(`${folder}/history`, historyFiles(of, of.seals)),
    ]),
    ["bills.json", print(rows as never)],
  ]);
}
