// Sets of files about conversations in bundles: pages, copies, and turns that are missing.
import { madeFile, page } from "./set-files.ts";
import { type Draft, type Open, SERVICE } from "./set-rows.ts";
import {
  ALONE,
  at,
  bundle,
  CALL,
  chain,
  FORGED,
  failing,
  fileOf,
  found,
  gone,
  handOff,
  MAIN,
  NO_ROOT,
  PAGED,
  placed,
  report,
  sum,
  together,
} from "./set-words.ts";

const WHOLE = "bundles/conversation.json";
const UNSEALED = "bundles/conversation-unsealed.json";
const CARRIED = "policy/bundle-carried.json";
const DAMAGED_PAGE = madeFile("turns-3-4-damaged.json");
const POLICY_CERTIFICATES = [SERVICE, "policy/authority.pem"];

/** Turns 1 to 4 have the numbers 0, 2, 3 and 9 of their chain. */
const ALL_TURNS = chain(MAIN, 4, [0, 9], [1, 1], [4, 8]);
const FIRST_TWO = chain(MAIN, 2, [0, 2], [1, 1]);
const FIRST_THREE = chain(MAIN, 3, [0, 3], [1, 1]);
const REPORTS_OF_ALL = ["greeting", "reminder", "hand-off", "goodbye"];

const firstTwo = bundle(page(1, 2), [1, 2]);
const lastTwo = bundle(page(3, 4), [3, 4], 1);
const wholeBundle = bundle(WHOLE, [1, 2, 3, 4]);

const TWO_UNPUBLISHED: Open = {
  ...placed("receipts/0", NO_ROOT),
  ...placed("receipts/1", NO_ROOT),
  published_seals: "not_given",
};
const policyBundle = found(CARRIED, "bundle", TWO_UNPUBLISHED, {
  "receipts/0/evidence_chain": "not_given",
  "receipts/1/evidence_chain": "not_given",
});

export const conversationSets: readonly Draft[] = [
  {
    name: "pages-in-order",
    reason: "two pages of one conversation",
    files: [page(1, 2), page(3, 4)],
    found: [firstTwo, lastTwo],
    together: together("linked", PAGED),
    summary: sum([2, 4, 1], [ALL_TURNS], { remarks: handOff(page(3, 4)) }),
  },
  {
    name: "pages-out-of-order",
    reason: "the second page first: the order of files says nothing",
    files: [page(3, 4), page(1, 2)],
    found: [lastTwo, firstTwo],
    together: together("linked", PAGED),
    summary: sum([2, 4, 1], [ALL_TURNS], { remarks: handOff(page(3, 4)) }),
  },
  {
    name: "pages-one-by-one",
    reason: "a page for each turn but the second: what is missing is told, and is no fault",
    files: [page(1, 1), page(3, 3), page(4, 4)],
    found: [bundle(page(1, 1), [1]), bundle(page(3, 3), [3], 1), bundle(page(4, 4), [4], 2)],
    together: together("apart", PAGED),
    summary: sum([3, 3, 1], [chain(MAIN, 3, [0, 9], [1, 2], [4, 8])], {
      missing: [gone(CALL, at(page(4, 4), "goodbye"), [2, 2])],
      remarks: handOff(page(3, 3)),
    }),
  },
  {
    name: "pages-with-a-gap",
    reason: "the page between two others is missing",
    files: [page(1, 2), page(4, 4)],
    found: [firstTwo, bundle(page(4, 4), [4], 2)],
    together: together("apart", PAGED),
    summary: sum([2, 3, 1], [chain(MAIN, 3, [0, 9], [1, 1], [3, 8])], {
      missing: [gone(CALL, at(page(4, 4), "goodbye"), [3, 3])],
    }),
  },
  {
    name: "page-alone-first",
    reason: "the first page alone says that there is a next turn",
    files: [page(1, 2)],
    found: [firstTwo],
    together: together("apart"),
    summary: sum([1, 2, 1], [FIRST_TWO], { missing: [gone(CALL, at(page(1, 2), "reminder"), [3, null])] }),
  },
  {
    name: "page-alone-last",
    reason: "the last page alone: its turns say that there were others before",
    files: [page(3, 4)],
    found: [lastTwo],
    together: together("apart"),
    summary: sum([1, 2, 1], [chain(MAIN, 2, [3, 9], [4, 8])], {
      missing: [gone(CALL, at(page(3, 4), "goodbye"), [1, 2])],
      remarks: handOff(page(3, 4)),
    }),
  },
  {
    name: "pages-that-overlap",
    reason: "one turn is on both pages, and counts once",
    files: [page(1, 2), page(2, 3)],
    found: [firstTwo, bundle(page(2, 3), [2, 3])],
    together: together("linked", PAGED),
    summary: sum([2, 3, 1], [FIRST_THREE], {
      missing: [gone(CALL, at(page(2, 3), "hand-off"), [4, null])],
      remarks: handOff(page(2, 3)),
    }),
  },
  {
    name: "pages-one-damaged",
    reason: "a page with a changed request takes nothing from the other, and is left out of what both show",
    files: [page(1, 2), DAMAGED_PAGE],
    found: [firstTwo, failing(["receipts/1/input_hash"], bundle(DAMAGED_PAGE, [3, 4], 1))],
    together: together("apart"),
    summary: sum([1, 2, 1], [FIRST_TWO], { missing: [gone(CALL, at(page(1, 2), "reminder"), [3, null])] }),
  },
  {
    name: "pages-of-two-tenants",
    reason: "two tenants may both have a conversation of this id: their pages do not continue each other",
    files: [page(1, 2), CARRIED],
    options: { certificates: POLICY_CERTIFICATES },
    found: [firstTwo, policyBundle],
    together: together("linked", { one_history: "two_logs" }),
    summary: sum([2, 4, 2], [FIRST_TWO, chain(FORGED, 2, [0, 1])], {
      missing: [gone(CALL, at(page(1, 2), "reminder"), [3, null])],
    }),
  },
  {
    name: "conversation-and-an-older-copy",
    reason: "the same conversation twice, once before its last turn was sealed",
    files: [UNSEALED, WHOLE],
    found: [
      found(UNSEALED, "bundle", bundle(UNSEALED, [1, 2, 3, 4]).open, {
        "receipts/3/published_root": "pending",
        "receipts/3/timestamp": "pending",
      }),
      wholeBundle,
    ],
    together: together("linked", PAGED),
    summary: sum([2, 4, 1], [ALL_TURNS], { remarks: handOff(UNSEALED) }),
  },
  {
    name: "conversation-and-its-receipts",
    reason: "a bundle, and the reports of the same receipts",
    files: [WHOLE, ...REPORTS_OF_ALL.map(fileOf)],
    found: [wholeBundle, ...REPORTS_OF_ALL.map((name) => report(name, ALONE))],
    together: together("linked"),
    summary: sum([5, 4, 1], [ALL_TURNS], { remarks: handOff(WHOLE) }),
  },
  {
    name: "conversation-with-a-next-turn",
    reason: "the bundle ends before the last turn, and says so",
    files: [page(1, 3)],
    found: [bundle(page(1, 3), [1, 2, 3])],
    together: together("linked"),
    summary: sum([1, 3, 1], [FIRST_THREE], {
      missing: [gone(CALL, at(page(1, 3), "hand-off"), [4, null])],
      remarks: handOff(page(1, 3)),
    }),
  },
  {
    name: "conversation-without-its-last-turn",
    reason:
      "the last turn was left out, and the bundle does not say so: nothing proves that a conversation ended",
    files: ["damaged/bundle-stated-end.json"],
    found: [bundle("damaged/bundle-stated-end.json", [1, 2, 3])],
    together: together("linked"),
    summary: sum([1, 3, 1], [FIRST_THREE], { remarks: handOff("damaged/bundle-stated-end.json") }),
  },
  {
    name: "conversation-published",
    reason: "every root of the conversation is published",
    files: [WHOLE],
    published: { 0: "seals/0.json", 1: "seals/1.json", 2: "seals/2.json", 3: "seals/3.json" },
    found: [
      found(WHOLE, "bundle", { "receipts/1/links": "not_given", "receipts/2/evidence_chain": "not_given" }),
    ],
    together: together("linked"),
    summary: sum([1, 4, 1], [ALL_TURNS], { remarks: handOff(WHOLE) }),
  },
];
