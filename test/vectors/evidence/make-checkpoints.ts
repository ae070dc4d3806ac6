// Makes the vectors of signed checkpoints: a good report with a note of each kind, the policies of readers, and an index
// of what must come of them, written by hand from docs/receipt-format.md. The keys are made from fixed seeds.
import {
  checkpointText,
  lineOf,
  logKey,
  logLine,
  logSigner,
  noteOf,
  policyText,
  signedCheckpoint,
  witnessKey,
  witnessLine,
  witnessSigner,
} from "../../support/note-signers.ts";
import { BASE, contextOf, HEAD, OTHER_NODE } from "./damage-base.ts";
import { at, type Json, print, read, SERVICE_LAYER, type Vectors, verdictOn } from "./edit.ts";

const FOLDER = "checkpoints";
const CHECK = "checkpoint";
const ORIGIN = "receipts.example.com/v1/metachain";
const TIME = "2026-11-22T10:00:00Z";
const LONG_TIME = "2026-11-22T11:00:00Z";
/** The reader's clock says midnight. */
const AHEAD = "2026-11-27T00:05:00Z";
const TOO_FAR_AHEAD = "2026-11-27T00:05:01Z";

const REPORT = read(`receipts/${BASE}.json`) as { [name: string]: Json };
const TREE = {
  size: Number(at(REPORT, "/merkle_proof/cross_tenant_proof/tree_size")),
  root: String(at(REPORT, "/merkle_proof/merkle_root")),
};
const LOG = logSigner(ORIGIN);
const ELSEWHERE = logSigner("elsewhere.example");
const FIRST = witnessSigner("witness.example/a");
const SECOND = witnessSigner("witness.example/b");
const THIRD = witnessSigner("witness.example/c");
const ALL = [FIRST, SECOND, THIRD];
/** There is no point whose y is 2. */
const KEY_OF_NO_POINT = new Uint8Array(32).with(0, 2);
const NO_POINT = witnessKey("witness.example/no-point", KEY_OF_NO_POINT);
const LOG_OF_NO_POINT = logKey(ORIGIN, KEY_OF_NO_POINT);
/** Of order 1, and the same point once more: its y is not reduced, and its x has a sign. */
const NEUTRAL = new Uint8Array(32).with(0, 1);
const NEUTRAL_AGAIN = new Uint8Array(32).fill(0xff).with(0, 0xee);
const TEXT = checkpointText(ORIGIN, TREE.size, TREE.root);
const OTHER_TEXT = checkpointText(ORIGIN, TREE.size, OTHER_NODE);
const GOOD = signedCheckpoint(LOG, TREE, [FIRST, SECOND], TIME);

type Row = readonly [name: string, outcome: true | false | null, reason: string, note: Json, policy?: string];

const ROWS: readonly Row[] = [
  ["good", true, "signed by the log, cosigned by two witnesses of three", GOOD],
  ["good-key-alone", true, "a reader who knows the log's key and asks for no witness", signedCheckpoint(LOG, TREE), "key"],
  ["good-all-cosigned", true, "all witnesses", signedCheckpoint(LOG, TREE, ALL, TIME), "all"],
  ["good-unknown-lines", true, "lines of keys that the policy does not name are ignored", `${GOOD}${logLine(ELSEWHERE, OTHER_TEXT)}`],
  ["good-cosigned-twice", true, "a witness that cosigned again later", `${GOOD}${witnessLine(FIRST, TEXT, LONG_TIME)}`],
  ["good-more-lines", true, "a further line in the text, which all sign", moreLines()],
  ["pending-none", null, "a seal that has no checkpoint", null],
  ["missing-quorum", null, "one witness, where the reader asks for two", signedCheckpoint(LOG, TREE, [FIRST], TIME)],
  ["missing-one-of-all", null, "two witnesses, where the reader asks for all", GOOD, "all"],
  ["unknown-log", null, "the policy is of another log", GOOD, "other"],
  ["other-origin", null, "another origin in the text, which the policy does not name", GOOD.replace(ORIGIN, "elsewhere.example/v1/metachain")],
  ["other-root", false, "the log signed another root for this size", signedCheckpoint(LOG, { ...TREE, root: OTHER_NODE }, ALL, TIME)],
  ["other-size", false, "the log signed another size", signedCheckpoint(LOG, { ...TREE, size: TREE.size + 1 }, ALL, TIME)],
  ["other-key", false, "another key under the log's name", signedCheckpoint(logSigner(ORIGIN, "stolen"), TREE, ALL, TIME)],
  ["log-not-signed", false, "cosigned, and not signed by the log", noteOf(TEXT, ...ALL.map((one) => witnessLine(one, TEXT, TIME)))],
  ["false-signature", false, "the log's signature is over another text", noteOf(TEXT, logLine(LOG, OTHER_TEXT))],
  ["false-cosignature", false, "a witness's signature is over another text", noteOf(TEXT, logLine(LOG, TEXT), witnessLine(FIRST, TEXT, TIME), witnessLine(SECOND, OTHER_TEXT, TIME))],
  ["other-time", false, "a cosignature whose time was changed", otherTime()],
  ["second-line-false", false, "a second line of the log's key that does not hold", `${GOOD}${logLine(LOG, OTHER_TEXT)}`],
  ["good-two-logs", true, "another log of the policy signed the same text", `${GOOD}${logLine(ELSEWHERE, TEXT)}`, "two-logs"],
  ["other-log-false", false, "a line of another log of the policy that does not hold", `${GOOD}${logLine(ELSEWHERE, OTHER_TEXT)}`, "two-logs"],
  ["other-log-alone", false, "signed by another log of the policy, and not by that of the origin", noteOf(TEXT, logLine(ELSEWHERE, TEXT)), "two-logs"],
  ["good-cosigned-ahead", true, "a cosignature five minutes ahead of the reader's clock", signedCheckpoint(LOG, TREE, [FIRST, SECOND], AHEAD)],
  ["cosigned-too-far-ahead", null, "one of two cosignatures is more than five minutes ahead of the reader's clock, and does not count", noteOf(TEXT, logLine(LOG, TEXT), witnessLine(FIRST, TEXT, TIME), witnessLine(SECOND, TEXT, TOO_FAR_AHEAD))],
  ["good-key-of-no-point", true, "the key of one witness encodes no point of the curve, and the others make the quorum", GOOD, "no-point"],
  ["key-of-no-point-signed", false, "a cosignature of a key that encodes no point", `${GOOD}${lineOf(NO_POINT, new Uint8Array(72))}`, "no-point"],
  ["log-key-of-no-point", false, "a log whose key encodes no point", noteOf(TEXT, lineOf(LOG_OF_NO_POINT, new Uint8Array(64))), "no-point-log"],
  ["no-note", false, "a text that is no note", "nonsense"],
  ["no-lines", false, "a checkpoint without signature lines", TEXT],
  ["size-with-zero", false, "a size with a leading zero", sized(`0${TREE.size}`)],
  ["root-short", false, "a root of 31 bytes", shortRoot()],
];

const POLICIES: Readonly<Record<string, string>> = {
  "two-of-three": policyText(LOG, ALL, 2),
  all: policyText(LOG, ALL),
  key: policyText(LOG),
  "two-logs": `log ${ELSEWHERE.vkey}\n${policyText(LOG, ALL, 2)}`,
  other: policyText(logSigner("elsewhere.example/v2/metachain")),
  "no-point": policyText(LOG, [FIRST, SECOND, NO_POINT], 2),
  "no-point-log": policyText(LOG_OF_NO_POINT),
  // No row here has these: no verifier reads them.
  "small-order-log": policyText(logKey(ORIGIN, NEUTRAL)),
  "small-order-witness": policyText(LOG, [FIRST, SECOND, witnessKey("witness.example/c", NEUTRAL_AGAIN)], 2),
};

function moreLines(): string {
  const text = `${TEXT}more\n`;
  return noteOf(text, logLine(LOG, text), ...ALL.map((one) => witnessLine(one, text, TIME)));
}

/** The first byte of the time, behind the id, is that of a time in a distant age. */
function otherTime(): string {
  const [mark, name, base64 = ""] = witnessLine(FIRST, TEXT, TIME).trimEnd().split(" ");
  const bytes = Buffer.from(base64, "base64");
  bytes[11] = (bytes[11] ?? 0) ^ 1;
  return noteOf(TEXT, logLine(LOG, TEXT), `${mark} ${name} ${bytes.toString("base64")}\n`);
}

function sized(size: string): string {
  const text = TEXT.replace(`\n${TREE.size}\n`, `\n${size}\n`);
  return noteOf(text, logLine(LOG, text), ...ALL.map((one) => witnessLine(one, text, TIME)));
}

function shortRoot(): string {
  const text = checkpointText(ORIGIN, TREE.size, TREE.root.slice(0, -2));
  return noteOf(text, logLine(LOG, text), ...ALL.map((one) => witnessLine(one, text, TIME)));
}

export function checkpointVectors(): Vectors {
  const policies = Object.entries(POLICIES).map(([name, text]) => [`${FOLDER}/${name}.policy`, text]);
  const reports = ROWS.map(([name, , , note]) => [fileOf(name), print({ ...REPORT, log_checkpoint: note })]);
  return {
    ...Object.fromEntries([...policies, ...reports]),
    "checkpoints.json": print(ROWS.map(entryOf) as never),
  };
}

const fileOf = (name: string): string => `${FOLDER}/${name}.json`;

function entryOf([name, outcome, reason, , policy = "two-of-three"]: Row) {
  const file = fileOf(name);
  const failing = outcome === false ? [CHECK] : [];
  const unmade = [HEAD, ...(outcome === null ? [CHECK] : [])];
  const expected = verdictOn({ failing, unmade });
  const known = { ...contextOf(BASE, 2), policy: `${FOLDER}/${policy}.policy` };
  return { file, kind: "receipt", expected, failing, unmade, reason, layers: [SERVICE_LAYER], ...known };
}
