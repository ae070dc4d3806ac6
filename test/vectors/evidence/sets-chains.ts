// Sets of files about receipts of the same chains: turns that are missing, receipts twice, tenants, and contradictions.

import { type ChainName, idOf } from "../../support/head-world.ts";
import { turnApart } from "./set-files.ts";
import type { Draft, Open } from "./set-rows.ts";
import {
  ALONE,
  BANK,
  CALL,
  CLINIC,
  chain,
  FORGED,
  fileOf,
  found,
  GREETING,
  gone,
  handOff,
  inFile,
  inReport,
  MAIN,
  NO_REQUEST,
  NO_ROOT,
  placed,
  report,
  sum,
  together,
} from "./set-words.ts";

const HONEST = "forged/honest.json";
const FORKED = "forged/stated-fork-without-path.json";

const TWO_UNPUBLISHED: Open = {
  ...placed("receipts/0", NO_ROOT),
  ...placed("receipts/1", NO_ROOT),
  published_seals: "not_given",
};

export const chainSets: readonly Draft[] = [
  {
    name: "call-1-and-3",
    reason: "turn 2 is missing: a lone receipt may continue the conversation of an earlier one",
    files: [fileOf("greeting"), fileOf("hand-off")],
    found: [report("greeting", ALONE), report("hand-off", ALONE)],
    together: together("apart"),
    summary: sum([2, 2, 1], [chain(MAIN, 2, [0, 3], [1, 2])], {
      missing: [gone(null, inReport("hand-off"), [2, 2])],
      remarks: handOff(),
    }),
  },
  {
    name: "call-1-and-3-with-requests",
    reason: "the requests name the conversation of both",
    files: [fileOf("greeting"), fileOf("hand-off")],
    options: { requests: ["requests/greeting.json", "requests/hand-off.json"] },
    found: [report("greeting", NO_ROOT), report("hand-off", NO_ROOT)],
    together: together("apart"),
    summary: sum([2, 2, 1], [chain(MAIN, 2, [0, 3], [1, 2])], {
      missing: [gone(CALL, inReport("hand-off"), [2, 2])],
      remarks: handOff(),
    }),
  },
  {
    name: "turn-2-alone",
    reason: "a turn alone: the one before it is missing",
    files: [fileOf("reminder")],
    found: [report("reminder", ALONE)],
    summary: sum([1, 1, 1], [chain(MAIN, 1, [2, 2])], {
      missing: [gone(null, inReport("reminder"), [1, 1])],
    }),
  },
  {
    name: "turn-2-and-another-turn-1",
    reason: "turn 2 names the turn before it by its hash, so it does not continue another first turn",
    files: [fileOf("chat-message"), fileOf("reminder")],
    found: [report("chat-message", ALONE), report("reminder", ALONE)],
    together: together("linked"),
    summary: sum([2, 2, 2], [chain(MAIN, 2, [1, 2])], {
      missing: [gone(null, inReport("reminder"), [1, 1])],
    }),
  },
  {
    name: "turn-3-and-two-turns-1",
    reason: "turn 3 may continue either of two first turns, and so is no third conversation",
    files: [fileOf("greeting"), fileOf("chat-message"), fileOf("together-b")],
    found: ["greeting", "chat-message", "together-b"].map((name) => report(name, ALONE)),
    together: together("linked"),
    summary: sum([3, 3, 2], [chain(MAIN, 3, [0, 6], [2, 5])], {
      missing: [gone(null, inReport("together-b"), [2, 2])],
    }),
  },
  {
    name: "turn-3-of-another-name",
    reason: "the requests name two conversations: turn 3 does not continue the first turn",
    files: [fileOf("greeting"), fileOf("together-b")],
    options: { requests: ["requests/greeting.json", "requests/together-b.json"] },
    found: [report("greeting", NO_ROOT), report("together-b", NO_ROOT)],
    together: together("apart"),
    summary: sum([2, 2, 2], [chain(MAIN, 2, [0, 6], [1, 5])], {
      missing: [gone("chat-000944", inReport("together-b"), [1, 2])],
    }),
  },
  {
    name: "turn-3-without-a-name",
    reason: "one of the two is named, so turn 3 may continue it",
    files: [fileOf("greeting"), fileOf("together-b")],
    options: { requests: ["requests/greeting.json"] },
    found: [report("greeting", NO_ROOT), report("together-b", ALONE)],
    together: together("apart"),
    summary: sum([2, 2, 1], [chain(MAIN, 2, [0, 6], [1, 5])], {
      missing: [gone(null, inReport("together-b"), [2, 2])],
    }),
  },
  {
    name: "receipt-and-its-report",
    reason: "the answer to a call and its later report are one receipt",
    files: ["receipts/greeting-pending.json", fileOf("greeting")],
    found: [
      found("receipts/greeting-pending.json", "receipt", NO_REQUEST, { published_root: "pending" }),
      report("greeting", ALONE),
    ],
    together: together("apart"),
    summary: sum([2, 1, 1], [chain(MAIN, 1, [0, 0])]),
  },
  {
    name: "two-tenants",
    reason: "receipts of two tenants under one metachain",
    files: [fileOf("greeting"), fileOf("other-tenant")],
    found: [report("greeting", ALONE), report("other-tenant", ALONE)],
    together: together("apart"),
    summary: sum([2, 2, 2], [chain(MAIN, 1, [0, 0]), chain(CLINIC, 1, [0, 0])]),
  },
  {
    name: "three-chains",
    reason: "chains of three tenants, one of them with two turns of a conversation",
    files: ["second-chain", "other-tenant-again", "greeting", "other-tenant"].map(fileOf),
    found: ["second-chain", "other-tenant-again", "greeting", "other-tenant"].map((name) =>
      report(name, ALONE),
    ),
    together: together("linked"),
    summary: sum([4, 4, 3], [chain(BANK, 1, [0, 0]), chain(CLINIC, 2, [0, 1]), chain(MAIN, 1, [0, 0])]),
  },
  {
    name: "two-receipts-at-one-place",
    reason: "each bundle holds so far, and they have two receipts at one place of a chain",
    files: [HONEST, FORKED],
    options: { certificates: ["forged/authority.pem"] },
    found: [
      found(HONEST, "bundle", TWO_UNPUBLISHED),
      found(FORKED, "bundle", TWO_UNPUBLISHED, { chain_consistency: "not_given" }),
    ],
    together: { chain_links: false, one_history: false, turn_links: true },
    summary: sum([2, 3, 1], [chain(FORGED, 3, [1, 5], [2, 4])], {
      remarks: {
        wording_unknown: [inFile(HONEST), inFile(HONEST, 1), inFile(FORKED, 1)],
      },
    }),
  },
  twoTurns("on-two-chains", "turn 2 is on another chain of the tenant", "d"),
  twoTurns("sealed-backwards", "turn 2, on another chain, was sealed before turn 1", "d"),
  twoTurns("of-two-tenants", "turn 2 is on a chain of another tenant", "o"),
  twoTurns("issued-backwards", "turn 2, the next receipt of the chain, was issued before turn 1", null),
  {
    name: "first-turn-many-times",
    reason: "a thousand files with one receipt: it counts once",
    files: [{ file: "receipts/greeting.json", copies: 1000 }],
    found: [{ ...report("greeting", ALONE), copies: 1000 }],
    together: together("apart"),
    summary: { ...GREETING, files: 1000 },
  },
];

/** Each of the two reports holds so far, and both can't be true. */
function twoTurns(name: string, reason: string, other: ChainName | null): Draft {
  const files = [turnApart(name, 1), turnApart(name, 2)];
  const apart = other === null ? null : chain(idOf(other), 1, [1, 1]);
  return {
    name: `turns-${name}`,
    reason,
    files,
    found: files.map((file) => found(file, "report", ALONE, { evidence_chain: "not_given", timestamp: "pending" })),
    together: { chain_links: apart === null ? false : "nothing_to_check", one_history: false },
    summary: sum(
      [2, 2, 1],
      apart === null ? [chain(idOf("c"), 2, [0, 1])] : [chain(idOf("c"), 1, [0, 0]), apart],
    ),
  };
}
