// `history`: fetches a tenant's own chains into a folder, and proves that each has one history. A second run reads only
// what is new, and notices when the service tells another history than before.
import { DisclosureError, isDisclosureError } from "../../../evidence/core/errors.ts";
import { isTenantAnchor } from "../../../evidence/core/formats/tenant-anchor.ts";
import { count } from "../../../evidence/core/verify/count.ts";
import { readHistory } from "../../../evidence/reader/history-files.ts";
import { sealedAfter } from "../../../evidence/reader/log-bundles.ts";
import { type Command, Exit, type ExitCode, readArguments, UsageError } from "../command.ts";
import { listEvidenceFiles, type NamedFile } from "../files/evidence-files.ts";
import { readSecret } from "../files/secret.ts";
import { ChainClient } from "../history/chain-client.ts";
import { type FetchedHistory, fetchHistory } from "../history/fetch-history.ts";
import { filesIn, HistoryFolder } from "../history/history-folder.ts";
import { openMetachain } from "../metachain/open.ts";
import { compareMine, exitOfMine, printMine } from "../mine/compare-mine.ts";
import { staleSentences } from "../output/freshness.ts";
import { bold, red, type Terminal } from "../output/terminal.ts";

const OPTIONS = {
  key: { type: "string" },
  out: { type: "string" },
  anchor: { type: "string" },
  metachain: { type: "string" },
  mine: { type: "string" },
} as const;

const HELP = `Usage: disclosure-receipts history URL --key KEY|@FILE --out DIR [options]

Fetches the sealed heads and the leaves of your own chains into DIR, and
proves that each chain has one history: the root of every head is recomputed from
the first to the last, and the heads are those of the public
log, none missing. Leaves say nothing readable: 64 bytes for each receipt.

Run it again, say once a day: it reads only what is new, and an answer that
contradicts what DIR has is an alarm. Whoever is given DIR can check a receipt
against it: verify FILE --history DIR.

  --key KEY|@FILE        an API key with the scope report
  --out DIR              the folder of the history
  --anchor ANCHOR|@FILE  look up every chain that your tenant's anchor can have,
                         and show that the public log has no other
  --metachain URL|DIR    read the public log elsewhere: from a mirror, or from a
                         mirror's folder
  --mine FOLDER          compare with the receipts, reports and bundles that you
                         kept of your own calls: name every place of the chains
                         that none of them stands at, and every receipt of
                         yours that the history reaches and has not

A label that occurs twice is found by audit, which walks the whole log.

Exit status: 0 one history, 1 something does not hold, or is not yours, 2 the
service, the public log or a folder could not be read.`;

async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const [address, ...more] = positionals;
  if (address === undefined || more.length > 0) throw new UsageError("history takes the service's URL");
  if (values.out === undefined) throw new UsageError("--out is missing: the folder of the history");
  const client = new ChainClient(address, await readSecret(values.key, "--key"));
  const anchor = values.anchor === undefined ? null : await readAnchor(values.anchor);
  const log = openMetachain(values.metachain ?? new URL("/", address).href);
  const folder = new HistoryFolder(values.out);
  const mine = values.mine === undefined ? null : await listEvidenceFiles([values.mine]);
  try {
    const fetched = await fetchHistory({ client, log, folder, terminal }, anchor);
    printFetched(fetched, anchor !== null, terminal);
    const waitingSince = fetched.seal && (await sealedAfter(fetched.seal, log));
    for (const sentence of staleSentences({ waitingSince, quorumAt: null, now: new Date() }))
      terminal.note(sentence);
    return mine === null ? Exit.holds : await compareAll(mine, values.out, terminal);
  } catch (error) {
    if (!isDisclosureError(error, "proof_invalid")) throw error;
    terminal.note(red("ALARM: "), error.message);
    terminal.note("Keep the folder: it shows the history that was told before.");
    return Exit.doesNotHold;
  }
}

/** Every place of the history in the folder is compared with the receipts in these files. */
async function compareAll(files: readonly NamedFile[], out: string, terminal: Terminal): Promise<ExitCode> {
  const { chains: histories } = await readHistory(filesIn(out));
  const found = await compareMine(files, { histories, places: null, terminal });
  printMine(found, terminal);
  return exitOfMine(found);
}

async function readAnchor(given: string): Promise<string> {
  const anchor = await readSecret(given, "--anchor");
  if (isTenantAnchor(anchor)) return anchor;
  throw new DisclosureError("malformed", "an anchor is 32 lower-case hex digits");
}

function printFetched(fetched: FetchedHistory, isAnchored: boolean, terminal: Terminal): void {
  const { chains, receipts, heads, found, waiting, seal } = fetched;
  const what = `${count(chains, "chain")}, ${count(receipts, "receipt")} under ${count(heads, "head")}`;
  terminal.print(bold("one history"), `: ${what}`);
  if (seal === null) {
    terminal.note("Nothing is published yet.");
    return;
  }
  const where = `the public log of ${count(seal.tree_size, "entry", "entries")} (seal ${seal.index})`;
  terminal.print(`${count(found, "new head")} found in ${where}, each in its place and none left out`);
  if (isAnchored) terminal.print("the log has no other chain under this anchor");
  if (waiting > 0) terminal.note(`${count(waiting, "head is", "heads are")} newer than that; run it again`);
}

export const command: Command = { help: HELP, run };
