// Everything that was found of the files of a session. Plain data: it is posted from the worker to the page.
import type { AnchorDescription } from "../reader/anchors.ts";
import type { Evidence } from "../reader/evidence.ts";
import type { Examination, PlacedCheck } from "../reader/examination.ts";
import { type Outcome, type Verdict, worstOf } from "../reader/verdict.ts";
import { type GivenFile, keyOf, type ProblemReason } from "./given-file.ts";

export type FileFacts = Pick<GivenFile, "name" | "size" | "digest">;

/** Evidence that was examined: one file, or the pages of one conversation. */
export interface EvidenceEntry {
  readonly kind: Evidence["kind"];
  readonly files: readonly FileFacts[];
  readonly evidence: Evidence;
  readonly examination: Examination;
  readonly verdict: Verdict;
  /** The request behind a lone receipt, where one that belongs to it was given. */
  readonly request: (FileFacts & { readonly value: unknown }) | null;
  /** A published root that other evidence leads to: it is no subject of its own, unless it does not hold. */
  readonly isCompanion: boolean;
}

const COMPANION_KINDS = [
  "request",
  "certificates",
  "cose_receipt",
  "log_policy",
  "policy_layer",
  "history",
] as const;
export type CompanionKind = (typeof COMPANION_KINDS)[number];

/** A file that the reader added to evidence. `isStray`: there is evidence here, and it belongs to none of it. */
export interface CompanionEntry {
  readonly kind: CompanionKind;
  readonly files: readonly FileFacts[];
  readonly isStray: boolean;
}

export interface UnreadableEntry {
  readonly kind: "unreadable";
  readonly files: readonly FileFacts[];
  readonly reason: ProblemReason;
  /** Technical and in English; empty where there is nothing to add. */
  readonly detail: string;
}

export type CheckedEntry = EvidenceEntry | CompanionEntry | UnreadableEntry;

/** The origin of a certificate; `name` is the reader's file, null for pasted text. */
export type AnchorSource =
  | { readonly kind: "service" | "known" }
  | { readonly kind: "reader"; readonly name: string | null };

/** A certificate that a timestamp leads to. */
export interface UsedAnchor extends AnchorDescription {
  readonly source: AnchorSource;
}

/** The checks between the files. */
export interface CrossChecked {
  readonly outcome: Outcome;
  readonly checks: readonly PlacedCheck[];
}

export interface Checked {
  readonly entries: readonly CheckedEntry[];
  /** Null where there are no two receipts. */
  readonly together: CrossChecked | null;
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

export const isEvidenceEntry = (entry: CheckedEntry): entry is EvidenceEntry =>
  entry.kind !== "unreadable" && !isCompanionEntry(entry);

/** True for what is no evidence, but belongs to some. */
export const isCompanionEntry = (entry: CheckedEntry): entry is CompanionEntry =>
  (COMPANION_KINDS as readonly string[]).includes(entry.kind);

/** A history that was read, and that contradicts itself. */
export const isBroken = ({ reason }: UnreadableEntry): boolean => reason === "history_broken";

/** Null for what has no verdict of its own, and so does not count. */
export function outcomeOf(entry: CheckedEntry): Outcome | null {
  if (entry.kind === "unreadable") return isBroken(entry) ? "does_not_hold" : "unreadable";
  if (!isEvidenceEntry(entry)) return null;
  const { outcome } = entry.verdict;
  // An open point about a root that was added takes nothing from the receipt that leads to it.
  return entry.isCompanion && outcome !== "does_not_hold" ? null : outcome;
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

/** The other files that this piece was checked with, or should have been: what belongs to none of the pieces, too. */
export function companionsOf(
  entries: readonly CheckedEntry[],
  entry: EvidenceEntry,
): readonly CheckedEntry[] {
  return entries.filter((other) => {
    if (isEvidenceEntry(other))
      return other.evidence.kind === "seal" && leadsTo(entry.evidence, other.evidence.seal.index);
    if (other.kind === "request") return other.isStray || isOneOf(other.files, entry.request);
    if (other.kind === "certificates" || other.kind === "log_policy") return true;
    if (other.kind === "cose_receipt") return other.isStray || hasCheck(entry, "cose_receipt");
    if (other.kind === "policy_layer") return entry.kind !== "seal";
    return other.kind === "history" && entry.kind !== "seal";
  });
}

const hasCheck = ({ examination }: EvidenceEntry, name: string): boolean =>
  examination.turns.some(({ checks }) => checks.some((check) => check.name === name));

const isOneOf = (files: readonly FileFacts[], file: FileFacts | null): boolean =>
  file !== null && files.some(({ digest }) => digest === file.digest);

/** True if the evidence leads to this published root. */
export function leadsTo(evidence: Evidence, index: number): boolean {
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
