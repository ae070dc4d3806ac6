// Receipts held against the history of their chain and a walk of the log: what each reader must find, by docs/history.md. The
// words are those of test/support/head-world.ts.
import type { ToldReceipt } from "../../support/head-world.ts";

/** True: it holds, false: it fails, else the reason why it can't be made. A check that is not named is not made. */
export interface Expected {
  readonly chain_history?: true | false | "too_new" | "other_history";
  readonly public_heads: true | false | "too_new" | "pending" | "not_given";
  readonly other_chains?: true | false | "too_new" | "other_history" | "pending";
}

export interface World {
  readonly name: string;
  readonly reason: string;
  /** All entries that there ever are; the proof of the receipt is made of them. */
  readonly log: string;
  /** How many of these the reader walks; all by default, and 0 where the reader has no log. */
  readonly walked?: number;
  /** The heads that the history tells, with the entries at which they stand; null where the reader has none. */
  readonly history: string | null;
  /** True where the history has its anchor. */
  readonly hasAnchor?: true;
}

export interface HistoryCase extends World, ToldReceipt {
  /** The entry that the receipt stands under, or the tree in which it is pending. */
  readonly receipt: number | string;
  readonly expected: Expected;
}

const GOOD = { chain_history: true, public_heads: true } as const;
const BAD = { chain_history: false, public_heads: false } as const;
const ALL = { ...GOOD, other_chains: true } as const;
export const LOG = "c0:a o0:a c1:ab c2:abc";
export const HISTORY = "c0:a@0 c1:ab@2 c2:abc@3";

/** A reader with the log alone. */
const WALK_ALONE: readonly HistoryCase[] = [
  {
    name: "walk-alone",
    reason: "the head is the one of its number in the log",
    ...{ log: LOG, history: null, receipt: 2 },
    expected: { public_heads: true },
  },
  {
    name: "walk-alone-number-beyond-a-gap",
    reason: "the log has no head 1 of the chain, so that no entry is head 2",
    ...{ log: "c0:a c2:ab", history: null, receipt: 1 },
    expected: { public_heads: false },
  },
  {
    name: "walk-alone-number-from-one",
    reason: "a chain whose heads are numbered from 1 has no head",
    ...{ log: "c0:a d1:a", history: null, receipt: 1 },
    expected: { public_heads: false },
  },
  {
    name: "walk-alone-first-of-two",
    reason: "of two entries with label 0, the first is head 0",
    ...{ log: "c0:a c0:x", history: null, receipt: 0 },
    expected: { public_heads: true },
  },
  {
    name: "walk-alone-second-of-two",
    reason: "of two entries with label 0, the second is no head",
    ...{ log: "c0:a c0:x", history: null, receipt: 1 },
    expected: { public_heads: false },
  },
  {
    name: "walk-alone-rewritten",
    reason: "head 1 does not extend head 0, which only the history shows",
    ...{ log: "c0:a c1:x", history: null, receipt: 1 },
    expected: { public_heads: true },
  },
  {
    name: "walk-alone-older",
    reason: "the log at hand is older than the receipt",
    ...{ log: LOG, walked: 2, history: null, receipt: 2 },
    expected: { public_heads: "too_new" },
  },
  {
    name: "walk-alone-pending",
    reason: "a pending receipt stands under no head",
    ...{ log: LOG, history: null, receipt: "c:abcd" },
    expected: { public_heads: "pending" },
  },
];

/** A reader with a history alone: two readers may have two. */
const HISTORY_ALONE: readonly HistoryCase[] = [
  {
    name: "history-alone",
    reason: "the receipt is consistent with the file",
    ...{ log: LOG, walked: 0, history: HISTORY, hasAnchor: true, receipt: 2 },
    expected: { chain_history: true, public_heads: "not_given" },
  },
  {
    name: "history-alone-pending-then",
    reason: "the receipt was pending, and the history has its place",
    ...{ log: LOG, walked: 0, history: HISTORY, receipt: "c:abc" },
    expected: { chain_history: true, public_heads: "not_given" },
  },
  {
    name: "history-alone-older",
    reason: "the history ends before the receipt",
    ...{ log: LOG, walked: 0, history: "c0:a@0", receipt: 2 },
    expected: { chain_history: "too_new", public_heads: "not_given" },
  },
  {
    name: "history-alone-without-heads",
    reason: "the history has no head of the chain yet",
    ...{ log: LOG, walked: 0, history: "c", receipt: 0 },
    expected: { chain_history: "too_new", public_heads: "not_given" },
  },
  {
    name: "history-alone-other-receipt",
    reason: "the history has another receipt at this place",
    ...{ log: "c0:a c1:ax", walked: 0, history: "c0:a@0 c1:ab@1", receipt: 1 },
    expected: { chain_history: false, public_heads: "not_given" },
  },
  {
    name: "history-alone-number-ahead",
    reason: "the history reaches the entry, and has no such head",
    ...{ log: "c0:a c7:ab c1:ab", walked: 0, history: "c0:a@0 c1:ab@2", receipt: 1 },
    expected: { chain_history: false, public_heads: "not_given" },
  },
  {
    name: "history-alone-of-others",
    reason: "the history is of other chains",
    ...{ log: LOG, walked: 0, history: "o0:a@1", receipt: 0 },
    expected: { chain_history: "other_history", public_heads: "not_given" },
  },
];

/** A reader with both: what is told and what is published are one history. */
const BOTH: readonly HistoryCase[] = [
  {
    name: "both",
    reason: "the receipt stands in the one history of its chain",
    ...{ log: LOG, history: HISTORY, hasAnchor: true, receipt: 2 },
    expected: ALL,
  },
  {
    name: "both-first-receipt-under-a-later-head",
    reason: "a proof may lead to any head over the receipt",
    ...{ log: LOG, history: HISTORY, hasAnchor: true, receipt: 3, place: 0 },
    expected: ALL,
  },
  {
    name: "both-newest-seal",
    reason: "a proof may lead to a later seal than the first over its head",
    ...{ log: LOG, history: HISTORY, receipt: 0, seal: 3 },
    expected: GOOD,
  },
  {
    name: "both-no-anchor",
    reason: "without the anchor nobody knows the tenant's other chains",
    ...{ log: "c0:a d0:a c1:ab", history: "c0:a@0 c1:ab@2", receipt: 2 },
    expected: GOOD,
  },
  {
    name: "both-false-seal",
    reason: "the history says of the head that a later seal covers it first",
    ...{ log: LOG, history: "c0:a@0/999", receipt: 0 },
    expected: { chain_history: false, public_heads: true },
  },
  {
    name: "both-in-no-history",
    reason: "a head beyond a gap: log and history reach it, and neither has it",
    ...{ log: "c0:a c2:ab", history: "c0:a@0", hasAnchor: true, receipt: 1 },
    expected: { ...BAD, other_chains: true },
  },
  {
    name: "both-second-head",
    reason: "a second entry with label 0, over another receipt",
    ...{ log: "c0:a c0:x", history: "c0:a@0", receipt: 1 },
    expected: BAD,
  },
  {
    name: "both-second-head-beside-a-file-for-it",
    reason: "a second history, told with the entry that is no head",
    ...{ log: "c0:a c0:x", history: "c0:x@1", receipt: 1 },
    expected: BAD,
  },
  {
    name: "both-rewritten",
    reason: "the log's head 1 is another than the history's: what stands under it fails",
    ...{ log: "c0:a c1:x", history: "c0:a@0 c1:ab@1", receipt: 1 },
    expected: BAD,
  },
  {
    name: "both-rewritten-before",
    reason: "the log's head 1 is another than the history's: what stands before it keeps holding",
    ...{ log: "c0:a c1:x", history: "c0:a@0 c1:ab@1", receipt: 0 },
    expected: GOOD,
  },
  {
    name: "both-head-without-an-entry",
    reason: "the history tells a head that the log has not: what stands before it keeps holding",
    ...{ log: "c0:a o0:a", history: "c0:a@0 c1:ab@1", receipt: 0 },
    expected: GOOD,
  },
  {
    name: "both-head-told-late",
    reason: "the history tells a head at a later entry than the log: the break is at the earlier one",
    ...{ log: "c0:a c1:ab o0:a c2:abc", history: "c0:a@0 c1:ab@2 c2:abc@3", receipt: 1 },
    expected: { chain_history: false, public_heads: true },
  },
  {
    name: "both-head-told-late-behind",
    reason: "the same, for a receipt behind both entries",
    ...{ log: "c0:a c1:ab o0:a c2:abc", history: "c0:a@0 c1:ab@2 c2:abc@3", receipt: 3 },
    expected: BAD,
  },
  {
    name: "both-pending-behind-the-break",
    reason: "a pending receipt stands where the history has it, and that is behind the break",
    ...{ log: "c0:a c1:x", history: "c0:a@0 c1:ab@1", receipt: "c:ab" },
    expected: { chain_history: false, public_heads: "pending" },
  },
  {
    name: "both-pending",
    reason: "the history has not the place of the pending receipt",
    ...{ log: LOG, history: HISTORY, hasAnchor: true, receipt: "c:abcd" },
    expected: { chain_history: "too_new", public_heads: "pending", other_chains: "pending" },
  },
];

/** Honest files of any ages: nothing is red. */
const AGES: readonly HistoryCase[] = [
  {
    name: "ages-older-history",
    reason: "the log is newer than the history, which reaches the receipt",
    ...{ log: LOG, history: "c0:a@0", hasAnchor: true, receipt: 0 },
    expected: ALL,
  },
  {
    name: "ages-older-history-newer-receipt",
    reason: "the log is newer than the history, and so is the receipt",
    ...{ log: LOG, history: "c0:a@0", receipt: 2 },
    expected: { chain_history: "too_new", public_heads: true },
  },
  {
    name: "ages-older-log",
    reason: "the log is older than the history, and reaches the receipt",
    ...{ log: LOG, walked: 1, history: HISTORY, hasAnchor: true, receipt: 0 },
    expected: ALL,
  },
  {
    name: "ages-older-log-newer-receipt",
    reason: "the log is older than the history and than the receipt",
    ...{ log: LOG, walked: 2, history: HISTORY, hasAnchor: true, receipt: 2 },
    expected: { chain_history: "too_new", public_heads: "too_new", other_chains: "too_new" },
  },
  {
    name: "ages-older-log-pending",
    reason: "the history has the pending receipt behind the end of the log at hand",
    ...{ log: LOG, walked: 2, history: HISTORY, receipt: "c:ab" },
    expected: { chain_history: "too_new", public_heads: "pending" },
  },
  {
    name: "ages-head-told-behind-the-log",
    reason: "a head that the history tells behind the end of the log breaks nothing, though the log has one of its number",
    ...{ log: "c0:a c1:ab o0:a", history: "c0:a@0 c1:ab@7", receipt: 1 },
    expected: { chain_history: "too_new", public_heads: true },
  },
  {
    name: "ages-both-older",
    reason: "log and history are older than the receipt",
    ...{ log: LOG, walked: 3, history: "c0:a@0", receipt: 3 },
    expected: { chain_history: "too_new", public_heads: "too_new" },
  },
];

/** What held keeps holding, whatever is published later: one entry is planted among the honest heads. */
const KEPT: readonly HistoryCase[] = [
  ...kept("number-again", "a label that was there before is ignored", [
    ["c0:a c0:x c1:ab c2:abc", "c0:a@0 c1:ab@2 c2:abc@3", [0, 2, 3], []],
    ["c0:a c1:ab c1:x c2:abc", "c0:a@0 c1:ab@1 c2:abc@3", [0, 1, 3], []],
    ["c0:a c1:ab c2:abc c0:x", "c0:a@0 c1:ab@1 c2:abc@2", [0, 1, 2], []],
  ]),
  ...kept("number-0-again", "a sealer that lost all spans of a chain numbers it from 0 again: that is no head", [
    ["c0:a c1:ab c0:abc", "c0:a@0 c1:ab@1", [0, 1], [2]],
    ["c0:a c1:ab c0:abc c1:abcd c2:abcde", "c0:a@0 c1:ab@1 c2:abcde@4", [0, 1, 4], [2, 3]],
  ]),
  ...kept("number-ahead", "a label whose turn has not come is ignored", [
    ["c2:x c0:a c1:ab c2:abc", "c0:a@1 c1:ab@2 c2:abc@3", [1, 2, 3], []],
    ["c0:a c2:x c1:ab c2:abc", "c0:a@0 c1:ab@2 c2:abc@3", [0, 2, 3], []],
  ]),
  ...kept("next-number", "the planted entry is the next head: the past keeps holding", [
    ["c0:a c1:x c1:ab c2:abc", "c0:a@0 c1:ab@2 c2:abc@3", [0], [2, 3]],
    ["c0:a c1:ab c2:x c2:abc", "c0:a@0 c1:ab@1 c2:abc@3", [0, 1], [3]],
    ["c0:a c1:ab c2:abc c3:x", "c0:a@0 c1:ab@1 c2:abc@2", [0, 1, 2], []],
  ]),
];

type Planted = readonly [log: string, history: string, holding: readonly number[], failing: readonly number[]];

function kept(name: string, reason: string, worlds: readonly Planted[]): HistoryCase[] {
  return worlds.flatMap(([log, history, holding, failing], i) =>
    [...holding, ...failing].map((receipt) => ({
      name: `kept-${name}-${i + 1}-${receipt}`,
      reason: `${reason}${failing.includes(receipt) ? ", and what stands under it or behind it fails" : ""}`,
      ...{ log, history, receipt },
      expected: failing.includes(receipt) ? BAD : GOOD,
    })),
  );
}

/** A chain of the tenant that nobody shows. */
const HIDDEN: readonly HistoryCase[] = [
  {
    name: "hidden-chain",
    reason: "the log has another chain of the anchor, which the history leaves out",
    ...{ log: "c0:a d0:a c1:ab", history: "c0:a@0 c1:ab@2", hasAnchor: true, receipt: 2 },
    expected: { ...GOOD, other_chains: false },
  },
  {
    name: "hidden-chain-that-begins-later",
    reason: "a chain that begins behind the receipt contradicts nothing",
    ...{ log: "c0:a d0:a c1:ab", history: "c0:a@0 c1:ab@2", hasAnchor: true, receipt: 0 },
    expected: ALL,
  },
  {
    name: "hidden-chain-own-receipt",
    reason: "the receipt is of a chain that the history leaves out: it may have begun since it was fetched",
    ...{ log: "c0:a d0:a", history: "c0:a@0", hasAnchor: true, receipt: 1 },
    expected: { chain_history: "other_history", public_heads: true, other_chains: "other_history" },
  },
  {
    name: "hidden-chain-from-one",
    reason: "the hidden chain's heads are numbered from 1, so that it has none",
    ...{ log: "c0:a d1:a", history: "c0:a@0", hasAnchor: true, receipt: 1 },
    expected: { chain_history: "other_history", public_heads: false, other_chains: "other_history" },
  },
  {
    name: "hidden-chain-or-an-older-history",
    reason: "the history does not reach the receipt, and the chain may have begun since it was fetched",
    ...{ log: "c0:a d0:a c1:ab", history: "c0:a@0", hasAnchor: true, receipt: 2 },
    expected: { chain_history: "too_new", public_heads: true, other_chains: "too_new" },
  },
  {
    name: "hidden-chain-shown",
    reason: "the history has both chains",
    ...{ log: "c0:a d0:a c1:ab", history: "c0:a@0 c1:ab@2 d0:a@1", hasAnchor: true, receipt: 2 },
    expected: ALL,
  },
];

export const HISTORY_CASES = [WALK_ALONE, HISTORY_ALONE, BOTH, AGES, KEPT, HIDDEN].flat();
