// Cores that are read in one pass against the schema and the canonical form, which the pass stands in for.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalize } from "../../../core/canonical-json.ts";
import { isDisclosureError } from "../../../core/errors.ts";
import { formatEventId } from "../../../core/formats/event-id.ts";
import { hashOutput, type ReceiptCore, receiptCoreSchema } from "../../../core/formats/receipt.ts";
import { decodeCore, encodeCore } from "../../../service/ledger/leaf-codec.ts";
import { type LeafPlace, type PlacedParts, readUsualCore } from "../../../service/ledger/usual-core.ts";

const digest = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => `sha256:${Buffer.from(bytes).toString("hex")}`);
const word = fc.stringMatching(/^[ !#-[\]-~]{0,30}$/);
const instant = fc
  .date({ min: new Date(0), max: new Date("9999-12-31T23:59:59.999Z"), noInvalidDate: true })
  .map((date) => date.toISOString());
const statedInstant = fc
  .tuple(instant, fc.boolean())
  .map(([at, isShort]) => (isShort ? `${at.slice(0, 19)}Z` : at));

const PLACE: LeafPlace = { chainId: "c".repeat(32), leafIndex: 5, leftPath: [new Uint8Array(32).fill(3)] };
const SHARD = 7;

const usualCore: fc.Arbitrary<ReceiptCore> = fc
  .record({
    turn: fc.integer({ min: 1, max: 10 ** 15 - 1 }),
    verdict: fc.constantFrom("ALLOW" as const, "MODIFY" as const, "BLOCK" as const),
    input_hash: digest,
    previous_hash: fc.oneof(digest, fc.constant(`sha256:${"03".repeat(32)}`)),
    previous_turn_hash: fc.option(digest),
    issued_at: instant,
    recorded_after: fc.option(fc.record({ seal_index: fc.nat(), seal_hash: digest })),
    disclosure: fc.record(
      {
        article_50_clause: fc.constant("1" as const),
        disclosed_at: statedInstant,
        disclosure_method: word,
        jurisdiction: word,
        modality: fc.constantFrom("voice" as const, "chat" as const, "walkthrough" as const),
        subject_hash: digest,
      },
      {
        requiredKeys: ["article_50_clause", "disclosure_method", "jurisdiction", "modality", "subject_hash"],
      },
    ),
    policy: fc.record({
      jurisdiction: word,
      version: word,
      digest,
      wording_id: fc.option(word),
      findings: fc.array(word, { maxLength: 5 }),
    }),
  })
  .map((members) => {
    const event_id = formatEventId(PLACE.chainId, { shard: SHARD, sequence: PLACE.leafIndex });
    const fixed = { receipt_format_version: "1.0", verifiability: "verifiable" } as const;
    const core = { ...members, ...fixed, event_id, chain_id: PLACE.chainId, sequence: PLACE.leafIndex };
    return { ...core, output_hash: hashOutput(core) };
  });

const D = "\u0002";
/** A text of the usual form, with six digests of its own. */
const TEXT = [
  `{"disclosure":{"article_50_clause":"1","disclosed_at":"2026-02-28T10:00:00Z","disclosure_method":"spoken","jurisdiction":"DE","modality":"voice","subject_hash":"${D}"},`,
  `"input_hash":"${D}","policy":{"digest":"${D}","findings":["a","b"],"jurisdiction":"DE","version":"1","wording_id":null},`,
  `"previous_hash":"${D}","previous_turn_hash":"${D}","receipt_format_version":"1.0",`,
  `"recorded_after":{"seal_hash":"${D}","seal_index":0},"shard":7,"turn":2,"verdict":"ALLOW","verifiability":"verifiable"}`,
].join("");
const STORED = ["1", "2", "3", "4", "5", "6"].map((digit) => `sha256:${digit.repeat(64)}`);
const KNOWN = ["a", "b"].map((digit) => `sha256:${digit.repeat(64)}`);

const placed = (text: string, changes: Partial<PlacedParts["parts"]> = {}, place = PLACE): PlacedParts => ({
  parts: { issuedAt: new Date("2026-03-01T00:00:00.000Z"), stored: STORED, text, ...changes },
  digests: KNOWN,
  place,
});

/** Not taken, or in the canonical form of what the schema accepts. */
function expectSound(read: ReturnType<typeof readUsualCore>): void {
  if (read === null) return;
  expect(receiptCoreSchema.strict().parse(read.core)).toEqual(read.core);
  expect(read.text).toBe(canonicalize(read.core));
  expect(read.core.output_hash).toBe(hashOutput(read.core));
}

describe("a core of the usual form", () => {
  test("is read in one pass, as what was stored and in its canonical form", () => {
    fc.assert(
      fc.property(usualCore, (core) => {
        const read = decodeCore(encodeCore(core, PLACE), PLACE);
        expect(read).toEqual({ core, text: canonicalize(core), computedShard: SHARD });
        expectSound(read);
      }),
      { numRuns: 300 },
    );
  });

  test("is read where marks refer to known digests, to the leaf before, and to those that were met", () => {
    const marked = ["\u0001 ", D, "\u0001!", '\u0001"', "\u0001#", D];
    const text = marked.reduce((rest, mark) => rest.replace(`"${D}"`, `"<${mark}>"`), TEXT);
    const read = readUsualCore(placed(text.replaceAll(/[<>]/g, ""), { stored: STORED.slice(0, 2) }));
    expectSound(read);
    expect(read?.core.disclosure.subject_hash).toBe(KNOWN[0]);
    expect(read?.core.policy.digest).toBe(KNOWN[1]);
    expect(read?.core.previous_hash).toBe(`sha256:${"03".repeat(32)}`);
    expect(read?.core.previous_turn_hash).toBe(STORED[0]);
    expect(read?.core.recorded_after?.seal_hash).toBe(STORED[1]);
  });

  const OTHERS: [what: string, from: string, to: string][] = [
    ["an escape", '"spoken"', '"sp\\u006fken"'],
    ["a letter beyond ASCII", '"spoken"', '"spokén"'],
    ["a control character", '"spoken"', '"spo\nken"'],
    ["a space between members", '"shard":7,', '"shard":7, '],
    ["a number of another spelling", '"turn":2', '"turn":02'],
    ["a fraction", '"turn":2', '"turn":2.0'],
    ["turn 0", '"turn":2', '"turn":0'],
    ["a number that no double holds", '"turn":2', '"turn":9007199254740993'],
    ["a shard beyond all", '"shard":7', '"shard":4096'],
    ["a day that there is not", "2026-02-28", "2026-02-30"],
    ["an hour that there is not", "T10:", "T24:"],
    ["an instant of tenths", "00:00Z", "00:00.5Z"],
    ["a member twice", '"turn":2,', '"turn":2,"turn":2,'],
    ["another member", '"turn":2,', '"turn":2,"until":2,'],
    ["members in another order", '"shard":7,"turn":2', '"turn":2,"shard":7'],
    ["another verdict", "ALLOW", "PASS"],
    ["another version", '"1.0"', '"1.1"'],
    ["a digest in words", D, STORED[0] ?? ""],
    ["a reference to nothing", D, "\u0001~"],
    ["a reference to a digest that comes later", D, "\u0001#"],
    ["something behind its end", 'verifiable"}', 'verifiable"}\n'],
    ["a mark within a word", '"spoken"', `"spoken${D}"`],
  ];
  test.each(OTHERS)("is not one with %s", (_, from, to) => {
    expect(readUsualCore(placed(TEXT))).not.toBeNull();
    const text = TEXT.replace(from, to);
    expect(text).not.toBe(TEXT);
    expect(readUsualCore(placed(text))).toBeNull();
  });

  test("has each of its stored digests once", () => {
    expect(readUsualCore(placed(TEXT, { stored: STORED.slice(1) }))).toBeNull();
    expect(readUsualCore(placed(TEXT, { stored: [...STORED, ...KNOWN] }))).toBeNull();
  });

  test("stands in a chain, and is of a year that four digits tell", () => {
    expect(readUsualCore(placed(TEXT, {}, { ...PLACE, chainId: "metachain" }))).toBeNull();
    expect(readUsualCore(placed(TEXT, { issuedAt: new Date(2 ** 48 - 1) }))).toBeNull();
    expect(
      readUsualCore(
        placed(TEXT.replace(D, '\u0001"'), { stored: STORED.slice(1) }, { ...PLACE, leftPath: [] }),
      ),
    ).toBeNull();
  });

  test("with any of its characters changed is either not one, or has its canonical form", () => {
    fc.assert(
      fc.property(fc.nat(TEXT.length - 1), fc.constantFrom(...'09 a"\\,:}\u0001\u0002é-'), (at, letter) => {
        const text = TEXT.slice(0, at) + letter + TEXT.slice(at + 1);
        try {
          expectSound(readUsualCore(placed(text)));
        } catch (error) {
          if (!isDisclosureError(error)) throw error;
        }
      }),
      { numRuns: 2_000, seed: 1 },
    );
  });
});
