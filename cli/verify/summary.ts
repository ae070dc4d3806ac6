// The sentences about one file that a reader without technical knowledge understands: what was recorded, when, and who
// confirms it. They say nothing that the checks have not shown, or else that it is the service's own word.

import { type ShownReceipt, shownReceiptSchema } from "../../core/formats/receipt.ts";
import { isValidAt, type ProvenTime } from "../../core/timestamps/proven-time.ts";
import type { Check } from "../../core/verify/check.ts";
import type { Evidence } from "../../reader/evidence.ts";
import {
  type Examination,
  type ExaminedSeal,
  type ExaminedTurn,
  placedChecks,
} from "../../reader/examination.ts";
import { isSound } from "../../reader/session/findings.ts";
import type { OpenedSession } from "../../reader/session/opened-session.ts";
import { describeBracket } from "../../reader/text/bracket.ts";
import { describeCheckpoint } from "../../reader/text/checkpoint.ts";
import { describeErasures } from "../../reader/text/erasure.ts";
import { commonName, cutText, textAt, utcTime } from "../../reader/text/format.ts";
import { statedFields } from "../../reader/text/stated.ts";
import { termIn } from "../../reader/text/text.ts";
import { firstValid, provenBy, unusualDelay } from "../../reader/times.ts";
import { isRefuted } from "../../reader/verdict.ts";
import { isInOrder } from "../../reader/wording.ts";
import type { ReportContext } from "./context.ts";
import type { Words } from "./words.ts";

type SummaryContext = ReportContext & { readonly session: OpenedSession };

/** A turn of a conversation, and whether anything of its receipt failed. */
export interface TurnRow {
  readonly isSound: boolean;
  readonly cells: readonly string[];
}

const HOUR_MS = 60 * 60 * 1000;

/** Nothing of a receipt that does not hold is proven: the first sentence says so, and none says who confirms it. */
export function summarize(examination: Examination, evidence: Evidence, context: SummaryContext): string[] {
  const { text } = context.words;
  const isWrong = isRefuted({ checks: placedChecks(examination) });
  const [turn] = examination.turns;
  const [seal] = examination.seals;
  if (evidence.kind === "bundle") {
    const sentences = summarizeBundle(examination, evidence.bundle.interaction_id, context);
    if (isWrong) return [text.facts.brokenWhole, ...sentences];
    const signed = examination.turns.flatMap(({ checkpoint }) => describeCheckpoint(text, checkpoint));
    return [
      ...sentences,
      ...wordingsOf(examination, context),
      ...describeErasures(text, evidence),
      ...new Set(signed),
      context.words.summary.limit,
    ];
  }
  if (turn === undefined) return seal === undefined ? [] : summarizeSeal(seal, context);
  const sentences = summarizeTurn(turn, context);
  if (isWrong) return [text.facts.claimedNote, ...sentences];
  const bracket = describeBracket(text, turn, context.now);
  const remarks = [...statedBy(turn, context), ...timesOf([turn], context), ...bracket];
  const signed = describeCheckpoint(text, turn.checkpoint);
  remarks.push(...lateProofOf(turn, context), ...describeErasures(text, evidence));
  return [...sentences, ...remarks, ...signed, context.words.summary.limit];
}

function summarizeTurn(turn: ExaminedTurn, context: SummaryContext): string[] {
  const { text, summary } = context.words;
  const receipt = readReceipt(turn);
  if (receipt === null) return turn.evidence.receipts === undefined ? [text.verdict.proofOnly] : [];
  const request = context.session.requests.get(receipt.input_hash);
  const { interaction_id: id } = request?.request ?? {};
  const conversation = typeof id === "string" ? id : null;
  const { disclosure, policy, issued_at } = receipt;
  return [
    summary.recorded(String(receipt.turn), conversation, utcTime(context.words.text.locale, issued_at)),
    summary.how(termIn(text, disclosure.disclosure_method), termIn(text, disclosure.modality)),
    summary.wording(assessmentOf(context.words, receipt), policy.jurisdiction, policy.version),
    ...(isRecomputed(turn) ? [summary.recomputed] : []),
    ...wordingOf(context.words, receipt, turn),
  ];
}

function summarizeBundle({ turns }: Examination, id: string, context: SummaryContext): string[] {
  const { words } = context;
  const receipts = turns.map(readReceipt).filter((receipt) => receipt !== null);
  const [first, last] = [receipts.at(0), receipts.at(-1)];
  if (first === undefined || last === undefined) return [];
  const [from, until] = [first, last].map(({ issued_at }) => utcTime(words.text.locale, issued_at));
  return [
    words.summary.recordedAll(id, receipts.length, from ?? "", until ?? ""),
    ...timesOf(turns, context),
  ];
}

function wordingsOf({ turns }: Examination, { words: { summary } }: SummaryContext): string[] {
  const approved = turns.filter(({ evidence }) => isInOrder(evidence.receipts?.[0] ?? {})).length;
  const recomputed = turns.filter(isRecomputed).length;
  const again = recomputed === 0 ? [] : [summary.recomputedAll(recomputed, turns.length)];
  return [summary.wordings(approved, turns.length), ...again];
}

export function turnRows({ turns }: Examination, words: Words): TurnRow[] {
  return turns.flatMap((turn) => {
    const receipt = readReceipt(turn);
    if (receipt === null) return [];
    const cells = [
      words.summary.turn(String(receipt.turn)),
      utcTime(words.text.locale, receipt.issued_at),
      termIn(words.text, receipt.disclosure.disclosure_method),
      assessmentOf(words, receipt),
    ];
    return [{ isSound: isSound(turn), cells }];
  });
}

function summarizeSeal(examined: ExaminedSeal, { words }: SummaryContext): string[] {
  const { seal, tokenTime } = examined;
  const { summary } = words;
  const sealed = summary.sealed(seal.index, seal.tree_size, utcTime(words.text.locale, seal.sealed_at));
  if (isRefuted(examined)) return [words.text.facts.claimedRoot, sealed];
  const signed = describeCheckpoint(words.text, examined.checkpoint);
  if (!isDated(examined) || tokenTime?.authority == null) return [sealed, ...signed];
  const existed = summary.existed(
    utcTime(words.text.locale, tokenTime.genTime),
    commonName(tokenTime.authority),
  );
  return [sealed, existed, ...signed];
}

/** Null for a receipt that is not as the format says: the checks say what is wrong with it. */
function readReceipt({ evidence }: ExaminedTurn): ShownReceipt | null {
  return shownReceiptSchema.safeParse(evidence.receipts?.[0]).data ?? null;
}

/** Says by when the receipts existed, and who confirms it. A timestamp proves nothing of a receipt that was changed. */
function timesOf(turns: readonly ExaminedTurn[], context: SummaryContext): string[] {
  const { words, now } = context;
  const times = provenTimes(turns, now);
  const last = times.toSorted((a, b) => Date.parse(a.genTime) - Date.parse(b.genTime)).at(-1);
  if (last === undefined) {
    const isFalse = turns.some(({ checks }) => checks.some(isFailedTimestamp));
    return [isFalse ? words.text.facts.untimedNote : words.summary.timeUnproven];
  }
  return [turns.length === 1 ? existed(last, context) : existedAll(times.length, turns.length, last, words)];
}

const isFailedTimestamp = ({ name, ok }: Check): boolean => name === "timestamp" && ok === false;

/** A sentence for each field that the caller may add. */
const statedBy = (turn: ExaminedTurn, { words: { text } }: SummaryContext): string[] =>
  statedFields(text, readReceipt(turn)).map(({ label, value, isTime }) => {
    const shown = isTime ? utcTime(text.locale, value) : cutText(value);
    return `${label}: ${shown}, ${text.facts.callersWord}.`;
  });

/** Where the earliest proven time is much later than the service's, only the service says that it was not later. */
function lateProofOf({ evidence, times }: ExaminedTurn, { words: { text } }: SummaryContext): string[] {
  const delay = unusualDelay(textAt(evidence.receipts?.[0], "issued_at"), times);
  return delay === null ? [] : [text.facts.lateProof(text.facts.delay(Math.floor(delay / HOUR_MS)))];
}

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

function existed(time: ProvenTime, { words, now }: SummaryContext): string {
  const [at, authority] = [utcTime(words.text.locale, provenBy(time)), commonName(time.authority.subject)];
  if (isValidAt(time, now)) return words.summary.existed(at, authority);
  return words.summary.existedOnce(at, authority, utcTime(words.text.locale, time.validUntil));
}

function existedAll(count: number, all: number, last: ProvenTime, words: Words): string {
  if (count < all) return words.summary.existedSome(count, all);
  return words.summary.existedAll(
    utcTime(words.text.locale, provenBy(last)),
    commonName(last.authority.subject),
  );
}

function assessmentOf({ text }: Words, { verdict, policy }: ShownReceipt): string {
  const remarks = policy.findings.map((finding) => termIn(text, finding));
  return [termIn(text, verdict), ...(remarks.length === 0 ? [] : [remarks.join("; ")])].join(": ");
}

function wordingOf({ summary }: Words, { disclosure }: ShownReceipt, { wording }: ExaminedTurn): string[] {
  if (wording === null) return [summary.unknownText(disclosure.subject_hash)];
  const { id, text, approvedBy, template } = wording;
  if (text !== null) return [summary.text(id, text)];
  const own = summary.ownText(id, approvedBy ?? "?", disclosure.subject_hash);
  return template?.text == null ? [own] : [own, summary.filled(template.id, template.text)];
}

/** True if the verdict was computed again, and is the same. */
const isRecomputed = ({ checks }: ExaminedTurn): boolean =>
  checks.some(({ name, ok }) => name === "policy" && ok === true);
