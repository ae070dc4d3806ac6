// Sets of files about requests, layers, histories and texts.
import { madeFile, wordingText } from "./set-files.ts";
import { type Draft, LAYER, type Open } from "./set-rows.ts";
import {
  ALONE,
  CLINIC,
  chain,
  chainOf,
  FORGED,
  fileOf,
  found,
  GREETING,
  gone,
  handOff,
  inFile,
  inFolder,
  inReport,
  MAIN,
  NO_LAYER,
  NO_ROOT,
  NOTHING,
  OTHER_REQUEST,
  report,
  root,
  sum,
  together,
} from "./set-words.ts";

const EXAMPLE = "layers/example.json";
const EFFECTIVE = "layers/effective.json";
const POLICY_AUTHORITY = "policy/authority.pem";
const FOREIGN = madeFile("foreign-request.json");
const FOREIGN_TOO = madeFile("foreign-request-2.json");
const HISTORY = madeFile("history");
const OTHER_HISTORY = "bills/history";
const HEAD: Open = { evidence_chain: "not_given" };
const NO_LOG: Open = { public_heads: "not_given" };
const GREETING_OF_TEN = sum([1, 1, 1], [chainOf(10, MAIN, 1, [0, 0], [1, 9])]);
/** The receipts of the chain, in order. */
const ALL_OF_MAIN = [
  ...["greeting", "chat-message", "reminder", "hand-off", "walkthrough"],
  ...["together-a", "together-b", "together-c", "together-d", "goodbye"],
];

const ofPolicy = (name: string, ...open: readonly Open[]) =>
  found(`policy/${name}.json`, "report", HEAD, ALONE, ...open);
const inPolicy = (name: string) => inFile(`policy/${name}.json`);
const OWN = sum([1, 1, 1], [chain(FORGED, 1, [3, 3])], {
  missing: [gone(null, inPolicy("allow-own"), [1, 3])],
});

export const companionSets: readonly Draft[] = [
  {
    name: "request-of-the-receipt",
    reason: "the request behind the receipt, in the same folder: it is judged by its hash",
    files: inFolder("requests/greeting.json", fileOf("greeting")),
    found: [report("greeting", NO_ROOT)],
    summary: GREETING,
  },
  {
    name: "request-foreign",
    reason: "a request of nobody's: the receipt is told that it is another's",
    files: [fileOf("greeting"), FOREIGN],
    found: [report("greeting", OTHER_REQUEST, NO_ROOT)],
    strays: [{ kind: "request", file: FOREIGN }],
    summary: GREETING,
  },
  {
    name: "requests-two-foreign",
    reason: "two requests of nobody's: the first is compared",
    files: [FOREIGN, fileOf("greeting"), FOREIGN_TOO],
    found: [report("greeting", OTHER_REQUEST, NO_ROOT)],
    strays: [
      { kind: "request", file: FOREIGN },
      { kind: "request", file: FOREIGN_TOO },
    ],
    summary: GREETING,
  },
  {
    name: "request-of-another-receipt-here",
    reason: "a request that belongs to one receipt is not compared with the other",
    files: [fileOf("greeting"), fileOf("chat-message")],
    options: { requests: ["requests/greeting.json"] },
    found: [report("greeting", NO_ROOT), report("chat-message", ALONE)],
    together: together("linked"),
    summary: sum([2, 2, 2], [chain(MAIN, 2, [0, 1])]),
  },
  {
    name: "request-fitting-and-foreign",
    reason: "one request fits, so the foreign one is compared with nothing, and is a stray",
    files: [fileOf("greeting")],
    options: { requests: [FOREIGN, "requests/greeting.json"] },
    found: [report("greeting", NO_ROOT)],
    strays: [{ kind: "request", file: FOREIGN }],
    summary: GREETING,
  },
  {
    name: "requests-foreign-and-of-another",
    reason: "one receipt has its request; the other is compared with the foreign one",
    files: [fileOf("greeting"), fileOf("chat-message"), "requests/greeting.json", FOREIGN],
    found: [report("greeting", NO_ROOT), report("chat-message", OTHER_REQUEST, NO_ROOT)],
    together: together("linked"),
    strays: [{ kind: "request", file: FOREIGN }],
    summary: sum([2, 2, 2], [chain(MAIN, 2, [0, 1])]),
  },
  {
    name: "request-and-a-root",
    reason: "a root has no receipt that the request could be of",
    files: ["seals/0.json", "requests/greeting.json"],
    options: { layers: [] },
    found: [root(0)],
    strays: [{ kind: "request", file: "requests/greeting.json" }],
    summary: sum([1, 0, 0], []),
  },
  {
    name: "requests-alone",
    reason: "a set without evidence: there is nothing that could hold, and no stray",
    files: ["requests/greeting.json", FOREIGN],
    options: { layers: [] },
    found: [],
    summary: NOTHING,
  },
  {
    name: "layer-in-a-folder",
    reason: "the layer that the receipt names lies in the folder: it is judged by its hash",
    files: inFolder("policy/allow-own.json", EFFECTIVE),
    options: { layers: [], certificates: [POLICY_AUTHORITY] },
    found: [ofPolicy("allow-own")],
    summary: OWN,
  },
  {
    name: "layer-missing",
    reason: "nobody has the layer that the receipt names",
    files: ["policy/allow-own.json"],
    options: { layers: [], certificates: [POLICY_AUTHORITY] },
    found: [ofPolicy("allow-own", NO_LAYER)],
    summary: OWN,
  },
  {
    name: "layer-of-nobody-named",
    reason: "the reader names a layer that no receipt names",
    files: [fileOf("greeting"), EXAMPLE],
    found: [report("greeting", ALONE)],
    strays: [{ kind: "policy_layer", file: EXAMPLE }],
    summary: GREETING,
  },
  {
    name: "layer-of-nobody-option",
    reason: "the same by an option",
    files: [fileOf("greeting")],
    options: { layers: [LAYER, EXAMPLE] },
    found: [report("greeting", ALONE)],
    strays: [{ kind: "policy_layer", file: EXAMPLE }],
    summary: GREETING,
  },
  {
    name: "layer-of-nobody-in-a-folder",
    reason: "a mirror's folder has layers of all receipts: one that none of these names is no stray",
    files: inFolder(fileOf("greeting"), EXAMPLE),
    found: [report("greeting", ALONE)],
    summary: GREETING,
  },
  {
    name: "layer-of-nobody-in-a-folder-with-one-lacking",
    reason: "a receipt lacks its layer, so the reader is told that this one is another",
    files: inFolder("policy/allow-own.json", EXAMPLE),
    options: { layers: [], certificates: [POLICY_AUTHORITY] },
    found: [ofPolicy("allow-own", NO_LAYER)],
    strays: [{ kind: "policy_layer", file: EXAMPLE }],
    summary: OWN,
  },
  {
    name: "remarks-among-good-ones",
    reason: "one receipt of three has remarks, which are no fault of the evidence",
    files: ["greeting", "hand-off", "walkthrough"].map(fileOf),
    found: ["greeting", "hand-off", "walkthrough"].map((name) => report(name, ALONE)),
    together: together("linked"),
    summary: sum([3, 3, 2], [chain(MAIN, 3, [0, 4], [1, 2])], {
      missing: [gone(null, inReport("hand-off"), [2, 2])],
      remarks: handOff(),
    }),
  },
  {
    name: "remarks-of-three-kinds",
    reason: "remarks by kind; one receipt has two, and one was blocked",
    files: ["allow", "modify-method_unknown", "block"].map((name) => `policy/${name}.json`),
    options: { layers: [EXAMPLE], certificates: [POLICY_AUTHORITY] },
    found: [ofPolicy("allow"), ofPolicy("modify-method_unknown"), ofPolicy("block")],
    together: together("apart"),
    summary: sum([3, 3, 1], [chain(FORGED, 3, [0, 13], [1, 4], [6, 12])], {
      missing: [
        gone(null, inPolicy("modify-method_unknown"), [2, 5]),
        gone(null, inPolicy("block"), [7, 13]),
      ],
      remarks: {
        method_unknown: [inPolicy("modify-method_unknown")],
        wording_for_other_method: [inPolicy("modify-method_unknown")],
        wording_retired: [inPolicy("block")],
      },
    }),
  },
  {
    name: "history-of-the-chain",
    reason: "the receipt stands in the history; its heads are looked up in no public log",
    files: [fileOf("greeting")],
    options: { history: HISTORY },
    found: [report("greeting", ALONE, NO_LOG)],
    summary: GREETING_OF_TEN,
  },
  {
    name: "history-of-another-tenant",
    reason: "the history is of other chains",
    files: [fileOf("greeting")],
    options: { history: OTHER_HISTORY },
    found: [report("greeting", ALONE, { chain_history: "other_history" }, NO_LOG)],
    strays: [{ kind: "history", file: OTHER_HISTORY }],
    summary: GREETING,
  },
  {
    name: "history-of-one-of-two",
    reason: "the history has one of the receipts, and so is no stray",
    files: [fileOf("greeting"), fileOf("other-tenant")],
    options: { history: HISTORY },
    found: [
      report("greeting", ALONE, NO_LOG),
      report("other-tenant", ALONE, { chain_history: "other_history" }, NO_LOG),
    ],
    together: together("apart"),
    summary: sum([2, 2, 2], [chainOf(10, MAIN, 1, [0, 0], [1, 9]), chain(CLINIC, 1, [0, 0])]),
  },
  {
    name: "history-without-an-anchor",
    reason: "the history does not say of which tenant it is",
    files: [fileOf("greeting")],
    options: { history: HISTORY, tenant: `sha256:${"5".repeat(64)}` },
    found: [report("greeting", ALONE, NO_LOG, { tenant: "other_history" })],
    summary: GREETING_OF_TEN,
  },
  {
    name: "history-ends-missing",
    reason: "the history has receipts before the first and behind the last of the chain that are here",
    files: [fileOf("reminder"), fileOf("hand-off")],
    options: { history: HISTORY },
    found: [report("reminder", ALONE, NO_LOG), report("hand-off", ALONE, NO_LOG)],
    together: together("linked"),
    summary: sum([2, 2, 1], [chainOf(10, MAIN, 2, [2, 3], [0, 1], [4, 9])], {
      missing: [gone(null, inReport("hand-off"), [1, 1])],
      remarks: handOff(),
    }),
  },
  {
    name: "history-none-missing",
    reason: "every receipt that the history has is here",
    files: ALL_OF_MAIN.map(fileOf),
    options: { history: HISTORY },
    found: ALL_OF_MAIN.map((name) => report(name, ALONE, NO_LOG)),
    together: together("linked"),
    summary: sum([10, 10, 3], [chainOf(10, MAIN, 10, [0, 9])], { remarks: handOff() }),
  },
  {
    name: "wording-that-fits",
    reason: "the text is the wording of one receipt",
    files: [fileOf("greeting"), fileOf("chat-message")],
    options: { wording: wordingText("de-voice-introduction-1") },
    found: [report("greeting", ALONE), report("chat-message", ALONE)],
    together: together("linked"),
    summary: sum([2, 2, 2], [chain(MAIN, 2, [0, 1])]),
  },
  {
    name: "wording-of-no-receipt",
    reason: "the text is the wording of another notice",
    files: [fileOf("greeting")],
    options: { wording: wordingText("de-chat-notice-1") },
    found: [report("greeting", ALONE)],
    strays: [{ kind: "wording", file: null }],
    summary: GREETING,
  },
];
