// The text of a whole core out of the stored one: taken where that is canonical by its form, and left alone otherwise.
import { expect, test } from "vitest";
import { canonicalize, type JsonObject } from "../../../evidence/core/canonical-json.ts";
import { formatEventId } from "../../../evidence/core/formats/event-id.ts";
import { hashOutput, receiptCoreSchema } from "../../../evidence/core/formats/receipt.ts";
import { wholeText } from "../../../service/ledger/whole-text.ts";

const PLACE = { chainId: "c".repeat(32), leafIndex: 5, issuedAt: "2026-11-22T10:00:00.123Z" };
const digest = (digit: string): string => `sha256:${digit.repeat(64)}`;

const DISCLOSURE = {
  article_50_clause: "1",
  disclosure_method: "spoken_introduction",
  jurisdiction: "DE",
  modality: "voice",
  subject_hash: digest("6"),
};
const POLICY = {
  digest: digest("7"),
  findings: ["wording_unknown", "not in its window"],
  jurisdiction: "DE",
  version: "2026-11-22.1",
  wording_id: null,
};
const STORED: JsonObject = {
  disclosure: DISCLOSURE,
  input_hash: digest("1"),
  policy: POLICY,
  previous_hash: digest("3"),
  previous_turn_hash: null,
  receipt_format_version: "1.0",
  recorded_after: null,
  shard: 7,
  turn: 2,
  verdict: "MODIFY",
  verifiability: "verifiable",
};

/** The right text, by way of the core itself. */
function canonicalCore({ shard, ...rest }: JsonObject): string {
  const event_id = formatEventId(PLACE.chainId, { shard: Number(shard), sequence: PLACE.leafIndex });
  const computed = {
    event_id,
    chain_id: PLACE.chainId,
    sequence: PLACE.leafIndex,
    issued_at: PLACE.issuedAt,
  };
  const core = receiptCoreSchema.parse({ ...rest, ...computed, output_hash: digest("0") });
  return canonicalize({ ...core, output_hash: hashOutput(core) });
}

test.each<[string, JsonObject]>([
  ["as it is usual", STORED],
  [
    "of a time that the caller states",
    { ...STORED, disclosure: { ...DISCLOSURE, disclosed_at: "2026-11-22T09:59:58Z" } },
  ],
  [
    "of a later turn, after a seal",
    {
      ...STORED,
      previous_turn_hash: digest("4"),
      recorded_after: { seal_hash: digest("5"), seal_index: 12 },
    },
  ],
  [
    "of a wording, without findings",
    { ...STORED, policy: { ...POLICY, findings: [], wording_id: "de-1" }, verdict: "ALLOW" },
  ],
  [
    "with characters that JSON writes as they are",
    { ...STORED, policy: { ...POLICY, version: " !#$%&'()*+,-./:;<=>?@[]^_`{|}~" } },
  ],
])("a core %s", (_, stored) => {
  expect(wholeText(canonicalize(stored), PLACE)).toBe(canonicalCore(stored));
});

test("a core with every field that a caller may state", () => {
  const fields = Object.keys(receiptCoreSchema.shape.disclosure.shape);
  const disclosure = Object.fromEntries(fields.map((name) => [name, "x"]));
  const text = wholeText(canonicalize({ ...STORED, disclosure }), PLACE) ?? "null";
  expect(JSON.parse(text)).toMatchObject({ disclosure });
});

const text = canonicalize(STORED);

test.each([
  ["white space", text.replace('"turn":2', '"turn": 2')],
  ["another order", text.replace('"shard":7,"turn":2', '"turn":2,"shard":7')],
  ["an escape that need not be", text.replace("voice", "\\u0076oice")],
  ["an escape that must be", text.replace("voice", '\\"')],
  ["a character beyond ASCII", text.replace("DE", "Ä")],
  ["a control character", text.replace("voice", "\u0001~")],
  ["a number with an exponent", text.replace('"turn":2', '"turn":2e0')],
  ["a number with a zero before it", text.replace('"turn":2', '"turn":02')],
  ["a negative zero", text.replace('"turn":2', '"turn":-0')],
  ["an integer that no double holds", text.replace('"turn":2', '"turn":9007199254740993')],
  ["a member more", text.replace('"turn":2', '"time":1,"turn":2')],
  ["a member twice", text.replace('"turn":2', '"turn":2,"turn":2')],
  ["a member less", text.replace(',"turn":2', "")],
  ["an output hash of its own", text.replace('"policy"', '"output_hash":"x","policy"')],
  ["a shard beyond all", text.replace('"shard":7', '"shard":4096')],
  ["something behind it", `${text} `],
  ["a line behind it", `${text}\n`],
])("a stored text with %s is left to others", (_, other) => {
  expect(other).not.toBe(text);
  expect(wholeText(other, PLACE)).toBeNull();
});

test("a chain id can add no member", () => {
  const chainId = `${"c".repeat(32)}","turn":"9`;
  const core = JSON.parse(wholeText(text, { ...PLACE, chainId }) ?? "");
  expect(core).toMatchObject({ chain_id: chainId, turn: 2 });
});
