// The verdict on an examination: one word, and what it rests on. Every program of a reader gives this one, but the command
// line says `unreadable` where the metachain could not be read.
import type { Check, Companion } from "../core/verify/check.ts";
import { namedLayer } from "../core/verify/verify-policy.ts";
import { type Examination, type PlacedCheck, placedChecks } from "./examination.ts";

/**
 * `holds_so_far`: nothing is wrong, but a check that matters could not be made yet, or from here.
 * `unreadable`: the file is no evidence that can be read, or the metachain that the reader named could not be.
 */
export type Outcome = "holds" | "holds_so_far" | "does_not_hold" | "unreadable";

export interface Verdict {
  /** The outcome of an examination that was made: only files are `unreadable`. */
  readonly outcome: Exclude<Outcome, "unreadable">;
  readonly failed: readonly PlacedCheck[];
  /** Checks that matter and could still be made: they would make the verdict firmer. */
  readonly open: readonly PlacedCheck[];
  /** How many checks were made. */
  readonly made: number;
}

/**
 * These need documents that one receipt can't hold: the request, the receipt before it, the newest receipt of its
 * chain, the root before, certificates of further authorities. Left unmade, they take nothing from what the others
 * show.
 */
const SUPPLEMENTARY: ReadonlySet<string> = new Set([
  "input_hash",
  "links",
  "evidence_chain",
  "interaction",
  "previous_seal",
  "additional_timestamps",
  // Between many receipts: no two of them need to follow each other.
  "chain_links",
]);

export const isSupplementary = (name: string): boolean => SUPPLEMENTARY.has(name);

export const judge = (examination: Examination): Verdict => judgeChecks(placedChecks(examination));

/** The same for checks that are not of one examination, such as those between many receipts. */
export function judgeChecks(checks: readonly PlacedCheck[]): Verdict {
  const failed = checks.filter(({ ok }) => ok === false);
  const open = checks.filter((check) => isOpen(check));
  const outcome = failed.length > 0 ? "does_not_hold" : open.length > 0 ? "holds_so_far" : "holds";
  return { outcome, failed, open, made: checks.filter(({ ok }) => ok !== null).length };
}

const isOpen = ({ ok, name }: Check): boolean => ok === null && !isSupplementary(name);

/**
 * A timestamp that does not hold proves no time, and a false COSE receipt may come from anybody: neither refutes what
 * the receipt says.
 */
const BESIDE_THE_RECEIPT: ReadonlySet<string> = new Set([
  "timestamp",
  "additional_timestamps",
  "cose_receipt",
]);

/** True if the checks of a receipt refute what it says, so that none of it is proven. */
export const isRefuted = ({ checks }: { readonly checks: readonly Check[] }): boolean =>
  checks.some(({ ok, name }) => ok === false && !BESIDE_THE_RECEIPT.has(name));

/** The reader's inputs that do not belong to this evidence. */
export const strayCompanions = (examination: Examination): ReadonlySet<Companion> =>
  new Set(placedChecks(examination).flatMap(({ companion }) => companion ?? []));

/** True if the layer that a receipt names could not be had. */
export const lacksLayer = ({ turns }: Examination): boolean =>
  turns.some(({ checks }) => checks.some(({ name, ok }) => name === "policy" && ok === null));

/** True if a receipt names the layer with this digest. */
export const namesLayer = ({ turns }: Examination, digest: string): boolean =>
  turns.some(({ evidence }) => evidence.receipts?.some((receipt) => namedLayer(receipt) === digest));

/** The worst of many: what does not hold comes before what can't be read, since it says more. */
export function worstOf(outcomes: readonly Outcome[]): Outcome {
  const order = ["does_not_hold", "unreadable", "holds_so_far"] as const;
  return order.find((outcome) => outcomes.includes(outcome)) ?? "holds";
}
