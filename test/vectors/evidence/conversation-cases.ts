// Bundles held against the history of their chains and a walk of the log: whether a conversation is whole, by docs/history.md, and
// on one chain, by docs/receipt-format.md. The words are those of test/support/head-world.ts.
import type { ToldTurn } from "../../support/head-world.ts";
import { HISTORY, LOG, type World } from "./history-cases.ts";

/** What is expected of a bundle. What is said of its receipts one by one is in the other cases. */
export interface ExpectedOfBundle {
  readonly chain_links: boolean;
  readonly turn_links: boolean;
  readonly whole?: true | "not_given" | "other_history" | "pending" | "too_new" | "turn_missing";
}

export interface BundleCase extends World {
  readonly turns: readonly ToldTurn[];
  readonly isErased?: true;
  readonly expected: ExpectedOfBundle;
}

const GOOD_LINKS = { chain_links: true, turn_links: true } as const;
const FORKED = "c0:a c1:ab c2:abB";
const FORKED_HISTORY = "c0:a@0 c1:ab@1 c2:abB@2";

/** Whether a bundle has all turns of its conversation. */
const WHOLE: readonly BundleCase[] = [
  ...wholes(true, [
    ["whole", "no leaf follows the last turn", {}, [0, 2, 3]],
    ["whole-erased", "an erased conversation is as whole as before", { isErased: true }, [0, 2, 3]],
    [
      "whole-from-its-second-turn",
      "a page that begins later, or whose first turn retention removed, says nothing of the turns before",
      {},
      [2, 3],
    ],
    ["whole-under-later-heads", "each turn stands under the newest head", {}, [[3, 0], [3, 1], [3, 2]]],
    ["whole-then", "the history ends before the turn that is missing", { history: "c0:a@0 c1:ab@2" }, [0, 2]],
    [
      "whole-beside-a-chain-that-is-not-told",
      "another turn 2 is on a chain that the history leaves out, which other_chains would find",
      { log: "c0:a d0:B c1:ab", history: "c0:a@0 c1:ab@2" },
      [0, 2],
    ],
  ]),
  ...wholes("turn_missing", [
    ["missing-last", "the last turn is left out", {}, [0, 2]],
    ["missing-last-erased", "the last turn of an erased conversation is left out", { isErased: true }, [0, 2]],
    ["missing-in-an-older-log", "the log ends before the turn that is left out", { walked: 3 }, [0, 2]],
    ["missing-last-two", "the last two turns are left out", {}, [0]],
    [
      "missing-behind-a-break",
      "the turn that is missing stands behind the break of the history, which has its leaf",
      { log: "c0:a c1:x", history: "c0:a@0 c1:ab@1" },
      [0],
    ],
    ["repeated-label", "two turns follow turn 1, and neither is here", { log: FORKED, history: FORKED_HISTORY }, [0]],
    ["repeated-label-first", "another turn 2 is left out", { log: FORKED, history: FORKED_HISTORY }, [0, 1]],
    ["repeated-label-second", "the first turn 2 is left out", { log: FORKED, history: FORKED_HISTORY }, [0, 2]],
    [
      "repeated-label-on-two-chains",
      "another turn 2 is on another chain of the tenant",
      { log: "c0:a d0:B c1:ab", history: "c0:a@0 c1:ab@2 d0:B@1" },
      [0, 2],
    ],
  ]),
  {
    name: "missing-between",
    reason: "a turn between two others is left out",
    ...{ log: LOG, history: HISTORY, turns: [0, 3] },
    expected: { chain_links: true, turn_links: false, whole: "turn_missing" },
  },
  {
    name: "missing-between-older",
    reason: "the history is older than the last turn, and so does not yet say that a turn is left out",
    ...{ log: LOG, history: "c0:a@0 c1:ab@2", turns: [0, 3] },
    expected: { chain_links: true, turn_links: false, whole: "too_new" },
  },
  {
    name: "label-of-no-leaf",
    reason: "no leaf of the history follows turn 1, and what is shown as turn 2 begins another conversation",
    ...{ log: "c0:a c1:a1", history: "c0:a@0 c1:a1@1", turns: [0, 1] },
    expected: { chain_links: true, turn_links: false, whole: "turn_missing" },
  },
  {
    name: "other-leaf-at-the-place",
    reason: "the history has another turn 2 at the place of the one that is shown",
    ...{ log: "c0:a c1:ab c1:ax", history: "c0:a@0 c1:ab@1", turns: [0, 2] },
    expected: { ...GOOD_LINKS, whole: "turn_missing" },
  },
  ...wholes("not_given", [
    ["whole-without-a-log", "the log was not walked", { walked: 0 }, [0, 2, 3]],
    ["whole-without-a-history", "the walk alone shows no leaves", { history: null }, [0, 2, 3]],
    ["whole-without-a-log-of-others", "nor is the history of these chains", { walked: 0, history: "o0:a@1" }, [0]],
  ]),
  ...wholes("other_history", [
    ["whole-history-of-others", "the history is of other chains", { history: "o0:a@1" }, [0, 2, 3]],
    ["whole-history-of-others-pending", "and a receipt is pending", { history: "o0:a@1" }, [0, "c:ab"]],
  ]),
  ...wholes("pending", [
    ["whole-pending", "the last turn is pending", {}, [0, 2, "c:abc"]],
    ["whole-pending-older", "a turn is pending, and log and history are older", { walked: 1, history: "c0:a@0" }, [2, "c:abc"]],
    ["missing-pending", "a turn is pending, and the one behind it is left out", {}, [0, "c:ab"]],
  ]),
  ...wholes("too_new", [
    ["whole-older-history", "the history is older than the last turn", { history: "c0:a@0 c1:ab@2" }, [0, 2, 3]],
    ["whole-older-log", "the log is older than the last turn", { walked: 3 }, [0, 2, 3]],
    [
      "whole-older-history-of-another-chain",
      "of another chain, the history is older than the last turn",
      { log: "c0:a d0:1 c1:ab", history: "c0:a@0 c1:ab@2 d" },
      [0, 2],
    ],
  ]),
];

type Whole = readonly [
  name: string,
  reason: string,
  world: Partial<Omit<BundleCase, "turns" | "expected">>,
  turns: readonly ToldTurn[],
];

function wholes(whole: ExpectedOfBundle["whole"] & {}, cases: readonly Whole[]): BundleCase[] {
  return cases.map(([name, reason, world, turns]) => ({
    ...{ name, reason, log: LOG, history: HISTORY, ...world, turns },
    expected: { ...GOOD_LINKS, whole },
  }));
}

/** A conversation is on one chain, and nothing runs backwards in it. */
const CONVERSATIONS: readonly BundleCase[] = [
  {
    name: "conversation-on-two-chains",
    reason: "turn 2 is on another chain of the tenant",
    ...{ log: "c0:a d0:aB", history: "c0:a@0 d0:aB@1", turns: [0, 1] },
    expected: { chain_links: true, turn_links: false, whole: true },
  },
  {
    name: "conversation-sealed-backwards",
    reason: "turn 2, on another chain, was sealed before turn 1",
    ...{ log: "d0:aB c0:a", history: "c0:a@1 d0:aB@0", turns: [1, 0] },
    expected: { chain_links: true, turn_links: false, whole: true },
  },
  {
    name: "conversation-of-two-tenants",
    reason: "turn 2 is on a chain of another tenant",
    ...{ log: "c0:a o0:aB", history: "c0:a@0", turns: [0, 1] },
    expected: { chain_links: true, turn_links: false, whole: "other_history" },
  },
  {
    name: "conversation-issued-backwards",
    reason: "turn 2, the next receipt of the chain, was issued before turn 1",
    ...{ log: "c0:b c1:ba", history: "c0:b@0 c1:ba@1", turns: [0, 1] },
    expected: { chain_links: false, turn_links: false, whole: true },
  },
];

export const CONVERSATION_CASES = [WHOLE, CONVERSATIONS].flat();
