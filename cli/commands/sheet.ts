// `sheet`: writes the evidence sheet of a receipt, a conversation or a published root, as one HTML file to print.
import { hashInput } from "../../core/formats/attestation-request.ts";
import { describeAnchors } from "../../reader/anchors.ts";
import { joinPages } from "../../reader/conversation-pages.ts";
import type { Evidence } from "../../reader/evidence.ts";
import type { Examination } from "../../reader/examination.ts";
import { Examiner } from "../../reader/examine.ts";
import { naming } from "../../reader/naming.ts";
import { PolicyLayers } from "../../reader/policy-layers.ts";
import { PublishedSeals } from "../../reader/published-seals.ts";
import { formatDocument } from "../../reader/sheet/html.ts";
import type { SheetFile } from "../../reader/sheet/model.ts";
import { buildSheet, titleOf } from "../../reader/sheet/sheet.ts";
import { judge } from "../../reader/verdict.ts";
import {
  type Command,
  Exit,
  type ExitCode,
  PROGRAM,
  programVersion,
  readArguments,
  UsageError,
} from "../command.ts";
import { LOG_POLICY_OPTIONS } from "../files/log-policy.ts";
import { LAYER_OPTION } from "../files/policy-layer.ts";
import { STANDARD_INPUT } from "../files/read-file.ts";
import { ReadRecord } from "../files/read-record.ts";
import { certificatesOf, TSA_CA_OPTION } from "../files/trust-anchors.ts";
import { replaceFile } from "../files/write-file.ts";
import { openMetachain } from "../metachain/open.ts";
import { languageOf } from "../output/language.ts";
import type { Terminal } from "../output/terminal.ts";
import { comparedOf, findStrays } from "../verify/belonging.ts";
import { straySentence } from "../verify/caveats.ts";
import { type Given, readGiven } from "../verify/given.ts";
import type { Stray } from "../verify/results.ts";
import { signatureInputs } from "../verify/signature-inputs.ts";
import { type Words, wordsIn } from "../verify/words.ts";

const OPTIONS = {
  ...TSA_CA_OPTION,
  ...LOG_POLICY_OPTIONS,
  ...LAYER_OPTION,
  metachain: { type: "string" },
  request: { type: "string", multiple: true },
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
  const source = values.metachain === undefined ? null : openMetachain(values.metachain);
  const record = new ReadRecord();
  const given = await readGiven(positionals, values, record.read);
  const evidence = await joinEvidence(given);
  const checkedAt = new Date();
  const requests = given.requests.map(({ request }) => request);
  const trustAnchors = certificatesOf(given.anchors);
  const published = new PublishedSeals(source);
  const givenLayers = given.layers.map(({ layer }) => layer);
  const layers = new PolicyLayers(source, givenLayers);
  const now = checkedAt.toISOString();
  const signatures = signatureInputs(given, source);
  const examiner = new Examiner({ requests, published, layers, trustAnchors, now, ...signatures });
  const examination = await examiner.examine(evidence);
  if (examination.unavailable !== null)
    terminal.note(`The published roots could not be read: ${examination.unavailable}`);
  const sheet = buildSheet({
    evidence,
    examination,
    files: describeFiles(given, evidence, record),
    request: requestOf(evidence, requests),
    anchors: usedAnchors(examination, trustAnchors),
    source: examination.unavailable === null ? (source?.name ?? null) : null,
    checkedAt,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    program: `${PROGRAM} ${programVersion()}`,
    language,
  });
  await replaceFile(values.output, formatDocument(language, titleOf({ evidence, language }), sheet));
  terminal.print(`${values.output}: ${titleOf({ evidence, language })}`);
  const strays = findStrays(given, [comparedOf(examination, given.anchorFiles.length > 0)], null);
  noteStrays(strays, wordsIn(values.lang), terminal);
  return exitOf(examination, strays);
}

function noteStrays(strays: readonly Stray[], words: Words, terminal: Terminal): void {
  for (const stray of strays) {
    const sentence = straySentence(stray, words);
    if (sentence !== null) terminal.note(sentence);
  }
}

function exitOf(examination: Examination, strays: readonly Stray[]): ExitCode {
  if (judge(examination).outcome === "does_not_hold") return Exit.doesNotHold;
  if (examination.unavailable !== null) return Exit.unreadable;
  return strays.length > 0 ? Exit.withReservations : Exit.holds;
}

/** One piece of evidence, or the pages of one conversation. Throws `UsageError` for others. */
async function joinEvidence({ evidence, forks: [fork] }: Given): Promise<Evidence> {
  if (fork !== undefined)
    throw new UsageError(
      `a sheet is of one receipt or conversation, and ${fork.file} proves that a log forked`,
    );
  const all = await Promise.all(evidence.map(({ file, read }) => naming(file, read)));
  const pages = all.flatMap((one) => (one.kind === "bundle" ? one : [])).sort(byFirstTurn);
  const [first, ...more] = pages.length === all.length ? pages : all;
  if (first === undefined) throw new UsageError("a file is missing");
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
  { evidence: files, requests, coseReceipts, layers, logPolicy, anchorFiles }: Given,
  { kind }: Evidence,
  record: ReadRecord,
): SheetFile[] {
  const all: [SheetFile["kind"], readonly (string | null)[]][] = [
    [kind, files.map(({ file }) => file)],
    ["request", requests.map(({ file }) => file)],
    ["cose_receipt", coseReceipts.map(({ file }) => file)],
    ["policy_layer", layers.map(({ file }) => file)],
    ["log_policy", [logPolicy?.file ?? null]],
    ["certificates", anchorFiles],
  ];
  return all.flatMap(([kind, names]) =>
    names.flatMap((name) => {
      const read = name === null ? null : record.of(name);
      return read === null ? [] : [{ name, kind, ...read }];
    }),
  );
}

/** The request that was hashed into the receipt, if it was given. */
function requestOf(evidence: Evidence, requests: readonly unknown[]): unknown {
  if (evidence.kind === "bundle" || evidence.kind === "seal") return undefined;
  const [receipt] = evidence.receipt.receipts ?? [];
  return requests.find((request) => hashInput(request) === receipt?.input_hash);
}

function usedAnchors({ turns, seals }: Examination, anchors: readonly Uint8Array[]) {
  const used = new Set([
    ...turns.flatMap(({ times }) => times.map(({ trustAnchor }) => trustAnchor)),
    ...seals.map(({ tokenTime }) => tokenTime?.trustAnchor),
  ]);
  return describeAnchors(anchors).filter(({ fingerprint }) => used.has(fingerprint));
}

export const command: Command = { help: HELP, run };
