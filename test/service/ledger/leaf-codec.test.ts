// The short forms of a leaf's core and key id: the very core comes back, in fewer bytes, and nothing else is taken for it.
import { createHash, randomUUID } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalize } from "../../../evidence/core/canonical-json.ts";
import { formatEventId } from "../../../evidence/core/formats/event-id.ts";
import { hashOutput, type ReceiptCore, receiptCoreSchema } from "../../../evidence/core/formats/receipt.ts";
import {
  decodeCore,
  decodeKeyId,
  encodeCore,
  encodeKeyId,
  type LeafPlace,
} from "../../../service/ledger/leaf-codec.ts";
import { DICTIONARIES } from "../../../service/ledger/leaf-dictionary.ts";

const CORRUPT = expect.objectContaining({ code: "ledger_corrupt" });
const CHAIN_ID = "c".repeat(32);

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });
const digest = hash.map((bytes) => `sha256:${Buffer.from(bytes).toString("hex")}`);
const index = fc.oneof(fc.nat(20), fc.nat(2 ** 31 - 1));
const instant = fc
  .date({ min: new Date(0), max: new Date("9999-12-31T23:59:59.999Z"), noInvalidDate: true })
  .map((date) => date.toISOString());
const words = fc.oneof(fc.string({ maxLength: 40 }), digest, fc.constant("sha256:\u0001\u0002"));

const place: fc.Arbitrary<LeafPlace> = fc.record({
  chainId: fc.constantFrom(CHAIN_ID, "0123456789abcdef0123456789abcdef"),
  leafIndex: index,
  leftPath: fc.array(hash, { maxLength: 4 }),
});

/** Any core that the format allows; nothing in it need fit the place, or anything else of it. */
const anyCore: fc.Arbitrary<ReceiptCore> = fc.record({
  event_id: fc.uuid(),
  chain_id: fc.constantFrom(CHAIN_ID, "f".repeat(32)),
  sequence: index,
  turn: fc.integer({ min: 1, max: 2 ** 31 }),
  verdict: fc.constantFrom("ALLOW", "MODIFY", "BLOCK"),
  input_hash: digest,
  output_hash: digest,
  previous_hash: digest,
  previous_turn_hash: fc.option(digest),
  issued_at: instant,
  recorded_after: fc.option(fc.record({ seal_index: index, seal_hash: digest })),
  disclosure: fc.record(
    {
      article_50_clause: fc.constant("1"),
      disclosed_at: instant,
      disclosure_method: words,
      jurisdiction: words,
      modality: fc.constantFrom("voice", "chat", "walkthrough"),
      subject_hash: digest,
    },
    { requiredKeys: ["article_50_clause", "disclosure_method", "jurisdiction", "modality", "subject_hash"] },
  ),
  policy: fc.record({
    jurisdiction: words,
    version: words,
    digest,
    wording_id: fc.option(words),
    findings: fc.array(words, { maxLength: 120 }),
  }),
  receipt_format_version: fc.constant("1.0"),
  verifiability: fc.constant("verifiable"),
});

/** The core with the members that the service computes, as every core of ours. */
function fitting(core: ReceiptCore, { chainId, leafIndex, leftPath: [lowest] }: LeafPlace): ReceiptCore {
  const event_id = formatEventId(chainId, { shard: 7, sequence: leafIndex });
  const previous_hash =
    lowest === undefined ? core.previous_hash : `sha256:${Buffer.from(lowest).toString("hex")}`;
  const fits = { ...core, chain_id: chainId, sequence: leafIndex, event_id, previous_hash };
  return { ...fits, output_hash: hashOutput(fits) };
}

const SAMPLE_PLACE: LeafPlace = { chainId: CHAIN_ID, leafIndex: 5, leftPath: [new Uint8Array(32).fill(3)] };
const SAMPLE = fitting(
  {
    event_id: randomUUID(),
    chain_id: CHAIN_ID,
    sequence: 5,
    turn: 2,
    verdict: "ALLOW",
    input_hash: `sha256:${"1".repeat(64)}`,
    output_hash: `sha256:${"2".repeat(64)}`,
    previous_hash: `sha256:${"3".repeat(64)}`,
    previous_turn_hash: `sha256:${"4".repeat(64)}`,
    issued_at: "2026-11-22T10:00:00.123Z",
    recorded_after: { seal_index: 7, seal_hash: `sha256:${"5".repeat(64)}` },
    disclosure: {
      article_50_clause: "1",
      disclosure_method: "spoken_introduction",
      jurisdiction: "DE",
      modality: "voice",
      subject_hash: `sha256:${"6".repeat(64)}`,
      disclosed_at: "2026-11-22T09:59:58Z",
    },
    policy: {
      jurisdiction: "DE",
      version: "2026-11-22.1",
      digest: `sha256:${"7".repeat(64)}`,
      wording_id: null,
      findings: ["wording_unknown"],
    },
    receipt_format_version: "1.0",
    verifiability: "verifiable",
  },
  SAMPLE_PLACE,
);

/** A stored core with another text behind its header and digests. */
function withText(stored: Uint8Array, text: string): Uint8Array {
  const end = 8 + 32 * (stored[7] ?? 0);
  const dictionary = Buffer.concat([DICTIONARIES[1]?.text ?? Buffer.of(), Buffer.from(SAMPLE.issued_at)]);
  return Buffer.concat([stored.subarray(0, end), deflateRawSync(text, { dictionary })]);
}

describe("a receipt core", () => {
  test("comes back in its very bytes, whatever it says and wherever it stands", () => {
    fc.assert(
      fc.property(anyCore, place, fc.boolean(), (core, at, fits) => {
        const stored = fits ? fitting(core, at) : core;
        const read = decodeCore(encodeCore(stored, at), at);
        expect(canonicalize(read.core)).toBe(canonicalize(stored));
        expect(read.text).toBe(canonicalize(stored));
      }),
      { numRuns: 300 },
    );
  });

  test("is read from no other bytes: one that was changed, taken away or added shows, at the latest by the leaf hash", () => {
    const stored = encodeCore(SAMPLE, SAMPLE_PLACE);
    const tries: Uint8Array[] = [Buffer.concat([stored, Buffer.of(0)]), new Uint8Array(), Buffer.of(1)];
    for (let at = 0; at < stored.length; at++) {
      tries.push(stored.subarray(0, at));
      for (const bit of [1, 8, 128]) tries.push(stored.map((byte, i) => (i === at ? byte ^ bit : byte)));
    }
    const whole = canonicalize(SAMPLE);
    const ours = tries.filter((bytes) => {
      try {
        return canonicalize(decodeCore(bytes, SAMPLE_PLACE).core) === whole;
      } catch (error) {
        expect(error).toEqual(CORRUPT);
        return false;
      }
    });
    // Deflate does not look at the bits behind its end.
    expect(ours.length).toBeLessThanOrEqual(3);
  });

  test.each([
    ["of another place", { ...SAMPLE_PLACE, leafIndex: 6 }],
    ["of another chain", { ...SAMPLE_PLACE, chainId: "d".repeat(32) }],
    ["after another leaf", { ...SAMPLE_PLACE, leftPath: [new Uint8Array(32)] }],
  ])("that is read as one %s is another one, which its leaf hash shows", (_, at) => {
    const read = decodeCore(encodeCore(SAMPLE, SAMPLE_PLACE), at);
    expect(canonicalize(read.core)).not.toBe(canonicalize(SAMPLE));
  });

  test.each([
    ["no JSON", "no JSON"],
    ["JSON of another spelling", ` ${canonicalize(SAMPLE)}`],
    ["two members of one name", '{"turn":1,"turn":2}'],
    ["a core without a verdict", canonicalize({ ...SAMPLE, verdict: undefined })],
    ["a shard beyond all", canonicalize({ ...SAMPLE, shard: 4_096 })],
    ["a mark of a digest that there is not", canonicalize(SAMPLE).replace("voice", "\u0001~")],
    ["a mark at its end", `${canonicalize(SAMPLE)}\u0001`],
    ["more marks than digests", canonicalize(SAMPLE).replace("voice", "\u0002".repeat(9))],
    ["digests without a mark", canonicalize(SAMPLE)],
    ["more than any core", canonicalize({ ...SAMPLE, verdict: "A".repeat(20_000) })],
  ])("is not read from %s", (_, text) => {
    const stored = encodeCore(SAMPLE, SAMPLE_PLACE);
    expect(() => decodeCore(withText(stored, text), SAMPLE_PLACE)).toThrow(CORRUPT);
  });

  test("of an unknown version is not guessed", () => {
    const [, ...rest] = encodeCore(SAMPLE, SAMPLE_PLACE);
    expect(() => decodeCore(Uint8Array.of(2, ...rest), SAMPLE_PLACE)).toThrow(CORRUPT);
  });

  test("that is too long to be read again is not written", () => {
    const findings = Array.from({ length: 2_000 }, (_, i) => `finding_number_${i}`);
    const long = receiptCoreSchema.parse({ ...SAMPLE, policy: { ...SAMPLE.policy, findings } });
    expect(() => encodeCore(long, SAMPLE_PLACE)).toThrow(expect.objectContaining({ code: "malformed" }));
  });
});

test("version 1 of the dictionary is what all leaves so far were written with", () => {
  const { text, digests } = DICTIONARIES[1] ?? expect.unreachable();
  const sha256 = createHash("sha256").update(text).update(digests.join()).digest("hex");
  expect(sha256).toBe("27660e837237fc4b48b6674048c721f6af9ea8476fe6328d67238593cea1a75e");
});

describe("a key id", () => {
  const ISSUED_AT = "2026-11-22T10:00:00.000Z";
  const DAY = "/2026-11-22";
  const UUID = "0f0e0d0c-1234-4abc-8def-0123456789ab";
  const MRK = `mrk-${"0123456789abcdef".repeat(2)}`;

  test.each([
    [UUID + DAY, 17],
    [MRK + DAY, 17],
    [UUID, 17],
    [MRK, 17],
    [`alias/mac${DAY}`, 10],
    [`${UUID}/2026-11-21`, 48],
    [UUID.toUpperCase(), 37],
    [`${MRK}0`, 38],
    ["local", 6],
    ["Schlüssel", 11],
  ])("%s takes %i bytes and comes back", (keyId, length) => {
    const stored = encodeKeyId(keyId, ISSUED_AT);
    expect([stored.length, decodeKeyId(stored, ISSUED_AT)]).toEqual([length, keyId]);
  });

  test.each([
    ["nothing", Buffer.of()],
    ["an empty id", Buffer.of(0)],
    ["an unknown form", Buffer.from([3, ...Buffer.alloc(16)])],
    ["a UUID that is too short", Buffer.from([1, ...Buffer.alloc(15)])],
    ["a UUID that is too long", Buffer.from([1, ...Buffer.alloc(17)])],
    ["a multi-Region key's id that is too short", Buffer.from([0x12, ...Buffer.alloc(15)])],
    ["a UUID as text", Buffer.concat([Buffer.of(0), Buffer.from(UUID)])],
    ["a day as text", Buffer.concat([Buffer.of(0), Buffer.from(`key${DAY}`)])],
    ["no UTF-8", Buffer.of(0, 0xff)],
  ])("is not read from %s", (_, stored) => {
    expect(() => decodeKeyId(stored, ISSUED_AT)).toThrow(CORRUPT);
  });
});
