// The results of `verify`: each file's, and those of all files together.

import type { Check } from "../../core/verify/check.ts";
import type { LogPlace } from "../../core/verify/verify-cose-receipt.ts";
import type { ShownCheckpoint } from "../../reader/checkpoints.ts";
import type { MissingTurns } from "../../reader/conversations.ts";
import type { Evidence } from "../../reader/evidence.ts";
import type { PlacedCheck } from "../../reader/examination.ts";
import type { Outcome } from "../../reader/verdict.ts";
import type { ShownWording } from "../../reader/wording.ts";
import type { NamedAnchor } from "./context.ts";

/** The members of a receipt that the reader's inputs are compared with. Each may hold anything. */
export interface AttestedDigests {
  readonly turn: unknown;
  readonly inputHash: unknown;
  readonly wordingDigest: unknown;
  readonly layerDigest: unknown;
  /** The wording itself, where a layer at hand has it. */
  readonly wording: ShownWording | null;
}

/** A page of a conversation: its first and last turn. */
export interface PageResult {
  /** Names the conversation across files. */
  readonly key: string;
  readonly interactionId: string;
  readonly first: number;
  readonly last: number;
}

/** A turn of a conversation, and whether anything of its receipt failed. */
export interface TurnRow {
  readonly isSound: boolean;
  readonly cells: readonly string[];
}

export interface FileResult {
  readonly file: string;
  /** Null for what could not be read, and for the proof of a fork. */
  readonly kind: Evidence["kind"] | null;
  readonly outcome: Outcome;
  readonly checks: readonly PlacedCheck[];
  readonly made: number;
  /** The reason why the file, or the metachain, could not be read. */
  readonly reason: string | null;
  readonly sentences: readonly string[];
  /** The certificates that the shown times rest on. */
  readonly anchors: readonly NamedAnchor[];
  readonly openPoints: readonly string[];
  readonly turnRows: readonly TurnRow[];
  readonly digests: readonly AttestedDigests[];
  readonly page: PageResult | null;
  /** True where the certificates that the reader gave are another authority's. */
  readonly hasStrayAnchor: boolean;
  /** True where the policy that the reader gave is for another log. */
  readonly hasStrayLog: boolean;
  /** The places of its receipts in the log. */
  readonly places: readonly LogPlace[];
  /** The signed checkpoints that the checks rest on, each once. */
  readonly checkpoints: readonly ShownCheckpoint[];
}

export interface CrossResult {
  readonly outcome: Outcome;
  readonly checks: readonly PlacedCheck[];
}

/** An input that belongs to none of the evidence. It is no fault of the evidence. */
export type Stray =
  | { readonly kind: "request"; readonly file: string }
  | { readonly kind: "trust_anchor"; readonly file: string }
  | { readonly kind: "cose_receipt"; readonly file: string }
  | { readonly kind: "layer"; readonly file: string }
  | { readonly kind: "log" }
  | { readonly kind: "wording" };

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

export interface Results {
  /** The worst of all. */
  readonly outcome: Outcome;
  readonly files: readonly FileResult[];
  /** The checks between receipts and files; null where there is nothing to compare. */
  readonly together: CrossResult | null;
  /** Conversations whose pages are in several files, one following the other. */
  readonly conversations: readonly (PageResult & { readonly files: number })[];
  readonly missing: readonly MissingTurns[];
  readonly remarked: { readonly count: number; readonly all: number };
  readonly stray: readonly Stray[];
  /** Null where the reader gave no text. */
  readonly comparison: Comparison | null;
  readonly unusedCertificates: readonly string[];
}

/** True if no check of an examined part failed. */
export const isSound = ({ checks }: { readonly checks: readonly Check[] }): boolean =>
  checks.every(({ ok }) => ok !== false);

/** The files that were read, and none of whose checks failed. The metachain may have been out of reach. */
export const soundFiles = (files: readonly FileResult[]): FileResult[] =>
  files.filter((file) => file.kind !== null && isSound(file));
