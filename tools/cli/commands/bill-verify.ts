// `bill verify`: checks a bill. It says which line does not hold, and what stays the operator's word.
import type { Bill } from "../../../evidence/core/formats/bill.ts";
import { fullName } from "../../../evidence/core/verify/check.ts";
import { count } from "../../../evidence/core/verify/count.ts";
import type { BillCheck } from "../../../evidence/core/verify/verify-bill.ts";
import type { BillExamination } from "../../../evidence/reader/bill.ts";
import { readHistory } from "../../../evidence/reader/history-files.ts";
import { formatAmount } from "../../../evidence/reader/text/format.ts";
import { textIn } from "../../../evidence/reader/text/text.ts";
import { BILL_OPTIONS, examineFile, exitOf, onlyFile } from "../bill/examine.ts";
import { Exit, type ExitCode, readArguments, UsageError } from "../command.ts";
import { listEvidenceFiles, type NamedFile } from "../files/evidence-files.ts";
import { filesIn } from "../history/history-folder.ts";
import { compareMine, exitOfMine, jsonOfMine, type MineComparison, printMine } from "../mine/compare-mine.ts";
import { printTable } from "../output/table.ts";
import { bold, dim, type Terminal } from "../output/terminal.ts";
import { markOf, STYLES } from "../verify/rows.ts";

const OPTIONS = {
  ...BILL_OPTIONS,
  mine: { type: "string" },
  strict: { type: "boolean" },
  json: { type: "boolean" },
  verbose: { type: "boolean", short: "v" },
} as const;

export const VERIFY_HELP = `Usage: disclosure-receipts bill verify FILE [options]

Checks a bill: its receipts at both ends of the month, the published heads that
they stand under, its sum and its amount. What does not hold is named by its
line, and what no proof reaches is listed as stated.

  --metachain URL|DIR   compare with the published roots, and search the public
                        log for receipts that the bill leaves out
  --history DIR         count the leaves of the history that history
                        fetched, and find every chain of it in the bill; with
                        its anchor and --metachain: there is no other chain
  --tenant FINGERPRINT  the bill is that of this tenant
  --mine FOLDER         with --history: compare the places that the bill counts
                        with the receipts that you kept of your own calls, and
                        name those that are none of yours
  --strict              status 3 if a check could not be made
  --json                one JSON document on standard output
  -v, --verbose         every check

Exit status: 0 nothing is wrong, 1 it does not hold, or counts what is not yours,
2 it, a folder or the public log could not be read, 3 with --strict: a check
could not be made.`;

const { bill: BILL } = textIn("en");

/** The digits of a chain's id that a message shows: a line is found by its shard, too. */
const ID_DIGITS = 8;
/** With more rows than this, the rest is counted and not listed. */
const MAX_LISTED = 20;

export async function runVerify(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const mine = await readMine(values);
  const { examination, file } = await examineFile(onlyFile("verify", positionals), values, terminal);
  const own = mine && (await compareCounted(examination.bill, mine, terminal));
  if (values.json === true)
    terminal.printJson({ ...jsonOf(examination), ...(own !== null && { mine: jsonOfMine(own) }) });
  else {
    print(file.name, examination, values.verbose === true, terminal);
    if (own !== null) printMine(own, terminal);
  }
  return exitWith(own, examination, values.strict === true);
}

/** The files of the tenant's own receipts, and the folder of the history that they are compared with. */
interface Mine {
  readonly files: readonly NamedFile[];
  readonly history: string;
}

async function readMine({ mine, history }: { mine?: string; history?: string }): Promise<Mine | null> {
  if (mine === undefined) return null;
  if (history === undefined) throw new UsageError("--mine needs --history DIR");
  return { files: await listEvidenceFiles([mine]), history };
}

/** Compares the places that the bill counts. */
async function compareCounted(
  { lines }: Bill,
  { files, history }: Mine,
  terminal: Terminal,
): Promise<MineComparison> {
  const { chains: histories } = await readHistory(filesIn(history));
  const places = lines.map(({ chain_id: chainId, from, to }) => ({ chainId, from, to }));
  return compareMine(files, { histories, places, terminal });
}

/** What is wrong outweighs what could not be read, and that what could not be checked. */
function exitWith(mine: MineComparison | null, examination: BillExamination, isStrict: boolean): ExitCode {
  const ofBill = exitOf(examination, isStrict);
  if (mine === null) return ofBill;
  const found = [ofBill, exitOfMine(mine)];
  const worst = [Exit.doesNotHold, Exit.unreadable].find((status) => found.includes(status)) ?? ofBill;
  return worst === Exit.holds && isStrict && mine.unreached > 0 ? Exit.withReservations : worst;
}

function print(file: string, examination: BillExamination, isVerbose: boolean, terminal: Terminal): void {
  const { bill, outcome, checks, unavailable, stated } = examination;
  terminal.print(bold(file), ": ", STYLES[outcome](BILL.outcomes[outcome]));
  terminal.print(`  ${headlineOf(bill)}`);
  if (unavailable !== null) terminal.print(`  ${unavailable}`);
  const listed = isVerbose ? checks : checks.filter(({ ok }) => ok !== true);
  const shown = isVerbose ? listed : listed.slice(0, MAX_LISTED);
  printTable(
    terminal,
    shown.map((check) => [
      markOf(check.ok),
      check.name,
      check.ok === null ? dim(sentenceOf(bill, check)) : sentenceOf(bill, check),
    ]),
  );
  if (listed.length > shown.length) terminal.print(`  and ${listed.length - shown.length} more`);
  if (outcome === "does_not_hold") return;
  terminal.print("Stated, not proven:");
  printTable(
    terminal,
    stated.map((point) => ["–", BILL.statedPoints[point]]),
  );
}

function headlineOf({ tenant, month, status, count: receipts, lines, amount, plan }: Bill): string {
  const cost =
    amount === null || plan.price === null
      ? "no price"
      : formatAmount("en-GB", plan.price.currency, amount.total);
  const what = `${count(receipts, "receipt")} in ${count(lines.length, "chain")}, ${cost}`;
  return `${tenant.id}, ${month} (${status}): ${what}`;
}

function sentenceOf({ lines }: Bill, { place, detail }: BillCheck): string {
  const { [Number(place.split("/")[1])]: line } = lines;
  if (line === undefined) return detail;
  return `chain ${line.chain_id.slice(0, ID_DIGITS)}…, shard ${line.shard}: ${detail}`;
}

const jsonOf = ({ bill, outcome, checks, unavailable, stated }: BillExamination): object => ({
  verdict: outcome,
  month: bill.month,
  status: bill.status,
  tenant: bill.tenant,
  count: bill.count,
  amount: bill.amount,
  checks: checks.map((check) => ({ name: fullName(check), ok: check.ok, detail: check.detail })),
  reason: unavailable,
  stated: stated.map((point) => ({ point, detail: BILL.statedPoints[point] })),
});
