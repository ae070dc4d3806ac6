// The sentences about one file that a reader without technical knowledge understands: what was recorded, when, and who
// confirms it. They say nothing that the checks have not shown, or else that it is the service's own word.

import { type ShownReceipt, shownReceiptSchema } from "../../../evidence/core/formats/receipt.ts";
import type { ProvenTime } from "../../../evidence/core/timestamps/proven-time.ts";
import type { Check } from "../../../evidence/core/verify/check.ts";
import type { Evidence } from "../../../evidence/reader/evidence.ts";
import {
  type Examination,
  type ExaminedSeal,
  type ExaminedTurn,
  placedChecks,
} from "../../../evidence/reader/examination.ts";
import { isSound } from "../../../evidence/reader/session/findings.ts";
import type { OpenedSession } from "../../../evidence/reader/session/opened-session.ts";
import { describeBracket } from "../../../evidence/reader/text/bracket.ts";
import { describeCheckpoint } from "../../../evidence/reader/text/checkpoint.ts";
import { describeErasures } from "../../../evidence/reader/text/erasure.ts";
import { commonName, cutText, formatNumber, utcTime } from "../../../evidence/reader/text/format.ts";
import {
  describeAssessment,
  describeConfirmation,
  describeLateProof,
  describeMethod,
  describeRules,
  isRecomputed,
} from "../../../evidence/reader/text/receipt.ts";
import { statedFields } from "../../../evidence/reader/text/stated.ts";
import { type Text, termIn } from "../../../evidence/reader/text/text.ts";
import { firstValid, provenBy } from "../../../evidence/reader/times.ts";
import { isRefuted } from "../../../evidence/reader/verdict.ts";
import type { ReportContext } from "./context.ts";

type SummaryContext = ReportContext & { readonly session: OpenedSession };

/** A turn of a conversation, and whether anything of its receipt failed. */
export interface TurnRow {
  readonly isSound: boolean;
  readonly cells: readonly string[];
}

/** Nothing of a receipt that does not hold is proven: the first sentence says so, and none says who confirms it. */
export function summarize(examination: Examination, evidence: Evidence, context: SummaryContext): string[] {
  const { facts } = context.text;
  const isWrong = isRefuted({ checks: placedChecks(examination) });
  const [turn] = examination.turns;
  const [seal] = examination.seals;
  if (evidence.kind === "bundle") {
    const sentences = summarizeBundle(examination, evidence.bundle.interaction_id, context);
    if (isWrong) return [facts.brokenWhole, ...sentences];
    return [
      ...sentences,
      ...recomputedOf(examination, context),
      ...remarksOn(examination, evidence, context),
    ];
  }
  if (turn === undefined) return seal === undefined ? [] : summarizeSeal(seal, context);
  const sentences = summarizeTurn(turn, context);
  if (isWrong) return [facts.claimedNote, ...sentences];
  const times = [...timesOf([turn], context), ...describeBracket(context.text, turn, context.now)];
  return [...sentences, ...statedBy(turn, context), ...times, ...remarksOn(examination, evidence, context)];
}

function remarksOn({ turns }: Examination, evidence: Evidence, { text }: SummaryContext): string[] {
  const signed = turns.flatMap(({ checkpoint }) => describeCheckpoint(text, checkpoint));
  return [...describeErasures(text, evidence), ...new Set(signed), text.facts.limit, text.verdict.legal];
}

/** A value under its label, as the page and the sheet have it. */
const labelled = (label: string, ...values: readonly string[]): string => `${label}: ${values.join(", ")}.`;

function summarizeTurn(turn: ExaminedTurn, { text, session }: SummaryContext): string[] {
  const { facts } = text;
  const receipt = readReceipt(turn);
  if (receipt === null) return turn.evidence.receipts === undefined ? [text.verdict.proofOnly] : [];
  const { interaction_id: id } = session.requests.get(receipt.input_hash)?.request ?? {};
  const late = describeLateProof(text, turn);
  return [
    ...(typeof id === "string" ? [labelled(facts.interaction, cutText(id))] : []),
    `${facts.turn(String(receipt.turn))}.`,
    labelled(facts.when, utcTime(text.locale, receipt.issued_at), facts.ownClock),
    ...(late === null || isRefuted(turn) ? [] : [late]),
    labelled(facts.method, describeMethod(text, receipt)),
    labelled(facts.assessment, describeAssessment(text, receipt), ...describeRules(text, receipt, turn)),
    ...wordingOf(text, receipt, turn),
  ];
}

function summarizeBundle({ turns }: Examination, id: string, context: SummaryContext): string[] {
  const { facts, locale } = context.text;
  const times = turns.flatMap((turn) => readReceipt(turn)?.issued_at ?? []);
  const [from, until] = [times.at(0), times.at(-1)];
  if (from === undefined || until === undefined) return [];
  return [
    labelled(facts.interaction, cutText(id)),
    labelled(facts.receipts, formatNumber(locale, times.length)),
    labelled(facts.period, facts.to(utcTime(locale, from), utcTime(locale, until)), facts.ownClock),
    ...timesOf(turns, context),
  ];
}

function recomputedOf({ turns }: Examination, { text: { facts } }: SummaryContext): string[] {
  const recomputed = turns.filter(isRecomputed).length;
  return recomputed === 0 ? [] : [facts.recomputedAll(recomputed, turns.length)];
}

export function turnRows({ turns }: Examination, text: Text): TurnRow[] {
  return turns.flatMap((turn) => {
    const receipt = readReceipt(turn);
    if (receipt === null) return [];
    const cells = [
      text.verdict.inTurn(String(receipt.turn)),
      utcTime(text.locale, receipt.issued_at),
      termIn(text, receipt.disclosure.disclosure_method),
      describeAssessment(text, receipt),
    ];
    return [{ isSound: isSound(turn), cells }];
  });
}

function summarizeSeal(examined: ExaminedSeal, { text }: SummaryContext): string[] {
  const { facts, hashes, locale, picture } = text;
  const { seal, tokenTime } = examined;
  const sealed = [
    `${picture.root(String(seal.index))}.`,
    labelled(hashes.tree_size, formatNumber(locale, seal.tree_size)),
    labelled(hashes.sealed_at, utcTime(locale, seal.sealed_at)),
  ];
  if (isRefuted(examined)) return [facts.claimedRoot, ...sealed];
  const signed = describeCheckpoint(text, examined.checkpoint);
  if (!isDated(examined) || tokenTime?.authority == null) return [...sealed, ...signed];
  const by = facts.signed(commonName(tokenTime.authority));
  return [...sealed, labelled(facts.proven, utcTime(locale, tokenTime.genTime), by), ...signed];
}

/** Null for a receipt that is not as the format says: the checks say what is wrong with it. */
function readReceipt({ evidence }: ExaminedTurn): ShownReceipt | null {
  return shownReceiptSchema.safeParse(evidence.receipts?.[0]).data ?? null;
}

/** Says by when the receipts existed, and who confirms it. A timestamp proves nothing of a receipt that was changed. */
function timesOf(turns: readonly ExaminedTurn[], { text, now }: SummaryContext): string[] {
  const { facts, locale } = text;
  const times = provenTimes(turns, now);
  const last = times.toSorted((a, b) => Date.parse(a.genTime) - Date.parse(b.genTime)).at(-1);
  if (last === undefined) {
    const isFalse = turns.some(({ checks }) => checks.some(isFailedTimestamp));
    return [isFalse ? facts.untimedNote : facts.unproven];
  }
  if (times.length < turns.length) return [facts.provenSome(times.length, turns.length)];
  const at = utcTime(locale, provenBy(last));
  if (turns.length > 1) return [facts.provenAll(at, commonName(last.authority.subject))];
  return [labelled(facts.proven, at, describeConfirmation(text, last, now))];
}

const isFailedTimestamp = ({ name, ok }: Check): boolean => name === "timestamp" && ok === false;

/** A sentence for each field that the caller may add. */
const statedBy = (turn: ExaminedTurn, { text }: SummaryContext): string[] =>
  statedFields(text, readReceipt(turn)).map(({ label, value, isTime }) =>
    labelled(label, isTime ? utcTime(text.locale, value) : cutText(value), text.facts.callersWord),
  );

const provenTimes = (turns: readonly ExaminedTurn[], now: string): ProvenTime[] =>
  turns.filter((turn) => !isRefuted(turn)).flatMap((turn) => firstValid(turn.times, now) ?? []);

/** The fingerprints of the trust anchors that the shown times rest on. */
export function vouchingAnchors({ turns, seals }: Examination, now: string): string[] {
  const times =
    turns.length > 0 ? provenTimes(turns, now) : seals.filter(isDated).map(({ tokenTime }) => tokenTime);
  return [...new Set(times.flatMap((time) => time?.trustAnchor ?? []))];
}

/** True if a timestamp dates the root. Where the root was changed, it proves nothing of what the file says. */
const isDated = ({ checks }: ExaminedSeal): boolean =>
  !isRefuted({ checks }) && checks.some(({ name, ok }) => name === "timestamp" && ok === true);

function wordingOf({ facts }: Text, { disclosure }: ShownReceipt, { wording }: ExaminedTurn): string[] {
  const { subject_hash: digest } = disclosure;
  if (wording === null) return [`${facts.wording}: ${facts.unknownWording} ${digest} (--wording TEXT)`];
  const { id, text, approvedBy, template } = wording;
  if (text !== null) return [`${facts.wording} ${id}: ${facts.quote(text)}`];
  const own = `${facts.wording} ${id}: ${facts.ownWording(approvedBy ?? "?")} ${digest}`;
  return template?.text == null ? [own] : [own, `${facts.filled(template.id)} ${facts.quote(template.text)}`];
}
