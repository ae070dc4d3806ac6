// `verify`: checks files of evidence, one by one and then together.

import { isDisclosureError } from "../../core/errors.ts";
import type { Check } from "../../core/verify/check.ts";
import { type Command, Exit, type ExitCode, readArguments, UsageError } from "../command.ts";
import { Together } from "../../reader/cross-check.ts";
import { type Verdict, verdictOf, worstOf } from "../evidence/verdict.ts";
import { Examiner, type Means } from "../evidence/verify-evidence.ts";
import { listEvidenceFiles } from "../files/evidence-files.ts";
import { readRequest } from "../files/request.ts";
import { readTrustAnchors } from "../files/trust-anchors.ts";
import { inOrder } from "../../reader/in-order.ts";
import { type Evidence, readEvidence } from "../../reader/evidence.ts";
import { PublishedSeals } from "../../reader/published-seals.ts";
import { isUrl, openMetachain } from "../metachain/source.ts";
import type { Terminal } from "../output/terminal.ts";
import { printReport } from "./verify-report.ts";

/** Files under way at a time: enough to read one while the token of another is verified. */
const WIDTH = 8;

const OPTIONS = {
  metachain: { type: "string" },
  "tsa-ca": { type: "string", multiple: true },
  request: { type: "string" },
  offline: { type: "boolean" },
  json: { type: "boolean" },
  verbose: { type: "boolean", short: "v" },
} as const;

const HELP = `Usage: disclosure-receipts verify FILE… [options]

Checks receipts, reports, evidence bundles and published roots, each with all
that was given, and many receipts also against each other. A folder stands for
every .json file in it, - for standard input.

  --metachain URL|DIR   compare with the published roots: the service's, those
                        of a mirror, or of a mirror's folder
  --tsa-ca FILE         PEM certificates of the timestamp authorities that you
                        trust (may be repeated)
  --request FILE        the request behind the receipt (one receipt only)
  --offline             contact nothing, even if --metachain names a URL
  --json                one JSON document on standard output
  -v, --verbose         every check of every file

Without --metachain the root is not compared with what is published, and
without --tsa-ca no timestamp token is checked: the verdict is then that it
holds as far as could be checked. With both, a timestamp whose certificate ran
out is renewed by a later published root, if there is one.

No other host than that of --metachain is ever contacted, and nothing of a
receipt is sent to it but the number of its root.

Exit status: 0 all holds as far as could be checked, 1 something does not hold,
2 something could not be read.`;

export interface FileResult {
  readonly file: string;
  readonly kind: Evidence["kind"] | null;
  readonly verdict: Verdict;
  readonly checks: readonly Check[];
  /** Why it could not be read, or not in full. */
  readonly reason: string | null;
}

export interface VerifyReport {
  readonly verdict: Verdict;
  readonly files: readonly FileResult[];
  /** The checks between receipts; null where there are no two. */
  readonly together: { readonly verdict: Verdict; readonly checks: readonly Check[] } | null;
  /** What a reader could take for a whole conversation and is not, a sentence each. */
  readonly missing: readonly string[];
  /** What the verdict does not say: that the wording rules had remarks. Null where they had none. */
  readonly remarks: string | null;
}

async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const files = await listEvidenceFiles(positionals);
  if (values.request !== undefined && files.length > 1)
    throw new UsageError("--request is for one receipt only");
  const examiner = new Examiner(await openMeans(values));
  const report = await verifyFiles(files, examiner, terminal);
  if (values.json === true) terminal.printJson(report);
  else printReport(report, terminal, values.verbose === true);
  return exitOf(report.verdict);
}

interface Values {
  readonly metachain?: string | undefined;
  readonly "tsa-ca"?: readonly string[] | undefined;
  readonly request?: string | undefined;
  readonly offline?: boolean | undefined;
}

async function openMeans({ metachain, "tsa-ca": anchors = [], request, offline }: Values): Promise<Means> {
  const source = metachain === undefined ? null : openMetachain(metachain);
  const isReachable = source !== null && !(offline === true && isUrl(source.name));
  return {
    published: isReachable ? new PublishedSeals(source) : null,
    trustAnchors: await readTrustAnchors(anchors),
    now: new Date().toISOString(),
    ...(request !== undefined && { request: await readRequest(request) }),
  };
}

async function verifyFiles(
  files: readonly string[],
  examiner: Examiner,
  terminal: Terminal,
): Promise<VerifyReport> {
  const together = new Together();
  const results: FileResult[] = [];
  const progress = terminal.progress(files.length, "files");
  for await (const { evidence, ...result } of inOrder(files, WIDTH, (file) => verifyFile(file, examiner))) {
    results.push(result);
    if (evidence !== null && result.verdict.startsWith("holds")) together.add(evidence);
    progress.step();
  }
  const verdicts = results.map(({ verdict }) => verdict);
  const found = {
    files: results,
    missing: together.conversations.missing(),
    remarks: together.remarks(),
  };
  if (together.size < 2) return { verdict: worstOf(verdicts), ...found, together: null };
  const verification = await together.verify();
  const verdict = verdictOf(verification);
  const { checks } = verification;
  return { verdict: worstOf([...verdicts, verdict]), ...found, together: { verdict, checks } };
}

async function verifyFile(
  file: string,
  examiner: Examiner,
): Promise<FileResult & { readonly evidence: Evidence | null }> {
  try {
    const evidence = await readEvidence(file);
    const { unavailable, ...examined } = await examiner.examine(evidence);
    const verdict = unavailable !== null && examined.valid ? "unreadable" : verdictOf(examined);
    return { file, kind: evidence.kind, verdict, checks: examined.checks, reason: unavailable, evidence };
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    return { file, kind: null, verdict: "unreadable", checks: [], reason: error.message, evidence: null };
  }
}

const exitOf = (verdict: Verdict): ExitCode => {
  if (verdict === "does_not_hold") return Exit.doesNotHold;
  return verdict === "unreadable" ? Exit.unreadable : Exit.holds;
};

export const command: Command = { help: HELP, run };
