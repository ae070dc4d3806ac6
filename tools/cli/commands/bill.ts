// `bill`: fetches the bill of a month, checks it, and writes it as a page to print or as a table.
import { type Command, type ExitCode, UsageError } from "../command.ts";
import type { Terminal } from "../output/terminal.ts";
import { CSV_HELP, runCsv } from "./bill-csv.ts";
import { FETCH_HELP, runFetch } from "./bill-fetch.ts";
import { runSheet, SHEET_HELP } from "./bill-sheet.ts";
import { runVerify, VERIFY_HELP } from "./bill-verify.ts";

const HELP = `Usage: disclosure-receipts bill verify FILE --metachain URL|DIR [--history DIR]
       disclosure-receipts bill sheet FILE -o BILL.html [--lang de|en]
       disclosure-receipts bill csv FILE
       disclosure-receipts bill fetch URL --key KEY|@FILE --month YYYY-MM -o FILE

A bill counts the receipts of a month, chain by chain, and proves both ends of
the month by receipts under published roots. Checking one needs no key.

  verify   checks a bill, and names the line that does not hold
  sheet    writes it as a page to print, with what was checked
  csv      prints one row for each chain, and the total
  fetch    fetches your own bill, all of its pages, with a key

disclosure-receipts bill verify --help says more, and so does each of the others.`;

const PARTS: Readonly<Record<string, (args: readonly string[], terminal: Terminal) => Promise<ExitCode>>> = {
  verify: runVerify,
  sheet: runSheet,
  csv: runCsv,
  fetch: runFetch,
};

async function run([part = "", ...rest]: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const found = Object.hasOwn(PARTS, part) ? PARTS[part] : undefined;
  if (found === undefined) throw new UsageError(`bill takes one of ${Object.keys(PARTS).join(", ")}`);
  return found(rest, terminal);
}

export const command: Command = {
  help: HELP,
  topics: { verify: VERIFY_HELP, sheet: SHEET_HELP, csv: CSV_HELP, fetch: FETCH_HELP },
  run,
};
