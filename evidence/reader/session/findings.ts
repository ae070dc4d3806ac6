// The findings of a session: each file's, and those of all files together. Plain data, which survives being posted between
// threads and written as JSON.
import type { PlacedCheck } from "../../core/verify/check.ts";
import type { AnchorDescription } from "../anchors.ts";
import type { Evidence } from "../evidence.ts";
import type { Problem } from "../unreadable.ts";
import type { Outcome } from "../verdict.ts";
import type { AnchorSource } from "./given.ts";
import type { SessionSummary } from "./summary.ts";

/** One file. `shown` is what the program keeps of its examination; null for a file that is no evidence. */
export interface FileFinding<T> {
  readonly file: string;
  /** Null for a file that could not be read. */
  readonly kind: Evidence["kind"] | "fork" | null;
  readonly outcome: Outcome;
  readonly checks: readonly PlacedCheck[];
  /** Why nothing can be said about the file. */
  readonly problem: Problem | null;
  /** What a proof shows that the log signed two histories. */
  readonly fork: ForkFinding | null;
  /** Why the published roots could not be read; null where they were, or none were asked for. */
  readonly unavailable: string | null;
  readonly shown: T | null;
}

/** Two trees that one log signed, and that no log which only grows can both have. */
export interface ForkFinding {
  readonly origin: string;
  /** The smaller one first; `root` is `0x` and hex. */
  readonly trees: readonly { readonly size: number; readonly root: string }[];
}

export const COMPANION_KINDS = [
  "request",
  "certificates",
  "seal",
  "cose_receipt",
  "log_policy",
  "policy_layer",
  "history",
] as const;
export type CompanionKind = (typeof COMPANION_KINDS)[number];

/**
 * A file next to evidence: it was `used`, belongs to none of the evidence (`stray`, which is no fault of the evidence),
 * is not believed because it came in a folder (`not_believed`), or waits for evidence (`unused`).
 */
export interface CompanionFinding {
  readonly kind: CompanionKind;
  readonly file: string;
  readonly use: "used" | "stray" | "not_believed" | "unused";
}

export interface CrossFinding {
  readonly outcome: Outcome;
  readonly checks: readonly PlacedCheck[];
}

/** A certificate that a timestamp leads to. */
export interface UsedAnchor extends AnchorDescription {
  readonly source: AnchorSource;
}

export interface ComparedTurn {
  readonly file: string;
  readonly turn: string;
}

/** The receipts whose wording is the reader's text, among those of every file that holds. */
export interface Comparison {
  readonly matching: readonly ComparedTurn[];
  /** Receipts of a wording with gaps, where the reader's text is that wording with its gaps filled. */
  readonly filled: readonly (ComparedTurn & { readonly wording: string })[];
  readonly compared: number;
}

/** A conversation whose pages are in several files, one following the other. */
export interface JoinedPages {
  readonly interactionId: string;
  readonly first: number;
  readonly last: number;
  /** In the order of their turns. */
  readonly files: readonly string[];
}

export interface SessionFindings<T> {
  /** The worst of all. */
  readonly outcome: Outcome;
  /** Evidence, forks and what could not be read, in the order in which they were given. */
  readonly files: readonly FileFinding<T>[];
  /** The checks between receipts and files; null where there is nothing to compare. */
  readonly together: CrossFinding | null;
  readonly companions: readonly CompanionFinding[];
  readonly pages: readonly JoinedPages[];
  readonly summary: SessionSummary;
  /** Null where the reader gave no text. */
  readonly comparison: Comparison | null;
  readonly usedAnchors: readonly UsedAnchor[];
}

/** An input of the reader's that belongs to none of the evidence. */
export interface Stray {
  readonly kind: CompanionKind | "wording";
  /** Null for the text of a wording. */
  readonly file: string | null;
}

export function straysOf({
  companions,
  comparison,
}: Pick<SessionFindings<unknown>, "companions" | "comparison">): Stray[] {
  const files = companions.filter(({ use }) => use === "stray").map(({ kind, file }) => ({ kind, file }));
  return isTextStray(comparison) ? [...files, { kind: "wording", file: null }] : files;
}

const isTextStray = (comparison: Comparison | null): boolean =>
  comparison !== null &&
  comparison.compared > 0 &&
  comparison.matching.length + comparison.filled.length === 0;

/** True if no check of what was examined failed. */
export const isSound = ({
  checks,
}: {
  readonly checks: readonly { readonly ok: boolean | null }[];
}): boolean => checks.every(({ ok }) => ok !== false);
