// Makes the vectors of bills: good ones, forged ones, and what their reader has. Everything in them follows from the tenant
// and the times of test/support/bill-world.ts, so a new run gives the same. Run by hand in this folder; see SOURCES.md.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Bill } from "../../../core/formats/bill.ts";
import { billAt, finalBill, openBill, world } from "../../support/bill-inputs.ts";
import { BILL_LIES } from "../../support/bill-lies.ts";
import { FINAL_AT, historyFiles, publishedFiles } from "../../support/bill-world.ts";
import { print } from "./edit.ts";

const FOLDER = new URL("bills/", import.meta.url);

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

function save(path: string, content: string | Uint8Array): void {
  const file = new URL(path, FOLDER);
  mkdirSync(dirname(file.pathname), { recursive: true });
  writeFileSync(file, content);
}

rmSync(FOLDER, { recursive: true, force: true });
for (const { name, bill } of [...GOOD, ...BILL_LIES]) save(`${name}.json`, print(bill as never));
for (const [path, bytes] of publishedFiles(world)) save(`mirror/${path}`, bytes);
for (const [path, bytes] of historyFiles(world, world.seals)) save(`history/${path}`, bytes);
const rows = [...GOOD.map((good) => ({ ...good, failing: [] })), ...BILL_LIES].map(({ name, reason, failing }) => ({
  file: `bills/${name}.json`,
  expected: failing.length === 0 ? "holds" : "does_not_hold",
  failing,
  reason,
}));
writeFileSync(new URL("../bills.json", FOLDER), print(rows as never));
