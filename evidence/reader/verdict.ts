// The verdict on an examination: one word, and what it rests on. Every program of a reader gives this one.
import type { Check, PlacedCheck } from "../core/verify/check.ts";
import type { CheckName } from "../core/verify/check-names.ts";
import type { OpenReason } from "../core/verify/open-reason.ts";
import { namedLayer } from "../core/verify/verify-policy.ts";
import { type Examination, placedChecks } from "./examination.ts";

/**
 * `holds_so_far`: nothing is wrong, but a check that matters could not be made yet, or from here.
 * `unreadable`: the file can't be read as evidence.
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
 * A supplementary check needs documents that one receipt can't hold: the request, the receipt before it, the newest
 * receipt of its chain, the root before, certificates of further authorities. Left unmade, it takes nothing from what
 * the others show. A check beside the receipt refutes nothing that the receipt says: a timestamp that does not hold
 * proves no time, and a false COSE receipt may come from anybody.
 */
interface Weight {
  readonly isSupplementary?: true;
  readonly isBeside?: true;
}

const WEIGHTS: Readonly<Record<CheckName, Weight>> = {
  receipt_format: {},
  event_id: {},
  input_hash: { isSupplementary: true },
  output_hash: {},
  policy: {},
  leaf_hash: {},
  links: { isSupplementary: true },
  event_inclusion: {},
  evidence_chain: { isSupplementary: true },
  merkle_root: {},
  published_root: {},
  timestamp: { isBeside: true },
  recorded_after: {},
  checkpoint: {},
  cose_receipt: { isBeside: true },
  // Between many receipts: no two of them need to follow each other.
  chain_links: { isSupplementary: true },
  turn_links: {},
  chain_consistency: {},
  interaction: { isSupplementary: true },
  published_seals: {},
  previous_seal: { isSupplementary: true },
  consistency: {},
  additional_timestamps: { isSupplementary: true, isBeside: true },
  one_history: {},
  chain_history: {},
  public_heads: {},
  other_chains: {},
  // A turn that is not here says nothing against those that are.
  whole: { isSupplementary: true },
  tenant: {},
};

export const isSupplementary = (name: CheckName): boolean => WEIGHTS[name].isSupplementary === true;

export const judge = (examination: Examination): Verdict => judgeChecks(placedChecks(examination));

/** The same for checks that are not of one examination, such as those between many receipts. */
export function judgeChecks(checks: readonly PlacedCheck[]): Verdict {
  const failed = checks.filter(({ ok }) => ok === false);
  const open = checks.filter(({ ok, name }) => ok === null && !isSupplementary(name));
  const outcome = failed.length > 0 ? "does_not_hold" : open.length > 0 ? "holds_so_far" : "holds";
  return { outcome, failed, open, made: checks.filter(({ ok }) => ok !== null).length };
}

/** True if the checks of a receipt refute what it says, so that none of it is proven. */
export const isRefuted = ({ checks }: { readonly checks: readonly Check[] }): boolean =>
  checks.some(({ ok, name }) => ok === false && WEIGHTS[name].isBeside !== true);

/** True if any check of an examination could not be made for this reason. */
export const hasReason = (examination: Examination, wanted: OpenReason): boolean =>
  placedChecks(examination).some(({ reason }) => reason === wanted);

/** True if the history shows that no turn followed the last one of a bundle, as far as it reaches. */
export const isWhole = ({ whole }: Examination): boolean =>
  whole.some(({ name, ok }) => name === "whole" && ok === true);

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
