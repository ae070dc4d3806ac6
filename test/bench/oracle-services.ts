// What can be wrong in what the service shows of a run.
import { answering, changedBytes, changedJson, missing } from "./lying-proxy.ts";
import { anHourLater, flipAt, flipped, plus, type Titled, withoutLast } from "./oracle-tampering.ts";

const REPORT = /^\/v1\/attestation\//;
const SEALS = /^\/v1\/metachain\/roots\//;
const SECOND_SEAL = /^\/v1\/metachain\/roots\/1$/;
const HEADS = /^\/v1\/chains\/\w+\?from=/;
const BILL = /^\/v1\/usage/;
const TOKEN = ["tsa_timestamp", "timestamp_token"];

export const TOMBSTONE = {
  erased_at: "2026-11-23T00:00:00.000Z",
  erased_by: "data protection officer",
  ground: "request",
};

const flippedBase64 = (place: number) => (old: unknown) => {
  const bytes = Buffer.from(String(old), "base64");
  flipAt(place)(bytes);
  return bytes.toString("base64");
};

/** Where the imprint lies: behind the algorithm's identifier and the header of its octets. */
function tokenOverAnotherRoot(token: string): string {
  const bytes = Buffer.from(token, "base64");
  const sha256 = Buffer.from("608648016503040201", "hex");
  const inside = bytes.indexOf(sha256, bytes.indexOf(sha256) + sha256.length);
  const imprint = bytes.indexOf(Buffer.from([0x04, 0x20]), inside);
  flipAt(imprint + 2)(bytes);
  return bytes.toString("base64");
}

const withoutTokens = changedJson(SEALS, [], (seal) => ({
  ...(seal as object),
  tsa_timestamp: { status: "pending", timestamp_token: null, tsa_url: null, covers: "merkle_root" },
  additional_timestamps: [],
}));
const withoutLaterTokens = missing(/^\/v1\/metachain\/timestamps\//);

const CHECKPOINTS = /checkpoints\/\d+$/;

/** Changes a signature near its end; of a note's lines, the log's is the first and the witness's the last. */
function spoilLine(note: Buffer, end: number): void {
  note.write("AAAA", end - FROM_END);
}
const FROM_END = 12;
const endOfLogLine = (note: Buffer): number => note.indexOf("\n", note.indexOf("\n\n") + 2);

export const SERVICES: readonly Titled[] = [
  {
    title: "another wording layer",
    lie: changedBytes(/^\/v1\/policy\/layers\//, flipAt(-2)),
    finds: [["verdicts", /its layer sha256:\w+: what is published under it has another hash/]],
  },
  {
    title: "another leaf in a chain",
    lie: changedBytes(/^\/v1\/chains\/\w+\/entries\//, flipAt(0)),
    finds: [
      ["none lost", /sequence 0: the chain has leaf \w+, the answer \w+/],
      ["histories", /head 0 is not the root of its receipts/],
    ],
  },
  {
    title: "a bundle of a chain that is cut off",
    lie: missing(/^\/v1\/chains\/\w+\/entries\//),
    finds: [["histories", /the bundle \S+ is missing or has not \d+ leaves/]],
  },
  {
    title: "a history without its newest head",
    lie: changedJson(HEADS, ["heads"], withoutLast),
    finds: [
      ["none lost", /lost, or not sealed: the newest published head has \d+ leaves/],
      ["heads in the log", /which its history leaves out/],
    ],
  },
  {
    title: "a head with another root",
    lie: changedJson(HEADS, ["heads", 0, "root"], flipped),
    finds: [
      ["histories", /head 0 is not the root of its receipts/],
      ["heads in the log", /commits to another root or size/],
    ],
  },
  {
    title: "a head at another place of the log",
    lie: changedJson(HEADS, ["heads", -1, "leaf_index"], plus(1)),
    finds: [["heads in the log", /its label is at entry \d+, expected \d+/]],
  },
  {
    title: "a head under another seal",
    lie: changedJson(HEADS, ["heads", -1, "seal_index"], plus(1)),
    finds: [["heads in the log", /seal \d+ is not the first over entry \d+/]],
  },
  {
    title: "a chain that is left out",
    lie: changedJson(/^\/v1\/chains$/, ["chains"], withoutLast),
    finds: [
      ["none lost", /the tenant has no such chain/],
      ["no other chain", /entry \d+ is of shard \d, which its history does not name/],
      ["no other chain", /entry \d+ of the log is a head of no chain/],
    ],
  },
  {
    title: "a label that occurs twice",
    lie: changedBytes(/tile\/entries\//, (body) => body.copy(body, 68, 2, 34)),
    finds: [["labels", /^entry 1 of the log has the label of entry 0$/m]],
  },
  {
    title: "a seal with another root",
    lie: changedJson(SECOND_SEAL, ["merkle_root"], flipped),
    finds: [
      ["roots", /^seal 1: merkle_root is 0x\w+, its entries have 0x\w+/],
      ["seals", /seal 2: previous_seal: the seal before has another root/],
      ["tokens", /^seal 1: its token covers/],
    ],
  },
  {
    title: "a seal that was made before the one before it",
    lie: changedJson(/roots\/0$/, ["sealed_at"], anHourLater),
    finds: [["seals", /^seal 1: previous_seal: the seal is older than the one before/]],
  },
  {
    title: "a consistency path that leads elsewhere",
    lie: changedJson(SEALS, ["consistency_path", 0], flipped),
    finds: [["seals", /^seal \d+: consistency: the path leads to another previous root/m]],
  },
  {
    title: "a seal with another number of receipts",
    lie: changedJson(SECOND_SEAL, ["receipt_count"], plus(1)),
    finds: [
      ["receipt counts", /^seal 1: receipt_count is \d+, the run's chains grew by \d+, and no others did/],
    ],
  },
  {
    title: "another tile of the log",
    lie: changedBytes(/^\/v1\/metachain\/tile\/0\//, flipAt(40)),
    finds: [["tiles", /^tile 0\/\S+ has other hashes than the entries give/]],
  },
  {
    title: "a log without its tiles",
    lie: missing(/^\/v1\/metachain\/tile\/0\//),
    finds: [["tiles", /^tile 0\/\S+ is missing/]],
  },
  {
    title: "a token over another root",
    lie: changedJson(SECOND_SEAL, TOKEN, (old) => tokenOverAnotherRoot(String(old))),
    finds: [["tokens", /^seal 1: its token covers \w+, its root is \w+/]],
  },
  {
    title: "a token whose signature does not hold",
    lie: changedJson(SEALS, TOKEN, flippedBase64(-1)),
    finds: [["signatures of tokens", /^seal \d+: its token: /m]],
  },
  {
    title: "a token that is said to be pending",
    lie: changedJson(SECOND_SEAL, ["tsa_timestamp", "status"], () => "pending"),
    finds: [["tokens", /^seal 1: the status and the token contradict each other/]],
  },
  {
    title: "a log without a single token",
    lie: (path, answer) => withoutTokens(path, answer) ?? withoutLaterTokens(path, answer),
    finds: [["tokens", /^no seal has a token over its root$/m]],
  },
  {
    title: "a checkpoint with another signature",
    lie: changedBytes(CHECKPOINTS, (note) => spoilLine(note, endOfLogLine(note))),
    finds: [["checkpoints", /^the checkpoint of seal \d+: the signature by \S+ does not hold$/m]],
  },
  {
    title: "a checkpoint with another cosignature",
    lie: changedBytes(CHECKPOINTS, (note) => spoilLine(note, note.length - 1)),
    finds: [["cosignatures", /^the checkpoint of seal \d+: the signature by \S+ does not hold$/m]],
  },
  {
    title: "a checkpoint of another size",
    lie: changedBytes(CHECKPOINTS, (body) => body.write("9", body.indexOf("\n") + 1)),
    finds: [["checkpoints", /^the checkpoint of seal \d+: /m]],
  },
  {
    title: "a log without its newest checkpoint",
    lie: missing(/metachain\/checkpoint$/),
    finds: [["checkpoints", /^the newest checkpoint: it is not published/]],
  },
  {
    title: "a bill that counts one too many",
    lie: changedJson(BILL, ["count"], plus(1)),
    finds: [["bills", /it counts \d+ receipts, the chains have \d+/]],
  },
  {
    title: "a bill with one receipt too few in a chain",
    lie: changedJson(BILL, ["lines", 0, "to"], plus(-1)),
    finds: [["bills", /it counts 0 up to \d+, the chain has 0 up to \d+ in the month/]],
  },
  {
    title: "a bill without one of the chains",
    lie: changedJson(BILL, ["lines"], withoutLast),
    finds: [["bills", /its lines are of other chains than those with a receipt/]],
  },
  {
    title: "a bill that shows another last receipt",
    lie: changedJson(BILL, ["lines", 0, "last", "receipt", "turn"], plus(1)),
    finds: [["bills", /last is not the receipt of sequence \d+/]],
  },
  {
    title: "a bill as of another tree",
    lie: changedJson(BILL, ["as_of", "tree_size"], plus(1)),
    finds: [["bills", /as_of is not what seal \d+ publishes/]],
  },
  {
    title: "a report of another receipt",
    lie: changedJson(REPORT, ["receipts", 0, "verdict"], () => "BLOCK"),
    finds: [["reports", /the report's leaf is \w+, the answer's \w+/]],
  },
  {
    title: "a report with another path",
    lie: changedJson(REPORT, ["merkle_proof", "event_inclusion_proof", "path", 0], flipped),
    finds: [["reports", /event_inclusion: the path leads to another root/]],
  },
  {
    title: "a report that leads to another root",
    lie: changedJson(REPORT, ["merkle_proof", "merkle_root"], flipped),
    finds: [["reports", /published_root: published root \d+ is a different one/]],
  },
  {
    title: "a report that is pending",
    lie: changedJson(REPORT, ["merkle_proof", "status"], () => "pending"),
    finds: [["reports", /the status of its proof is pending/]],
  },
  {
    title: "a report that is not there",
    lie: missing(REPORT),
    finds: [["reports", /it was answered 404, expected 200/]],
  },
  {
    title: "a report that was erased by nobody",
    lie: changedJson(REPORT, ["erasure"], () => TOMBSTONE),
    finds: [["reports", /its report has an erasure, and nobody erased it/]],
  },
  {
    title: "an erasure of which the reports say nothing",
    run: () => ({ erased: [{ tenant: 0, interaction_id: "call-3" }] }),
    lie: missing(/^\/v1\/interactions\//),
    finds: [["erased conversations", /its report says nothing of the erasure/]],
  },
  {
    title: "an erased id that still leads to its receipts",
    run: () => ({ erased: [{ tenant: 0, interaction_id: "call-3" }] }),
    lie: changedJson(REPORT, ["erasure"], () => TOMBSTONE),
    finds: [["erased conversations", /an erased id still leads to \S+/]],
  },
  ...[401, 500].map((status) => ({
    title: `an erased id that is answered ${status}`,
    run: () => ({ erased: [{ tenant: 0, interaction_id: "call-3" }] }),
    lie: answering(status, /^\/v1\/interactions\//),
    finds: [["erased conversations", new RegExp(`an erased id is answered ${status}, expected`)] as const],
  })),
];
