// `verify`: checks files of evidence, one by one and then together.
import { digestSchema } from "../../../evidence/core/formats/shapes.ts";
import { companionName, isCompanionKind } from "../../../evidence/reader/evidence.ts";
import { readHistory } from "../../../evidence/reader/history-files.ts";
import { type SessionFindings, straysOf } from "../../../evidence/reader/session/findings.ts";
import type { SessionInputs } from "../../../evidence/reader/session/inputs.ts";
import { runSession } from "../../../evidence/reader/session/session.ts";
import { READ_WIDTH } from "../../../evidence/reader/session/sort.ts";
import { textIn } from "../../../evidence/reader/text/text.ts";
import { type Command, Exit, type ExitCode, readArguments, UsageError } from "../command.ts";
import { readWording } from "../files/wording.ts";
import { filesIn } from "../history/history-folder.ts";
import { walkNewest } from "../history/walk-log.ts";
import { isUrl, openMetachain } from "../metachain/open.ts";
import { languageOf } from "../output/language.ts";
import type { Terminal } from "../output/terminal.ts";
import type { ReportContext } from "../verify/context.ts";
import { COMPANION_OPTIONS, readGiven } from "../verify/given.ts";
import { jsonReport } from "../verify/json-report.ts";
import { printReport } from "../verify/report.ts";
import { type ShownFile, shownOf } from "../verify/shown.ts";

const OPTIONS = {
  ...COMPANION_OPTIONS,
  metachain: { type: "string" },
  wording: { type: "string" },
  history: { type: "string" },
  tenant: { type: "string" },
  walk: { type: "boolean" },
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

A folder stands for every .json, .tlog-proof, .cose, .pem and .policy file in
it, - for standard input. Requests among the files are compared with the
receipts. Certificates and log keys that you name among them are trusted; those
in a folder are not, for whoever made the folder chose them. A root among the
files is evidence, and not the list of published roots. A COSE receipt is
checked with the report of its receipt, under --log-key or --policy. The verdict
of each receipt is computed again from the policy layer that it names: one of
the bundle, the files, this program, or --metachain.

  --metachain URL|DIR   compare with the published roots: the service's, those
                        of a mirror, or of a mirror's folder
  --tsa-ca FILE         PEM certificates of the timestamp authorities that you
                        trust, in place of the known public ones; "known" stands
                        for those, "none" for none (may be repeated)
  --seal FILE           a published root that you got from the service or a
                        mirror: it counts as published (may be repeated)
  --request FILE        a request behind one of the receipts (may be repeated)
  --layer FILE          a wording policy layer, from which the verdict of each
                        receipt that names it is computed again (may be
                        repeated)
  --wording TEXT|@FILE  say whether this text is the one that was attested
  --history DIR         find the receipts in the history that history fetched;
                        with --metachain also its heads in the public log, and
                        no other chain of its anchor
  --tenant FINGERPRINT  with --history: the chains are those of this tenant
  --walk                with --metachain: walk the entries of the public log and
                        find the head of each receipt, also without a history
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

A fork-….json that audit or mirror wrote is confirmed under the log's key: it
proves that the log signed two histories, and ends with status 1.

No other host than that of --metachain is ever contacted, and nothing of a
receipt is sent to it but numbers of roots and the digest of its policy layer.

Exit status: 0 nothing is wrong, 1 something does not hold, 2 something could
not be read, 3 something that you gave belongs to other evidence, or, with
--strict, a check that matters could not be made.`;

async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const text = textIn(languageOf(values.lang));
  const roots = rootsOf(values);
  const source = values.metachain === undefined ? null : openMetachain(values.metachain);
  const log = roots === "read" ? source : null;
  const given = await readGiven(positionals, values);
  const context = { text, now: new Date().toISOString(), roots };
  const inputs = {
    ...given,
    source: log,
    history: await historyOf(values),
    walkLog: log !== null && isWalked(values) ? walkNewest(log, terminal) : null,
    text: values.wording === undefined ? null : await readText(values.wording),
    now: context.now,
    verifiesTimestamps: true,
    verifiesLogs: true,
  };
  const progress = terminal.progress(given.files.length, "files");
  const findings = await runSession(given.files, inputs, {
    show: (examined, session) => shownOf(examined, session, context),
    width: READ_WIDTH,
    onDone: () => progress.step(),
  });
  requireEvidence(findings, positionals);
  if (values.json === true) terminal.printJson(jsonReport(findings, text));
  else printReport(findings, { terminal, text, isVerbose: values.verbose === true });
  return exitOf(findings, values.strict === true);
}

function requireEvidence(
  { files, companions }: SessionFindings<ShownFile>,
  positionals: readonly string[],
): void {
  if (files.length > 0) return;
  const named = companions.flatMap(({ file, kind }) =>
    positionals.includes(file) && isCompanionKind(kind) ? [`${file} is ${companionName({ kind })}`] : [],
  );
  throw new UsageError(["there is no evidence among the files", ...named.slice(0, 1)].join(": "));
}

/** The folder is not trusted. Throws `malformed` for one without a history, `proof_invalid` for a false history. */
async function historyOf({
  history,
  tenant,
}: {
  history?: string;
  tenant?: string;
}): Promise<SessionInputs["history"]> {
  if (tenant !== undefined && history === undefined)
    throw new UsageError("--tenant needs the history of the chains: --history DIR");
  if (history === undefined) return null;
  if (tenant !== undefined && !digestSchema.safeParse(tenant).success)
    throw new UsageError("a fingerprint is sha256: and 64 lower-case hex digits");
  const file = history;
  return { file, tenant: await readHistory(filesIn(file)), fingerprint: tenant ?? null, problem: null };
}

/** A walk reads all entries of the log, which are many: a history is worth little without it. */
const isWalked = ({ history, walk }: { history?: string; walk?: boolean }): boolean =>
  history !== undefined || walk === true;

/** A folder is read even offline. */
function rootsOf({ metachain, offline }: { metachain?: string; offline?: boolean }): ReportContext["roots"] {
  if (metachain === undefined) return "not_asked";
  return offline === true && isUrl(metachain) ? "offline" : "read";
}

/** `--wording @FILE` names a file with the text. */
const FILE_MARK = "@";

const readText = async (wording: string): Promise<string> =>
  wording.startsWith(FILE_MARK) ? readWording(wording.slice(FILE_MARK.length)) : wording;

function exitOf(findings: SessionFindings<ShownFile>, isStrict: boolean): ExitCode {
  const { outcome, files } = findings;
  if (outcome === "does_not_hold") return Exit.doesNotHold;
  if (outcome === "unreadable" || files.some(({ unavailable }) => unavailable !== null))
    return Exit.unreadable;
  const isIncomplete = isStrict && outcome === "holds_so_far";
  return straysOf(findings).length > 0 || isIncomplete ? Exit.withReservations : Exit.holds;
}

export const command: Command = { help: HELP, run };
