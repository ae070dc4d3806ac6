// Sets of files of which something is erased, broken, pending or unreadable, and of which the rest still counts.
import { madeFile } from "./set-files.ts";
import type { Draft, Open } from "./set-rows.ts";
import {
  ALONE,
  bundle,
  chain,
  failing,
  fileOf,
  found,
  GREETING,
  handOff,
  handOffAlone,
  MAIN,
  NO_REQUEST,
  NO_ROOT,
  NOTHING,
  report,
  sum,
  together,
  unreadable,
} from "./set-words.ts";

const DAMAGED = "damaged/receipt-core-verdict.json";
const ERASED = "damaged/bundle-requests-erased.json";
const PARTLY_ERASED = "damaged/bundle-request-erased.json";
const HEAD: Open = { evidence_chain: "not_given" };

const damaged = failing(["output_hash", "policy", "leaf_hash"], found(DAMAGED, "report", HEAD, ALONE));
const WHOLE_CALL = chain(MAIN, 4, [0, 9], [1, 1], [4, 8]);
const FIRST_AND_SECOND = chain(MAIN, 2, [0, 2], [1, 1]);

/** A good report next to a file that can't be read. */
const unreadableSet = (name: string, file: string, reason: string): Draft => ({
  name: `unreadable-${name}`,
  reason: `a file that can't be read (${reason}) leaves the other as it is`,
  files: [file, fileOf("greeting")],
  found: [unreadable(file), report("greeting", ALONE)],
  summary: GREETING,
});

export const brokenSets: readonly Draft[] = [
  {
    name: "erased-requests",
    reason: "the identifiers of a conversation were erased: everything but the input hashes still holds",
    files: [ERASED],
    found: [
      bundle(
        ERASED,
        [1, 2, 3, 4],
        0,
        { interaction: "nothing_to_check" },
        ...[0, 1, 2, 3].map((i) => ({
          [`receipts/${i}/input_hash`]: "not_given",
        })),
      ),
    ],
    together: together("linked"),
    summary: sum([1, 4, 1], [WHOLE_CALL], { remarks: handOff(ERASED) }),
  },
  {
    name: "erased-request-of-the-reader",
    reason: "the reader kept the request that was erased",
    files: [PARTLY_ERASED, "requests/reminder.json"],
    found: [bundle(PARTLY_ERASED, [1, 2, 3, 4])],
    together: together("linked"),
    summary: sum([1, 4, 1], [WHOLE_CALL], { remarks: handOff(PARTLY_ERASED) }),
  },
  {
    name: "broken-among-good-ones",
    reason: "a changed receipt takes nothing from the others, and is left out of what they show",
    files: [fileOf("greeting"), DAMAGED, fileOf("reminder")],
    found: [report("greeting", ALONE), damaged, report("reminder", ALONE)],
    together: together("apart"),
    summary: sum([2, 2, 1], [FIRST_AND_SECOND]),
  },
  {
    name: "broken-and-whole",
    reason: "a changed report, and its unchanged copy",
    files: [DAMAGED, fileOf("hand-off")],
    found: [damaged, report("hand-off", ALONE)],
    summary: handOffAlone(),
  },
  {
    name: "broken-and-unreadable",
    reason: "what does not hold is worse than what can't be read",
    files: [madeFile("letter.txt"), DAMAGED],
    found: [unreadable(madeFile("letter.txt")), damaged],
    summary: NOTHING,
  },
  {
    name: "proof-alone",
    reason: "a proof without its receipt beside the report that it is of",
    files: ["damaged/receipt-proof-only-with-timestamp.json", fileOf("hand-off")],
    found: [
      found("damaged/receipt-proof-only-with-timestamp.json", "proof", HEAD, NO_ROOT),
      report("hand-off", ALONE),
    ],
    together: together("apart"),
    summary: handOffAlone(fileOf("hand-off"), 2),
  },
  {
    name: "answer-pending",
    reason: "answers to two calls, before a root covers them",
    files: ["receipts/greeting-pending.json", "receipts/chat-message-pending.json"],
    found: [
      found("receipts/greeting-pending.json", "receipt", NO_REQUEST, { published_root: "pending" }),
      found("receipts/chat-message-pending.json", "receipt", NO_REQUEST, {
        published_root: "pending",
        recorded_after: "not_given",
      }),
    ],
    together: together("linked"),
    summary: sum([2, 2, 2], [chain(MAIN, 2, [0, 1])]),
  },
  unreadableSet("log-key-of-small-order", "checkpoints/small-order-log.policy", "with the log's key anybody can sign"),
  unreadableSet(
    "witness-key-of-small-order",
    "checkpoints/small-order-witness.policy",
    "with a witness's key, whose y is not reduced, anybody can sign",
  ),
  unreadableSet("empty", madeFile("empty.json"), "it is empty"),
  unreadableSet("pdf", madeFile("scan.pdf"), "a PDF"),
  unreadableSet("photo", madeFile("photo.jpg"), "no text"),
  unreadableSet("letter", madeFile("letter.txt"), "no JSON"),
  unreadableSet("cut", "damaged/receipt-unreadable-cut.json", "its end is missing"),
  unreadableSet("doubled-member", "damaged/receipt-unreadable-doubled-member.json", "a member twice"),
  unreadableSet("shape", "damaged/receipt-unreadable-node-number.json", "a number where a node must be"),
  unreadableSet("refusal", madeFile("refusal.json"), "the service's refusal, as curl saves it"),
  unreadableSet("two-kinds", "damaged/mixed-report-and-bundle.json", "it is of two kinds"),
  unreadableSet("list", madeFile("list.json"), "a list of reports"),
  unreadableSet("nothing-known", madeFile("nothing-known.json"), "it is of no kind"),
];
