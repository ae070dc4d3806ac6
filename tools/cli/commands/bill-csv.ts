// `bill csv`: prints a bill as a table for programs: one row for each chain, and the total.
import type { Bill } from "../../../evidence/core/formats/bill.ts";
import { examineFile, exitOf, onlyFile } from "../bill/examine.ts";
import { Exit, type ExitCode, readArguments } from "../command.ts";
import { bold, type Terminal } from "../output/terminal.ts";

export const CSV_HELP = `Usage: disclosure-receipts bill csv FILE

Prints a bill as comma-separated values: a row for each chain, and one with the
shard "total", which has the amount in minor units of its currency (cents). No
text in it comes from the operator, so no spreadsheet takes one for a formula.

A bill that does not hold by itself is not printed; bill verify checks it against
the public log, too. - is standard input.

Exit status: 0 printed, 1 the bill does not hold, 2 it could not be read.`;

const COLUMNS = [
  "month",
  "status",
  "shard",
  "chain_id",
  "from",
  "to",
  "receipts",
  "currency",
  "amount_minor_units",
] as const;

export async function runCsv(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { positionals } = readArguments(args, {});
  const file = onlyFile("csv", positionals);
  const { examination } = await examineFile(file, {}, terminal);
  if (examination.outcome === "does_not_hold") {
    terminal.note(bold(file), ": this bill does not hold, and so it is not printed; bill verify says why.");
    return Exit.doesNotHold;
  }
  for (const row of rowsOf(examination.bill)) terminal.print(row.join(","));
  return exitOf(examination, false);
}

/** Each cell is a number or of a form that needs no quotes. */
function rowsOf({ month, status, lines, count, plan, amount }: Bill): (readonly (string | number)[])[] {
  const chains = lines.map(({ shard, chain_id, from, to, count: receipts }) => [
    month,
    status,
    shard,
    chain_id,
    from,
    to,
    receipts,
    "",
    "",
  ]);
  const total = [month, status, "total", "", "", "", count, plan.price?.currency ?? "", amount?.total ?? ""];
  return [COLUMNS, ...chains, total];
}
