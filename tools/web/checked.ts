// Everything that was found of the files of a session, as the page draws it. Plain data: it is posted from the worker to
// the page.
import type { PlacedCheck } from "../../evidence/core/verify/check.ts";
import type { Evidence } from "../../evidence/reader/evidence.ts";
import type { Examination } from "../../evidence/reader/examination.ts";
import type {
  CompanionFinding,
  CompanionKind,
  CrossFinding,
  ForkFinding,
  UsedAnchor,
} from "../../evidence/reader/session/findings.ts";
import type { SessionSummary } from "../../evidence/reader/session/summary.ts";
import type { Problem } from "../../evidence/reader/unreadable.ts";
import { type Outcome, type Verdict, worstOf } from "../../evidence/reader/verdict.ts";
import { keyOf, type TakenFile } from "./given-file.ts";

export type FileFacts = Pick<TakenFile, "name" | "size" | "digest">;

/** Evidence that was examined: one file, or the pages of one conversation. */
export interface EvidenceEntry {
  readonly kind: Evidence["kind"];
  readonly files: readonly FileFacts[];
  readonly evidence: Evidence;
  readonly examination: Examination;
  readonly verdict: Verdict;
  /** The request behind a lone receipt, where one that belongs to it was given. */
  readonly request: (FileFacts & { readonly value: unknown }) | null;
}

/** A file that the reader added to evidence. */
export interface CompanionEntry {
  readonly kind: CompanionKind;
  readonly files: readonly FileFacts[];
  readonly use: CompanionFinding["use"];
}

/** A file of which nothing can be said, or a history or a log that was shown to be false. */
export interface UnreadableEntry {
  readonly kind: "unreadable";
  readonly files: readonly FileFacts[];
  readonly outcome: "unreadable" | "does_not_hold";
  readonly problem: Problem;
  readonly fork: ForkFinding | null;
}

export type CheckedEntry = EvidenceEntry | CompanionEntry | UnreadableEntry;

export interface Checked {
  readonly entries: readonly CheckedEntry[];
  /** Null where there are no two receipts. */
  readonly together: CrossFinding | null;
  readonly summary: SessionSummary;
  readonly usedAnchors: readonly UsedAnchor[];
  /** The name of the metachain that was asked; null where none could be. */
  readonly metachain: string | null;
  /** Browsers verify timestamps only where a page came over HTTPS or from disk. */
  readonly isSecure: boolean;
  /** The fingerprint of the tenant whose history the reader expects; null where none was given. */
  readonly fingerprint: string | null;
  /** False where the browser leaves the signatures of logs unchecked. */
  readonly knowsEd25519: boolean;
  readonly isSample: boolean;
  readonly checkedAt: Date;
}

export const isEvidenceEntry = (entry: CheckedEntry): entry is EvidenceEntry => "examination" in entry;

/** True for what is no evidence, but belongs to some. */
export const isCompanionEntry = (entry: CheckedEntry): entry is CompanionEntry => "use" in entry;

/** Null for what has no verdict of its own, and so does not count. */
export function outcomeOf(entry: CheckedEntry): Outcome | null {
  if (isEvidenceEntry(entry)) return entry.verdict.outcome;
  return entry.kind === "unreadable" ? entry.outcome : null;
}

export interface Overview {
  readonly outcome: Outcome;
  /** How many files have this outcome, and how many have one at all. */
  readonly count: number;
  readonly all: number;
}

/** The worst of all: good files never hide a bad one. Null where nothing has a verdict. */
export function overviewOf({ entries, together }: Pick<Checked, "entries" | "together">): Overview | null {
  const counted = entries.filter((entry) => outcomeOf(entry) !== null);
  const outcomes = counted.flatMap((entry) => outcomeOf(entry) ?? []);
  if (outcomes.length === 0) return null;
  const outcome = worstOf([...outcomes, ...(together === null ? [] : [together.outcome])]);
  const filesOf = (some: readonly CheckedEntry[]): number => some.flatMap(({ files }) => files).length;
  const worst = counted.filter((entry) => outcomeOf(entry) === outcome);
  return { outcome, count: filesOf(worst), all: filesOf(counted) };
}

/** The checks of all files that matter and could not be made. */
export const openChecks = ({ entries }: Pick<Checked, "entries">): PlacedCheck[] =>
  entries.flatMap((entry) => (isEvidenceEntry(entry) ? entry.verdict.open : []));

/** True if the reader named this file's kind and it was not left aside. */
export const hasCompanion = ({ entries }: Pick<Checked, "entries">, kind: CompanionKind): boolean =>
  entries.some((entry) => isCompanionEntry(entry) && entry.kind === kind && entry.use !== "not_believed");

/** The other files that this piece was checked with, or should have been: what belongs to none of the pieces, too. */
export function companionsOf(
  entries: readonly CheckedEntry[],
  entry: EvidenceEntry,
): readonly CheckedEntry[] {
  return entries.filter((other) => {
    if (isEvidenceEntry(other))
      return other.evidence.kind === "seal" && leadsTo(entry.evidence, other.evidence.seal.index);
    if (!isCompanionEntry(other) || other.use === "not_believed") return false;
    if (other.kind === "request") return other.use === "stray" || isOneOf(other.files, entry.request);
    if (other.kind === "cose_receipt") return other.use === "stray" || hasCheck(entry, "cose_receipt");
    if (other.kind === "policy_layer" || other.kind === "history") return entry.kind !== "seal";
    return true;
  });
}

const hasCheck = ({ examination }: EvidenceEntry, name: string): boolean =>
  examination.turns.some(({ checks }) => checks.some((check) => check.name === name));

const isOneOf = (files: readonly FileFacts[], file: FileFacts | null): boolean =>
  file !== null && files.some(({ digest }) => digest === file.digest);

/** True if the evidence leads to this published root. */
function leadsTo(evidence: Evidence, index: number): boolean {
  if (evidence.kind === "seal") return false;
  if (evidence.kind === "bundle") return evidence.bundle.seals.some((seal) => seal.index === index);
  return evidence.receipt.merkle_proof.cross_tenant_proof?.seal_index === index;
}

/** The entry that has the file of this key; a page that joins a conversation later changes nothing about that. */
export const entryOf = (entries: readonly CheckedEntry[], key: string | null): CheckedEntry | undefined =>
  entries.find(({ files }) => files.some((file) => keyOf(file) === key));

/** The entry to open first: the worst, and of equally bad ones the first. */
export function worstEntry(entries: readonly CheckedEntry[]): CheckedEntry | undefined {
  const outcome = worstOf(entries.flatMap((entry) => outcomeOf(entry) ?? []));
  return (
    entries.find((entry) => outcomeOf(entry) === outcome) ?? entries.find((entry) => isEvidenceEntry(entry))
  );
}
