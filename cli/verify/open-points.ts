// The checks of one file that could not be made, each with what the reader can do about it.
import { isCheckName } from "../../reader/check-names.ts";
import {
  type Examination,
  type ExaminedSeal,
  type ExaminedTurn,
  type PlacedCheck,
  placedChecks,
} from "../../reader/examination.ts";
import type { TokenTime } from "../../reader/times.ts";
import type { Verdict } from "../../reader/verdict.ts";
import type { ReportContext } from "./context.ts";

export function openPoints(examination: Examination, verdict: Verdict, context: ReportContext): string[] {
  const points = verdict.open.map((check) => pointOf(check, examination, context));
  const isRequestLacking = placedChecks(examination).some(
    ({ name, ok, place }) => name === "input_hash" && ok === null && place === "",
  );
  if (isRequestLacking) points.push(context.words.summary.open.request);
  if (!context.hasPolicy && isSealed(examination)) points.push(context.words.summary.open.noPolicy);
  return [...new Set(points)];
}

function pointOf(check: PlacedCheck, examination: Examination, context: ReportContext): string {
  const { open } = context.words.summary;
  if (check.name === "timestamp") return timestampPoint(check, examination, context);
  if (check.name === "recorded_after") return boundPoint(check, context);
  if (check.name === "checkpoint") return checkpointPoint(check, examination, context);
  if (check.name === "policy") return open.layer(check.detail);
  if (check.name !== "published_root" && check.name !== "published_seals") return textOf(check, context);
  if (isPending(check, examination)) return open.pendingRoot;
  if (context.reach === "metachain") return textOf(check, context);
  return context.reach === "offline" ? open.offline : open.notCompared;
}

function timestampPoint(check: PlacedCheck, examination: Examination, context: ReportContext): string {
  const { open } = context.words.summary;
  const time = tokenTimeAt(check, examination);
  if (time === null) return open.pendingTimestamp;
  if (context.anchors.length === 0) return open.noAnchor;
  if (time.trustAnchor !== null) return open.expired;
  return context.hasOwnAnchors ? open.strayAnchor : open.unknownAuthority;
}

/** The sentences are those of the timestamp, where the same certificate is missing for both. */
function boundPoint({ companion }: PlacedCheck, context: ReportContext): string {
  const { open } = context.words.summary;
  if (context.anchors.length === 0) return open.noAnchor;
  if (companion === undefined) return open.sealBefore;
  return context.hasOwnAnchors ? open.strayAnchor : open.unknownAuthority;
}

function checkpointPoint(check: PlacedCheck, examination: Examination, context: ReportContext): string {
  const { open } = context.words.summary;
  if (isPending(check, examination)) return open.pendingRoot;
  if (check.companion === "log") return open.strayLog;
  if (partAt(check, examination)?.checkpoint != null) return open.noQuorum;
  return context.reach === "metachain" ? open.noCheckpointPublished : open.noCheckpoint;
}

function textOf({ name, detail }: PlacedCheck, { words: { text } }: ReportContext): string {
  return isCheckName(name)
    ? `${text.checkTexts[name].name}. ${text.checkTexts[name].open}`
    : `${name}: ${detail}`;
}

/** True if every receipt that the check is about came before its root was published. */
function isPending({ place }: PlacedCheck, { turns, kind }: Examination): boolean {
  if (kind === "seal") return false;
  const concerned = place === "" && kind === "bundle" ? turns : [turns[indexIn(place)]];
  return concerned.every((turn) => turn?.evidence.merkle_proof.cross_tenant_proof === null);
}

const tokenTimeAt = (check: PlacedCheck, examination: Examination): TokenTime | null =>
  partAt(check, examination)?.tokenTime ?? null;

/** The receipt or the root that a check is about. */
function partAt(
  { place }: PlacedCheck,
  { turns, seals }: Examination,
): ExaminedTurn | ExaminedSeal | undefined {
  const list = place.startsWith("seals/") || turns.length === 0 ? seals : turns;
  return list[indexIn(place)];
}

/** True if the evidence leads to a published root. */
const isSealed = ({ kind, turns }: Examination): boolean =>
  kind === "seal" || turns.some(({ evidence }) => evidence.merkle_proof.cross_tenant_proof !== null);

/** The index in a place: 2 in `seals/2`, and 0 for a check that is about all of a lone receipt or root. */
const indexIn = (place: string): number => Number(place.split("/")[1] ?? 0);
