// Turns a piece of evidence into the sentences that the command line keeps of it. There may be thousands of pieces, so the
// pieces themselves are let go.
import type { PlacedCheck } from "../../../evidence/core/verify/check.ts";
import type { CheckName } from "../../../evidence/core/verify/check-names.ts";
import type { ShownCheckpoint } from "../../../evidence/reader/checkpoints.ts";
import { turnsOf } from "../../../evidence/reader/conversation-pages.ts";
import type { Evidence } from "../../../evidence/reader/evidence.ts";
import { type Examination, placedChecks } from "../../../evidence/reader/examination.ts";
import type { Examined, OpenedSession } from "../../../evidence/reader/session/opened-session.ts";
import { openSentence } from "../../../evidence/reader/text/open-sentence.ts";
import type { Verdict } from "../../../evidence/reader/verdict.ts";
import { circumstancesOf, type ReportContext } from "./context.ts";
import { summarize, type TurnRow, turnRows, vouchingAnchors } from "./summary.ts";

export interface ShownFile {
  /** How many checks were made. */
  readonly made: number;
  readonly sentences: readonly string[];
  /** The fingerprints of the certificates that the shown times rest on. */
  readonly anchors: readonly string[];
  /** What was not checked, and what would help. */
  readonly openPoints: readonly string[];
  readonly turnRows: readonly TurnRow[];
  /** The first and the last turn of a bundle; null for other evidence. */
  readonly turns: readonly [first: number, last: number] | null;
  /** The signed checkpoints that the checks rest on, each once. */
  readonly checkpoints: readonly ShownCheckpoint[];
}

export function shownOf(
  { evidence, examination, verdict }: Examined,
  session: OpenedSession,
  context: ReportContext,
): ShownFile {
  const { kind } = examination;
  return {
    made: verdict.made,
    sentences: summarize(examination, evidence, { ...context, session }),
    anchors: vouchingAnchors(examination, context.now),
    openPoints:
      verdict.outcome === "does_not_hold"
        ? []
        : openPoints(evidence, examination, verdict, { context, session }),
    turnRows: kind === "bundle" ? turnRows(examination, context.text) : [],
    turns: evidence.kind === "bundle" ? turnsOf(evidence) : null,
    checkpoints: checkpointsOf(examination),
  };
}

interface PointContext {
  readonly context: ReportContext;
  readonly session: OpenedSession;
}

/** Each check that matters and could not be made, the request of a lone receipt, and the log's signature. */
function openPoints(
  evidence: Evidence,
  examination: Examination,
  verdict: Verdict,
  asked: PointContext,
): string[] {
  const { context, session } = asked;
  const { text } = context;
  const requests = placedChecks(examination).filter(
    ({ name, ok, place }) => name === "input_hash" && ok === null && place === "",
  );
  const points = [...verdict.open, ...requests].map((check) => pointOf(check, asked));
  if (session.policy === null && isSealed(evidence, examination))
    points.push(`${text.open.noPolicy} ${POLICY_OPTIONS}`);
  return [...new Set(points)];
}

function pointOf(check: PlacedCheck, { context, session }: PointContext): string {
  const { text } = context;
  const sentence = openSentence(text, check, circumstancesOf(context, session));
  const options = optionsFor(check, context);
  return `${text.checkTexts[check.name].name}: ${sentence}${options === "" ? "" : ` (${options})`}`;
}

const POLICY_OPTIONS = "(--log-key KEY, --policy FILE)";
const METACHAIN = "--metachain URL";

/** The option with which the reader gives what lacks. */
const OPTIONS: Partial<Readonly<Record<CheckName, string>>> = {
  input_hash: "--request FILE",
  policy: `--layer FILE, ${METACHAIN}`,
  published_root: `${METACHAIN}, --seal FILE`,
  published_seals: `${METACHAIN}, --seal FILE`,
  recorded_after: `${METACHAIN}, --seal FILE`,
  checkpoint: METACHAIN,
  cose_receipt: "--log-key KEY",
  previous_seal: "--seal FILE",
  public_heads: METACHAIN,
  whole: METACHAIN,
};

function optionsFor({ name, reason }: PlacedCheck, { roots }: ReportContext): string {
  if (reason === "no_anchor" || reason === "other_authority") return "--tsa-ca FILE";
  if (roots !== "not_asked" && name !== "input_hash") return name === "policy" ? "--layer FILE" : "";
  if (reason === "expired" || (reason === "pending" && name === "timestamp")) return METACHAIN;
  return reason === "not_given" ? (OPTIONS[name] ?? "") : "";
}

/** True if the evidence leads to a published root, or is one. */
const isSealed = ({ kind }: Evidence, { turns }: Examination): boolean =>
  kind === "seal" || turns.some(({ evidence }) => evidence.merkle_proof.cross_tenant_proof !== null);

const checkpointsOf = ({ turns, seals }: Examination): ShownCheckpoint[] => [
  ...new Map(
    [...turns, ...seals].flatMap(({ checkpoint }) =>
      checkpoint === null ? [] : [[JSON.stringify(checkpoint), checkpoint]],
    ),
  ).values(),
];
