// `verify`: checks files of evidence, one by one and then together.
import type { TenantHistory } from "../../core/verify/verify-history.ts";
import { Examiner } from "../../reader/examine.ts";
import type { ReaderInputs } from "../../reader/inputs.ts";
import { PolicyLayers } from "../../reader/policy-layers.ts";
import { PublishedSeals } from "../../reader/published-seals.ts";
import { type Command, Exit, type ExitCode, readArguments, UsageError } from "../command.ts";
import { LOG_POLICY_OPTIONS, readLogPolicy } from "../files/log-policy.ts";
import { LAYER_OPTION } from "../files/policy-layer.ts";
import { certificatesOf, TSA_CA_OPTION } from "../files/trust-anchors.ts";
import { readTenantHistory } from "../history/read-history.ts";
import type { PublicLog } from "../history/walk-log.ts";
import { isUrl, openMetachain } from "../metachain/open.ts";
import type { Terminal } from "../output/terminal.ts";
import { contextOf, type Reach, type ReportContext } from "../verify/context.ts";
import { readForkFile, reportFork } from "../verify/fork-file.ts";
import { type Given, readGiven } from "../verify/given.ts";
import { jsonReport } from "../verify/json-report.ts";
import { printReport } from "../verify/report.ts";
import type { Results } from "../verify/results.ts";
import { signatureInputs } from "../verify/signature-inputs.ts";
import { verifyFiles } from "../verify/verify-files.ts";
import { wordsIn } from "../verify/words.ts";

const OPTIONS = {
  ...TSA_CA_OPTION,
  ...LOG_POLICY_OPTIONS,
  ...LAYER_OPTION,
  metachain: { type: "string" },
  request: { type: "string", multiple: true },
  wording: { type: "string" },
  history: { type: "string" },
  tenant: { type: "string" },
  strict: { type: "boolean" },
  offline: { type: "boolean" },
  lang: { type: "string" },
  json: { type: "boolean" },
  verbose: { type: "boolean", short: "v" },
} as const;

const HELP = `Usage: disclosure-receipts verify FILE… [options]

Checks receipts, reports, conversations and published roots, and many receipts
also against each other. The exit status is the verdict: 0 nothing is wrong, 1
something does not hold, 2 something could not be read, 3 nothing is wrong, but
something that you gave belongs to other evidence. A script should add --strict:
then 3 also means that a check that matters could not be made.

A folder stands for every .json, .tlog-proof and .cose file in it, - for
standard input. Requests among the files are compared with the receipts;
certificates that you name among them are trusted, as with --tsa-ca. A COSE
receipt among them is checked with the report of its receipt, under --log-key or
--policy. The verdict of each receipt is computed again from the policy layer
that it names: one of the bundle, the files, this program, or --metachain.

  --metachain URL|DIR   compare with the published roots: the service's, those
                        of a mirror, or of a mirror's folder
  --tsa-ca FILE         PEM certificates of the timestamp authorities that you
                        trust, in place of the known public ones; "known" stands
                        for those, "none" for none (may be repeated)
  --request FILE        a request behind one of the receipts (may be repeated)
  --layer FILE          a wording policy layer, from which the verdict of each
                        receipt that names it is computed again (may be
                        repeated)
  --wording TEXT|@FILE  say whether this text is the one that was attested
  --history DIR         find the receipts in the history that history fetched;
                        with --metachain also its heads in the public log
  --tenant FINGERPRINT  with --history: the chains are those of this tenant
  --log-key VKEY        check that the log with this key signed each root with
                        its size; get the key from whom you trust
  --policy FILE         the same with a tlog-policy (C2SP), which also says
                        which witnesses must have cosigned
  --strict              status 3 if a check that matters could not be made
  --offline             contact nothing, even if --metachain names a URL
  --lang de|en          the language of the report (en)
  --json                one JSON document on standard output
  -v, --verbose         every check of every file

Without --metachain the root is not compared with what is published: the verdict
is then that the evidence holds as far as it could be checked. With --metachain,
a timestamp whose certificate ran out is renewed by a later published root, if
there is one.

A fork-….json that audit or mirror has written is confirmed under the log's key,
alone or among other files: it proves that the log signed two histories, and
ends with status 1.

No other host than that of --metachain is ever contacted, and nothing of a
receipt is sent to it but numbers of roots and the digest of its policy layer.

Exit status: 0 nothing is wrong, 1 something does not hold, 2 something could
not be read, 3 something that you gave belongs to other evidence, or, with
--strict, a check that matters could not be made.`;

async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const words = wordsIn(values.lang);
  const fork = await readForkFile(positionals);
  if (fork !== null) {
    const policy = await readLogPolicy(values);
    return reportFork(fork, { file: positionals.join(), policy, isJson: values.json === true }, terminal);
  }
  const reach = reachOf(values);
  const source = values.metachain === undefined ? null : openMetachain(values.metachain);
  const given = await readGiven(positionals, values);
  const now = new Date().toISOString();
  const context = contextOf(given, { words, now, reach, hasPolicy: given.logPolicy !== null });
  const log = reach === "metachain" ? source : null;
  const history = await historyOf(values, log, terminal);
  const inputs = {
    published: new PublishedSeals(log),
    layers: new PolicyLayers(
      log,
      given.layers.map(({ layer }) => layer),
    ),
    ...signatureInputs(given, log),
    ...(history !== null && { history }),
  };
  const results = await verify(given, inputs, context, terminal);
  if (values.json === true) terminal.printJson(jsonReport(results, context));
  else printReport(results, { terminal, words, isVerbose: values.verbose === true });
  return exitOf(results, values.strict === true);
}

async function historyOf(
  { history, tenant }: { history?: string; tenant?: string },
  log: PublicLog | null,
  terminal: Terminal,
): Promise<TenantHistory | null> {
  if (history !== undefined)
    return readTenantHistory(history, { log, fingerprint: tenant ?? null, terminal });
  if (tenant !== undefined) throw new UsageError("--tenant needs the history of the chains: --history DIR");
  return null;
}

/** A folder is read even offline. */
function reachOf({ metachain, offline }: { metachain?: string; offline?: boolean }): Reach {
  if (metachain === undefined) return "files";
  return offline === true && isUrl(metachain) ? "offline" : "metachain";
}

function verify(
  given: Given,
  inputs: Pick<ReaderInputs, "published" | "layers" | "history" | "checkpoints" | "coseReceipts">,
  context: ReportContext,
  terminal: Terminal,
): Promise<Results> {
  const examiner = new Examiner({
    requests: given.requests.map(({ request }) => request),
    ...inputs,
    trustAnchors: certificatesOf(given.anchors),
    now: context.now,
  });
  const progress = terminal.progress(given.evidence.length, "files");
  return verifyFiles(given, { examiner, context, onFile: () => progress.step() });
}

function exitOf({ outcome, stray }: Results, isStrict: boolean): ExitCode {
  if (outcome === "does_not_hold") return Exit.doesNotHold;
  if (outcome === "unreadable") return Exit.unreadable;
  const isIncomplete = isStrict && outcome === "holds_so_far";
  return stray.length > 0 || isIncomplete ? Exit.withReservations : Exit.holds;
}

export const command: Command = { help: HELP, run };
