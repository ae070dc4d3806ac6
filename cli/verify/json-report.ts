// The report of `verify --json`: its members are described in docs/command-line.md.
import { fullName, type PlacedCheck } from "../../reader/examination.ts";
import { comparedSentence, missingSentences, straySentence } from "./caveats.ts";
import type { ReportContext } from "./context.ts";
import type { CrossResult, FileResult, Results } from "./results.ts";

export function jsonReport(results: Results, { words }: ReportContext): object {
  const { outcome, files, together, remarked, stray, comparison } = results;
  return {
    verdict: outcome,
    files: files.map(jsonFile),
    together: together === null ? null : { verdict: together.outcome, checks: jsonChecks(together) },
    missing: missingSentences(results, words),
    remarks: remarked.count === 0 ? null : words.summary.remarks(remarked.count, remarked.all),
    stray: stray.map((one) => ({ ...one, detail: straySentence(one, words) })),
    wording: comparison && { ...comparison, detail: comparedSentence(comparison, files.length, words) },
    trust_anchors: [...new Set(files.flatMap(({ anchors }) => anchors))],
  };
}

const jsonFile = ({
  file,
  kind,
  outcome,
  checks,
  reason,
  sentences,
  openPoints,
  checkpoints,
}: FileResult) => ({
  file,
  kind,
  verdict: outcome,
  checks: jsonChecks({ checks }),
  reason,
  summary: sentences,
  not_checked: openPoints,
  checkpoints: checkpoints.map(({ origin, treeSize, isLater, cosignatures, hasQuorum }) => ({
    origin,
    tree_size: treeSize,
    later: isLater,
    cosignatures,
    quorum: hasQuorum,
  })),
});

const jsonChecks = ({ checks }: Pick<CrossResult, "checks">) =>
  checks.map((check: PlacedCheck) => ({
    name: fullName(check),
    ok: check.ok,
    detail: check.detail,
    ...(check.companion !== undefined && { companion: check.companion }),
  }));
