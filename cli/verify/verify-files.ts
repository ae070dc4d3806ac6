// Verifies files of evidence one by one, and then against each other.
import { isDisclosureError } from "../../core/errors.ts";
import type { ShownCheckpoint } from "../../reader/checkpoints.ts";
import { turnsOf } from "../../reader/conversation-pages.ts";
import { conversationKey } from "../../reader/conversations.ts";
import { CrossCheck } from "../../reader/cross-check.ts";
import type { Evidence } from "../../reader/evidence.ts";
import type { Examination } from "../../reader/examination.ts";
import type { Examiner } from "../../reader/examine.ts";
import { inOrder } from "../../reader/in-order.ts";
import { judge, judgeChecks, worstOf } from "../../reader/verdict.ts";
import { UsageError } from "../command.ts";
import { comparedOf, compareText, findStrays } from "./belonging.ts";
import type { ReportContext } from "./context.ts";
import { describeFork, type GivenFork } from "./fork-file.ts";
import { type EvidenceFile, type Given, WIDTH } from "./given.ts";
import { openPoints } from "./open-points.ts";
import {
  type CrossResult,
  type FileResult,
  isSound,
  type PageResult,
  type Results,
  soundFiles,
} from "./results.ts";
import { summarize, turnRows, vouchingAnchors } from "./summary.ts";

interface Verifier {
  readonly examiner: Examiner;
  readonly context: ReportContext;
  readonly onFile: () => void;
}

export async function verifyFiles(given: Given, verifier: Verifier): Promise<Results> {
  const crossCheck = new CrossCheck();
  const files: FileResult[] = [];
  const work = (file: EvidenceFile) => verifyFile(file, verifier);
  for await (const { evidence, result } of inOrder(given.evidence, WIDTH, work)) {
    files.push(result);
    if (evidence !== null && isSound(result)) crossCheck.add(evidence, result.file);
    verifier.onFile();
  }
  for (const fork of given.forks) files.push(await verifyForkFile(fork, given));
  const together = crossCheck.isComparable ? await checkTogether(crossCheck) : null;
  const outcomes = [...files, ...(together === null ? [] : [together])].map(({ outcome }) => outcome);
  const comparison = given.text === null ? null : compareText(given.text, files);
  return {
    outcome: worstOf(outcomes),
    files,
    together,
    conversations: together === null || together.outcome === "does_not_hold" ? [] : joinPages(files),
    missing: crossCheck.conversations.missing(),
    remarked: crossCheck.remarked,
    stray: findStrays(given, files, comparison),
    comparison,
    unusedCertificates: given.unusedCertificates,
  };
}

async function checkTogether(crossCheck: CrossCheck): Promise<CrossResult> {
  const { checks } = await crossCheck.verify();
  const placed = checks.map((check) => ({ ...check, place: "" }));
  return { outcome: judgeChecks(placed).outcome, checks: placed };
}

interface Verified {
  readonly evidence: Evidence | null;
  readonly result: FileResult;
}

async function verifyFile({ file, read }: EvidenceFile, { examiner, context }: Verifier): Promise<Verified> {
  try {
    const evidence = await read();
    const examination = await examiner.examine(evidence);
    return { evidence, result: resultOf(file, evidence, examination, context) };
  } catch (error) {
    if (!isDisclosureError(error) && !(error instanceof UsageError)) throw error;
    const reason = isDisclosureError(error) ? context.words.whyUnreadable(error) : error.message;
    return { evidence: null, result: { ...UNREADABLE, file, reason } };
  }
}

/** A fork that is confirmed is no evidence of any receipt, and says of the log that it is not to be believed. */
async function verifyForkFile({ file, fork }: GivenFork, { logPolicy }: Given): Promise<FileResult> {
  try {
    const reason = await describeFork(fork, logPolicy?.policy ?? null);
    return { ...UNREADABLE, file, outcome: "does_not_hold", reason };
  } catch (error) {
    if (!isDisclosureError(error) && !(error instanceof UsageError)) throw error;
    return { ...UNREADABLE, file, reason: error.message };
  }
}

const UNREADABLE: Omit<FileResult, "file" | "reason"> = {
  kind: null,
  outcome: "unreadable",
  checks: [],
  made: 0,
  sentences: [],
  anchors: [],
  openPoints: [],
  turnRows: [],
  digests: [],
  page: null,
  hasStrayAnchor: false,
  hasStrayLog: false,
  places: [],
  checkpoints: [],
};

function resultOf(
  file: string,
  evidence: Evidence,
  examination: Examination,
  context: ReportContext,
): FileResult {
  const { unavailable, kind } = examination;
  const verdict = judge(examination);
  const { outcome, made } = verdict;
  return {
    file,
    kind,
    outcome: unavailable !== null && outcome !== "does_not_hold" ? "unreadable" : outcome,
    made,
    reason: unavailable,
    sentences: summarize(examination, evidence, context),
    anchors: vouchingAnchors(examination, context),
    openPoints: outcome === "does_not_hold" ? [] : openPoints(examination, verdict, context),
    turnRows: kind === "bundle" ? turnRows(examination, context.words) : [],
    page: pageOf(evidence),
    ...comparedOf(examination, context.hasOwnAnchors),
    checkpoints: checkpointsOf(examination),
  };
}

const checkpointsOf = ({ turns, seals }: Examination): ShownCheckpoint[] => [
  ...new Map(
    [...turns, ...seals].flatMap(({ checkpoint }) =>
      checkpoint === null ? [] : [[JSON.stringify(checkpoint), checkpoint]],
    ),
  ).values(),
];

function pageOf(evidence: Evidence): PageResult | null {
  const turns = evidence.kind === "bundle" ? turnsOf(evidence) : null;
  if (evidence.kind !== "bundle" || turns === null) return null;
  const [first, last] = turns;
  const { bundle } = evidence;
  return { key: conversationKey(bundle), interactionId: bundle.interaction_id, first, last };
}

/** Conversations in several files whose turns follow one another. */
function joinPages(files: readonly FileResult[]): Results["conversations"] {
  const pages = soundFiles(files).flatMap(({ page }) => page ?? []);
  return [...Map.groupBy(pages, ({ key }) => key).values()].flatMap((group) => {
    const ordered = group.toSorted((a, b) => a.first - b.first);
    const [first, last] = [ordered.at(0), ordered.at(-1)];
    const isWhole = ordered.every(({ first }, i) => i === 0 || first === (ordered[i - 1]?.last ?? 0) + 1);
    if (first === undefined || last === undefined || group.length < 2 || !isWhole) return [];
    return [{ ...first, last: last.last, files: group.length }];
  });
}
