// `export`: fetches all reports of a range of time, the roots and layers that they lead to and the history of the chains,
// into a folder that verify checks without the service. A run that was cut off goes on.
import { isDisclosureError } from "../../../evidence/core/errors.ts";
import { isRangeEnd } from "../../../evidence/core/formats/receipt-list.ts";
import { count } from "../../../evidence/core/verify/count.ts";
import type { NumberRange } from "../../../evidence/reader/session/ranges.ts";
import { type Command, calledAs, Exit, type ExitCode, readArguments, UsageError } from "../command.ts";
import { ExportFolder } from "../export/export-folder.ts";
import { type ExportedReports, exportReports } from "../export/export-reports.ts";
import { KeptLog } from "../export/kept-log.ts";
import { findLacking, type LackingPlaces } from "../export/missing-places.ts";
import { ReportClient } from "../export/report-client.ts";
import { readSecret } from "../files/secret.ts";
import { ChainClient } from "../history/chain-client.ts";
import { type FetchedHistory, fetchHistory } from "../history/fetch-history.ts";
import { HistoryFolder } from "../history/history-folder.ts";
import { openMetachain } from "../metachain/open.ts";
import { shellWord } from "../output/shell-word.ts";
import { bold, red, type Terminal } from "../output/terminal.ts";

const OPTIONS = {
  key: { type: "string" },
  from: { type: "string" },
  to: { type: "string" },
  out: { type: "string" },
  metachain: { type: "string" },
} as const;

/** Ranges of numbers that a line names. */
const MAX_SHOWN = 20;

const HELP = `Usage: disclosure-receipts export URL --key KEY|@FILE --out DIR [options]

Fetches the reports of your receipts into DIR, and all that a reader needs to
check them without the service: the published roots that they lead to, the
wording policy layers that they name, the history of your chains, and the
entries of the public log under it. It ends with the command that checks DIR.

A run that was cut off goes on where it was; run it again, too, for reports that
were pending. It asks a few things at a time, and waits as long as the service
says where your plan's rate is reached.

  --key KEY|@FILE      an API key with the scope report
  --out DIR            the folder: reports/DAY/EVENT_ID.json and so on
  --from, --to TIME    only receipts that were issued in this range, without its
                       end: a date, which begins at 00:00 UTC, or an instant as
                       2026-11-01T00:00:00Z
  --metachain URL|DIR  read the public log elsewhere: from a mirror, or from a
                       mirror's folder

Example: disclosure-receipts export https://receipts.example --key @key
           --from 2026-11-01 --to 2026-12-01 --out november

The places of the history are compared with the reports: receipts that the list
leaves out are named by their numbers, and those that were removed. With --from
or --to, between the first and the last report of each chain.

The history is always that of the whole chains: 64 bytes for each receipt. A
report that is there is not renewed: remove it, and the next run fetches it with
a newer timestamp, where its own has run out or soon will.

Exit status: 0 all that is published is there, and a note says what is pending,
1 an answer contradicts another one, or what the folder has, or the list leaves
receipts out, 2 the service, the
public log or the folder could not be read.`;

async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const [address, ...more] = positionals;
  if (address === undefined || more.length > 0) throw new UsageError("export takes the service's URL");
  if (values.out === undefined) throw new UsageError("--out is missing: the folder of the export");
  const range = { from: readTime("--from", values.from), to: readTime("--to", values.to) };
  const apiKey = await readSecret(values.key, "--key");
  const folder = new ExportFolder(values.out);
  const log = openMetachain(values.metachain ?? new URL("/", address).href);
  const kept = new KeptLog(log, folder);
  try {
    const reports = new ReportClient(address, apiKey);
    const services = { client: reports, log, folder, terminal };
    const exported = await exportReports(services, range);
    // The head is read after the reports: it counts every root that they lead to.
    const client = new ChainClient(address, apiKey);
    const history = new HistoryFolder(folder.historyPath);
    const onVerified = () => kept.keep();
    const fetched = await fetchHistory({ client, log: kept, folder: history, terminal, onVerified }, null);
    await folder.writeHead(await kept.head());
    printExported(exported, fetched, terminal);
    const lacking = await findLacking({ client: reports, history }, { ...exported, range });
    for (const places of lacking) printLacking(places, terminal);
    printNext(folder, exported, terminal);
    return lacking.some(({ missing }) => missing.length > 0) ? Exit.doesNotHold : Exit.holds;
  } catch (error) {
    if (!isDisclosureError(error, "proof_invalid")) throw error;
    terminal.note(red("ALARM: "), error.message);
    terminal.note("Keep the folder: it shows what was told before.");
    return Exit.doesNotHold;
  } finally {
    await kept.discard();
  }
}

function readTime(option: string, text: string | undefined): string | undefined {
  if (text === undefined || isRangeEnd(text)) return text;
  throw new UsageError(`${option} takes a date as 2026-11-01, or an instant as 2026-11-01T00:00:00Z`);
}

function printExported(exported: ExportedReports, fetched: FetchedHistory, terminal: Terminal): void {
  const { reports, fetched: newOnes, roots, layers } = exported;
  const found = `${count(reports, "report")} (${newOnes} fetched now), ${count(roots, "root")}`;
  terminal.print(bold("exported"), `: ${found}, ${count(layers, "wording layer")}`);
  const { chains, receipts, heads } = fetched;
  terminal.print(
    bold("one history"),
    `: ${count(chains, "chain")}, ${count(receipts, "receipt")} under ${count(heads, "head")}`,
  );
}

function printLacking({ chainId, missing, removed }: LackingPlaces, terminal: Terminal): void {
  if (missing.length > 0)
    terminal.note(
      red("MISSING: "),
      `the service's list leaves out receipts of chain ${chainId}, which it has: ${numbersOf(missing)}`,
    );
  if (removed.length > 0)
    terminal.note(
      `receipts of chain ${chainId} have no report any more, as the service says: ${numbersOf(removed)}`,
    );
}

const numbersOf = (ranges: readonly NumberRange[]): string => {
  const shown = ranges
    .slice(0, MAX_SHOWN)
    .map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`));
  const rest = ranges.length - shown.length;
  return `${shown.join(", ")}${rest > 0 ? ` and ${count(rest, "more range")}` : ""}`;
};

function printNext(folder: ExportFolder, exported: ExportedReports, terminal: Terminal): void {
  const { reports, pending, removed, missingLayers } = exported;
  if (removed > 0) terminal.note(`${count(removed, "receipt was", "receipts were")} removed meanwhile`);
  if (missingLayers > 0)
    terminal.note(`${count(missingLayers, "layer is", "layers are")} not published yet; run it again`);
  if (pending > 0)
    terminal.note(
      `${count(pending, "report is", "reports are")} pending: no published root covers them yet. Run it again in some minutes.`,
    );
  if (reports === 0) return;
  const [place, history] = [folder.path, folder.historyPath].map(shellWord);
  terminal.print(`Check it with: ${calledAs()} verify ${place} --metachain ${place} --history ${history}`);
}

export const command: Command = { help: HELP, run };
