// `sheet`: writes the evidence sheet of a receipt, a conversation or a published root, as one HTML file to print.
import { DisclosureError } from "../../../evidence/core/errors.ts";
import { joinPages } from "../../../evidence/reader/conversation-pages.ts";
import type { Evidence } from "../../../evidence/reader/evidence.ts";
import type { Examination } from "../../../evidence/reader/examination.ts";
import { naming } from "../../../evidence/reader/naming.ts";
import type { CompanionFinding } from "../../../evidence/reader/session/findings.ts";
import { type OpenedSession, openSession } from "../../../evidence/reader/session/opened-session.ts";
import { Uses } from "../../../evidence/reader/session/uses.ts";
import { formatDocument } from "../../../evidence/reader/sheet/html.ts";
import type { SheetFile } from "../../../evidence/reader/sheet/model.ts";
import { buildSheet, titleOf } from "../../../evidence/reader/sheet/sheet.ts";
import { textIn } from "../../../evidence/reader/text/text.ts";
import { judge } from "../../../evidence/reader/verdict.ts";
import {
  type Command,
  Exit,
  type ExitCode,
  PROGRAM,
  programVersion,
  readArguments,
  UsageError,
} from "../command.ts";
import { STANDARD_INPUT } from "../files/read-file.ts";
import { ReadRecord } from "../files/read-record.ts";
import { replaceFile } from "../files/write-file.ts";
import { openMetachain } from "../metachain/open.ts";
import { languageOf } from "../output/language.ts";
import type { Terminal } from "../output/terminal.ts";
import { companionSentence } from "../verify/caveats.ts";
import { COMPANION_OPTIONS, readGiven } from "../verify/given.ts";
import { uncompared } from "../verify/rows.ts";

const OPTIONS = {
  ...COMPANION_OPTIONS,
  metachain: { type: "string" },
  lang: { type: "string" },
  output: { type: "string", short: "o" },
} as const;

const HELP = `Usage: disclosure-receipts sheet FILE… -o SHEET.html [options]

Checks a receipt, a report, a conversation or a published root, and writes what
was found as a page to print or to save as PDF: whose receipt it is, the result,
every receipt with its number and hash, every check, and every file that took
part with its SHA-256. Several files are the pages of one conversation.

  -o, --output FILE     the HTML file to write
  --metachain URL|DIR   compare with the published roots
  --seal FILE           a published root that you got from the service or a
                        mirror: it counts as published
  --tsa-ca FILE         PEM certificates of the timestamp authorities that you
                        trust, in place of the known public ones
  --log-key VKEY        the key of the log that must have signed the root
  --policy FILE         the same with a tlog-policy (C2SP)
  --layer FILE          a wording policy layer that a receipt names
  --request FILE        the request behind the receipt: it names the
                        conversation and the AI system
  --lang de|en          the language of the sheet (en)

Open the file in a browser and print it: the number is on every page, and
browsers that know CSS margin boxes, such as Chromium, add "page / pages".

Exit status: 0 nothing is wrong, 1 it does not hold, 2 a file or the metachain
could not be read, 3 nothing is wrong, but something that you gave belongs to
other evidence. The sheet is written unless a file could not be read.`;

async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, OPTIONS);
  if (values.output === undefined) throw new UsageError("name the file to write: -o SHEET.html");
  if (positionals.includes(STANDARD_INPUT))
    throw new UsageError("sheet names its files, and so needs their names");
  const language = languageOf(values.lang);
  const text = textIn(language);
  const source = values.metachain === undefined ? null : openMetachain(values.metachain);
  const record = new ReadRecord();
  const checkedAt = new Date();
  const given = await readGiven(positionals, values, record.read);
  const session = await openSession(given.files, {
    ...given,
    ...CIRCUMSTANCES,
    source,
    now: checkedAt.toISOString(),
  });
  const evidence = await joinEvidence(session);
  const examination = await session.examine(evidence);
  if (examination.unavailable !== null) terminal.note(uncompared(examination.unavailable, text));
  const uses = new Uses();
  uses.add(evidence, examination);
  const companions = uses.companions(session);
  const sheet = buildSheet({
    evidence,
    examination,
    files: describeFiles(session, companions, evidence, record),
    request: requestOf(evidence, session),
    anchors: uses.usedAnchors(session.anchors),
    source: examination.unavailable === null ? (source?.name ?? null) : null,
    checkedAt,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    program: `${PROGRAM} ${programVersion()}`,
    language,
  });
  await replaceFile(values.output, formatDocument(language, titleOf({ evidence, language }), sheet));
  terminal.print(`${values.output}: ${titleOf({ evidence, language })}`);
  for (const companion of companions) {
    const sentence = companionSentence(companion, text);
    if (sentence !== null) terminal.note(sentence);
  }
  return exitOf(examination, companions);
}

const CIRCUMSTANCES = {
  history: null,
  walkLog: null,
  text: null,
  verifiesTimestamps: true,
  verifiesLogs: true,
} as const;

function exitOf(examination: Examination, companions: readonly CompanionFinding[]): ExitCode {
  if (judge(examination).outcome === "does_not_hold") return Exit.doesNotHold;
  if (examination.unavailable !== null) return Exit.unreadable;
  return companions.some(({ use }) => use === "stray") ? Exit.withReservations : Exit.holds;
}

/** One piece of evidence, or the pages of one conversation. Throws `UsageError` for others. */
async function joinEvidence({ sorted, problems }: OpenedSession): Promise<Evidence> {
  const all: Evidence[] = [];
  for (const one of sorted) {
    const problem = problems.get(one.file) ?? ("problem" in one ? one.problem : null);
    if (problem !== null) throw new DisclosureError("malformed", `${one.file}: ${problem.detail}`);
    if ("fork" in one)
      throw new UsageError(
        `a sheet is of one receipt or conversation, and ${one.file} proves that a log forked`,
      );
    if ("read" in one) all.push(await naming(one.file, one.read));
  }
  const pages = all.flatMap((one) => (one.kind === "bundle" ? one : [])).sort(byFirstTurn);
  const [first, ...more] = pages.length === all.length ? pages : all;
  if (first === undefined) throw new UsageError("there is no evidence among the files");
  return more.reduce((joined, page) => {
    const next = joined.kind === "bundle" && page.kind === "bundle" ? joinPages(joined, page) : null;
    if (next !== null) return next;
    throw new UsageError("a sheet is of one receipt or conversation; these files are of several");
  }, first);
}

type SheetPage = Extract<Evidence, { kind: "bundle" }>;

const byFirstTurn = ({ bundle: a }: SheetPage, { bundle: b }: SheetPage): number =>
  Number(a.receipts[0]?.turn) - Number(b.receipts[0]?.turn);

/** Every file that took part, as it was read for the examination. */
function describeFiles(
  { sorted, anchors }: OpenedSession,
  companions: readonly CompanionFinding[],
  { kind }: Evidence,
  record: ReadRecord,
): SheetFile[] {
  const evidence = sorted.flatMap((one) => ("read" in one ? [{ kind, file: one.file }] : []));
  const believed = companions.filter(({ use }) => use !== "not_believed");
  const certificates = anchors.flatMap(({ source }) =>
    source.kind === "reader" ? [{ kind: "certificates", file: source.file } as const] : [],
  );
  const named = new Map([...evidence, ...believed, ...certificates].map((one) => [one.file, one]));
  return [...named.values()].flatMap(({ kind, file: name }) => {
    const read = record.of(name);
    return read === null ? [] : [{ name, kind, ...read }];
  });
}

/** The request that was hashed into the receipt, if it was given. */
function requestOf(evidence: Evidence, { requests }: OpenedSession): unknown {
  if (evidence.kind === "bundle" || evidence.kind === "seal") return undefined;
  return requests.get(evidence.receipt.receipts?.[0]?.input_hash)?.request;
}

export const command: Command = { help: HELP, run };
