// The report of `verify --json`: its members are described in docs/command-line.md.
import { fullName, type PlacedCheck } from "../../../evidence/core/verify/check.ts";
import type { FileFinding, SessionFindings } from "../../../evidence/reader/session/findings.ts";
import type { Text } from "../../../evidence/reader/text/text.ts";
import { comparedSentence, describedStrays } from "./caveats.ts";
import { reasonOf } from "./rows.ts";
import type { ShownFile } from "./shown.ts";

export function jsonReport(findings: SessionFindings<ShownFile>, text: Text): object {
  const { outcome, files, together, summary, companions, comparison, usedAnchors } = findings;
  const shownAnchors = new Set(files.flatMap(({ shown }) => shown?.anchors ?? []));
  return {
    verdict: outcome,
    files: files.map((file) => jsonFile(file, text)),
    together: together === null ? null : { verdict: together.outcome, checks: jsonChecks(together.checks) },
    summary,
    companions,
    stray: describedStrays(findings, text),
    wording: comparison && { ...comparison, detail: comparedSentence(comparison, files.length, text) },
    trust_anchors: usedAnchors
      .filter(({ fingerprint }) => shownAnchors.has(fingerprint))
      .map(({ source, ...anchor }) => ({ ...anchor, file: source.kind === "reader" ? source.file : null })),
  };
}

const jsonFile = (finding: FileFinding<ShownFile>, text: Text) => ({
  file: finding.file,
  kind: finding.kind,
  verdict: finding.outcome,
  checks: jsonChecks(finding.checks),
  reason: reasonOf(finding, text),
  fork: finding.fork,
  summary: finding.shown?.sentences ?? [],
  not_checked: finding.shown?.openPoints ?? [],
  checkpoints: (finding.shown?.checkpoints ?? []).map(
    ({ origin, treeSize, isLater, cosignatures, hasQuorum, liars }) => ({
      origin,
      tree_size: treeSize,
      later: isLater,
      cosignatures,
      quorum: hasQuorum,
      liars,
    }),
  ),
});

const jsonChecks = (checks: readonly PlacedCheck[]) =>
  checks.map((check) => ({
    name: fullName(check),
    ok: check.ok,
    detail: check.detail,
    ...(check.reason !== undefined && { reason: check.reason }),
  }));
