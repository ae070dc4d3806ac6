// Sets of files about those whom a reader believes: certificates of timestamp authorities, the keys of a log, and forks of it.
import { madeFile } from "./set-files.ts";
import { type Draft, LAYER, type Open, SERVICE } from "./set-rows.ts";
import {
  ALONE,
  chain,
  FORGED,
  fileOf,
  found,
  GREETING,
  handOffAlone,
  inFolder,
  MAIN,
  NOTHING,
  OTHER_AUTHORITY,
  report,
  sum,
  together,
  unreadable,
} from "./set-words.ts";

const POLICY = "checkpoints/two-of-three.policy";
const OTHER_POLICY = "checkpoints/other.policy";
const CHECKPOINT = "checkpoints/good.json";
const FORK = madeFile("fork.json");

/** The report of the hand-off with a signed checkpoint. */
const signed = (...open: readonly Open[]) =>
  found(CHECKPOINT, "report", { evidence_chain: "not_given" }, ALONE, ...open);
const SIGNED = handOffAlone(CHECKPOINT);

export const authoritySets: readonly Draft[] = [
  {
    name: "certificates-of-another",
    reason: "certificates of an authority that stamped none of this",
    files: [fileOf("greeting"), "authorities/other.pem"],
    options: { certificates: [] },
    found: [report("greeting", ALONE, OTHER_AUTHORITY)],
    strays: [{ kind: "certificates", file: "authorities/other.pem" }],
    summary: GREETING,
  },
  {
    name: "certificates-of-two-others",
    reason: "two files of certificates, and none of them the one that is needed",
    files: [fileOf("greeting"), "authorities/other.pem", "authorities/early.pem"],
    options: { certificates: [] },
    found: [report("greeting", ALONE, OTHER_AUTHORITY)],
    strays: [
      { kind: "certificates", file: "authorities/other.pem" },
      { kind: "certificates", file: "authorities/early.pem" },
    ],
    summary: GREETING,
  },
  {
    name: "certificates-one-fits",
    reason:
      "of two files of certificates one is needed: no timestamp lacks its own, so the other is no stray",
    files: ["authorities/other.pem", SERVICE, fileOf("greeting")],
    options: { certificates: [] },
    found: [report("greeting", ALONE)],
    summary: GREETING,
  },
  {
    name: "certificates-of-two-in-one-file",
    reason: "one file with the certificates of two authorities",
    files: ["authorities/service-and-other.pem", fileOf("greeting")],
    options: { certificates: [] },
    found: [report("greeting", ALONE)],
    summary: GREETING,
  },
  {
    name: "certificates-for-one-of-two",
    reason:
      "one report lacks its authority: the certificates that belong to the other are no stray, those of a third are",
    files: [SERVICE, "authorities/other.pem", fileOf("greeting"), "policy/allow.json"],
    options: { layers: [LAYER, "layers/example.json"], certificates: [] },
    found: [
      report("greeting", ALONE),
      found("policy/allow.json", "report", { evidence_chain: "not_given" }, ALONE, OTHER_AUTHORITY),
    ],
    together: together("apart", { one_history: "two_logs" }),
    strays: [{ kind: "certificates", file: "authorities/other.pem" }],
    summary: sum([2, 2, 2], [chain(MAIN, 1, [0, 0]), chain(FORGED, 1, [0, 0])]),
  },
  {
    name: "certificates-in-a-folder",
    reason: "the reader's own certificates count, and those of the folder are told",
    files: inFolder(fileOf("greeting"), "authorities/other.pem"),
    found: [report("greeting", ALONE)],
    notBelieved: [{ kind: "certificates", file: "authorities/other.pem" }],
    summary: GREETING,
  },
  {
    name: "policy-named",
    reason: "the log of the policy signed the root, and witnesses enough cosigned it",
    files: [CHECKPOINT, POLICY],
    found: [signed()],
    summary: SIGNED,
  },
  {
    name: "policy-option",
    reason: "the same policy by an option",
    files: [CHECKPOINT],
    options: { policy: POLICY },
    found: [signed()],
    summary: SIGNED,
  },
  {
    name: "policies-named-twice",
    reason: "two policies that the reader names: neither counts, and nobody guesses which was meant",
    files: [CHECKPOINT, POLICY, OTHER_POLICY],
    found: [signed(), unreadable(POLICY), unreadable(OTHER_POLICY)],
    summary: SIGNED,
  },
  {
    name: "policies-option-and-named",
    reason: "one by an option, one among the files",
    files: [CHECKPOINT, OTHER_POLICY],
    options: { policy: POLICY },
    found: [signed(), unreadable(OTHER_POLICY), unreadable(POLICY)],
    summary: SIGNED,
  },
  {
    name: "policy-in-a-folder",
    reason: "whoever made the folder chose this policy",
    files: inFolder(CHECKPOINT, POLICY),
    found: [signed()],
    notBelieved: [{ kind: "log_policy", file: POLICY }],
    summary: SIGNED,
  },
  {
    name: "policies-option-and-folder",
    reason: "a policy of the folder is no rival of the reader's own",
    files: inFolder(CHECKPOINT, OTHER_POLICY),
    options: { policy: POLICY },
    found: [signed()],
    notBelieved: [{ kind: "log_policy", file: OTHER_POLICY }],
    summary: SIGNED,
  },
  {
    name: "policy-of-another-log",
    reason: "no log of the policy is the one that signed",
    files: [CHECKPOINT, OTHER_POLICY],
    found: [signed({ checkpoint: "other_log" })],
    strays: [{ kind: "log_policy", file: OTHER_POLICY }],
    summary: SIGNED,
  },
  {
    name: "policy-without-checkpoint",
    reason: "a report without a checkpoint says nothing of a policy",
    files: [fileOf("greeting"), POLICY],
    found: [report("greeting", ALONE, { checkpoint: "not_given" })],
    summary: GREETING,
  },
  {
    name: "fork-confirmed",
    reason: "the log signed two histories: that holds against the log, whatever the report says",
    files: [CHECKPOINT, FORK, POLICY],
    found: [signed(), { ...found(FORK, "fork"), outcome: "does_not_hold" }],
    summary: SIGNED,
  },
  {
    name: "fork-without-a-policy",
    reason: "nobody's key confirms the fork",
    files: [CHECKPOINT, FORK],
    found: [signed(), unreadable(FORK)],
    summary: SIGNED,
  },
  {
    name: "fork-of-another-log",
    reason: "the fork is of a log that the reader's policy does not name",
    files: [FORK],
    options: { policy: OTHER_POLICY },
    found: [unreadable(FORK)],
    summary: NOTHING,
  },
];
