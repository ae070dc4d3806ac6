// `convert`: writes a report as a .tlog-proof (C2SP) and as a COSE receipt (RFC 9942), which tools of others verify.
import { parseBase64 } from "../../../evidence/core/bytes.ts";
import { DisclosureError, isDisclosureError } from "../../../evidence/core/errors.ts";
import { sealCheckpoint, sealSignedRoot } from "../../../evidence/core/log/log-paths.ts";
import { parseEvidence, type ReceiptFile } from "../../../evidence/reader/evidence.ts";
import { Examiner } from "../../../evidence/reader/examine.ts";
import {
  type ExportableReport,
  exportableReport,
  exportCoseReceipt,
  exportTlogProof,
  exportToken,
} from "../../../evidence/reader/export.ts";
import { laterReport } from "../../../evidence/reader/later-report.ts";
import { MAX_FILE_BYTES } from "../../../evidence/reader/limits.ts";
import { readNoteFile } from "../../../evidence/reader/log-notes.ts";
import { naming } from "../../../evidence/reader/naming.ts";
import { PublishedSeals } from "../../../evidence/reader/published-seals.ts";
import { judge } from "../../../evidence/reader/verdict.ts";
import { type Command, Exit, type ExitCode, readArguments, UsageError } from "../command.ts";
import { readBytes } from "../files/read-file.ts";
import { certificatesOf, readTrustAnchors, TSA_CA_OPTION } from "../files/trust-anchors.ts";
import { replaceFile } from "../files/write-file.ts";
import type { PublicLog } from "../history/walk-log.ts";
import { openMetachain } from "../metachain/open.ts";
import { bold, type Terminal } from "../output/terminal.ts";

const OPTIONS = {
  ...TSA_CA_OPTION,
  "tlog-proof": { type: "string" },
  cose: { type: "string" },
  metachain: { type: "string" },
  newest: { type: "boolean" },
} as const;

const HELP = `Usage: disclosure-receipts convert REPORT [--tlog-proof FILE] [--cose FILE]

Writes the report of a receipt in forms that tools of others verify offline. The
report alone is enough: it carries the log's signatures over its root.

  --tlog-proof FILE     a proof of C2SP tlog-proof: the receipt, its paths, the
                        signed checkpoint with the cosignatures of witnesses,
                        and the timestamp, in one file
  --cose FILE           a COSE receipt of RFC 9942: the log's signature over the
                        root and the path of the entry, without the receipt
  --metachain URL|DIR   read what the report does not carry from the public log;
                        where the log never signed the report's root, show the
                        receipt under its newest checkpoint
  --newest              show it under the newest checkpoint in any case, with
                        the cosignatures that it has by now
  --tsa-ca FILE         PEM certificates of the timestamp authorities that you
                        trust, in place of the known public ones: a timestamp
                        that leads to none of them is left out

verify reads both back: a .tlog-proof by itself, a COSE receipt together with
the report. - is standard input.

Exit status: 0 written, 1 the report does not hold, or not with what the log
signed or published, and is not converted, 2 it could not be read, or has no
signature of the log.`;

interface Outputs {
  readonly "tlog-proof"?: string | undefined;
  readonly cose?: string | undefined;
}

/** The sources of a conversion. */
interface Sources {
  readonly report: ExportableReport;
  /** The signed checkpoint over its root. */
  readonly checkpoint: string;
  readonly trustAnchors: readonly Uint8Array[];
  /** Null where the reader named none. */
  readonly log: PublicLog | null;
}

async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError("convert takes one report");
  if (values["tlog-proof"] === undefined && values.cose === undefined)
    throw new UsageError("name a file to write: --tlog-proof FILE, --cose FILE, or both");
  const log = values.metachain === undefined ? null : openMetachain(values.metachain);
  const isNewest = values.newest === true;
  if (isNewest && log === null) throw new UsageError("--newest needs the public log: --metachain URL|DIR");
  const trustAnchors = certificatesOf(await readTrustAnchors(values["tsa-ca"]));
  const evidence = await naming(file, () => readReport(file));
  if (!(await isSound(evidence, trustAnchors))) {
    terminal.note(bold(file), ": this report does not hold, and so it is not converted; verify says why.");
    return Exit.doesNotHold;
  }
  try {
    await naming(file, async () => {
      const { report, checkpoint } = await signedReport(exportableReport(evidence.receipt), log, isNewest);
      await writeAll({ report, checkpoint, trustAnchors, log }, values, terminal);
    });
  } catch (error) {
    // The report contradicts what the log signed, or has published.
    if (!isDisclosureError(error, "proof_invalid")) throw error;
    terminal.note(error.message);
    return Exit.doesNotHold;
  }
  return Exit.holds;
}

async function readReport(file: string): Promise<ReceiptFile> {
  const evidence = parseEvidence(await readBytes(file, MAX_FILE_BYTES));
  if (evidence.kind !== "bundle" && evidence.kind !== "seal") return evidence;
  const what = evidence.kind === "bundle" ? "a conversation" : "a published root";
  throw new DisclosureError("malformed", `this is ${what}; convert takes the report of one receipt`);
}

/** No other host is asked: what is converted is what the report says. */
async function isSound(evidence: ReceiptFile, trustAnchors: readonly Uint8Array[]): Promise<boolean> {
  const published = new PublishedSeals(null);
  const now = new Date().toISOString();
  const examination = await new Examiner({ requests: [], published, trustAnchors, now }).examine(evidence);
  return judge(examination).outcome !== "does_not_hold";
}

/** The report with the checkpoint over its root; under the newest one, where its own root was never signed. */
async function signedReport(
  report: ExportableReport,
  log: PublicLog | null,
  isNewest: boolean,
): Promise<Pick<Sources, "report" | "checkpoint">> {
  const carried = report.evidence.log_checkpoint ?? null;
  if (carried !== null && !isNewest) return { report, checkpoint: carried };
  if (log === null) throw lacking("signed checkpoint");
  const own = isNewest ? null : await readNoteFile(log, sealCheckpoint(report.cross.seal_index));
  return own === null ? laterReport(report, log) : { report, checkpoint: own };
}

/** Both files are made before one is written: a conversion that is half there would be taken for a whole one. */
async function writeAll(sources: Sources, outputs: Outputs, terminal: Terminal): Promise<void> {
  const { "tlog-proof": proofFile, cose: coseFile } = outputs;
  const files: (readonly [file: string, content: string | Uint8Array])[] = [];
  if (proofFile !== undefined) files.push([proofFile, await makeProof(sources, terminal)]);
  if (coseFile !== undefined) files.push([coseFile, await makeCose(sources)]);
  const { leaf_index, tree_size } = sources.report.cross;
  for (const [file, content] of files) {
    await replaceFile(file, content);
    terminal.print(bold(file), `: entry ${leaf_index} of the log's ${tree_size}`);
  }
}

async function makeProof({ report, checkpoint, trustAnchors }: Sources, terminal: Terminal): Promise<string> {
  const token = await exportToken(report, trustAnchors);
  if (token === null) {
    terminal.note(
      "The proof carries no timestamp: the report has none that fits into a line and is by an authority that is known here. For another authority, give its root certificate with --tsa-ca FILE.",
    );
  }
  return exportTlogProof(report, checkpoint, token);
}

async function makeCose({ report, log }: Sources): Promise<Uint8Array> {
  const { evidence, cross } = report;
  if (cross.tree_size === 1) throw pathless();
  const carried = evidence.log_signed_root ?? null;
  if (carried !== null) return exportCoseReceipt(report, parseBase64(carried));
  if (log === null) throw lacking("COSE signature");
  const bytes = await log.logFile(sealSignedRoot(cross.seal_index));
  if (bytes === null) throw unpublished("COSE signature", cross.seal_index);
  return exportCoseReceipt(report, bytes);
}

const lacking = (what: string): DisclosureError =>
  new DisclosureError(
    "not_found",
    `it carries no ${what} of the log: fetch the report again, or name where the public log is read, --metachain URL|DIR`,
  );

const pathless = (): DisclosureError =>
  new DisclosureError(
    "malformed",
    "the only entry of a log has no path, and so no COSE receipt: once the log has grown, --metachain URL|DIR --newest shows the receipt in a larger tree",
  );

const unpublished = (what: string, index: number): DisclosureError =>
  new DisclosureError(
    "not_found",
    `the log has published no ${what} of seal ${index}: it may come in the next minutes, and seals from before the log was signed have none`,
  );

export const command: Command = { help: HELP, run };
