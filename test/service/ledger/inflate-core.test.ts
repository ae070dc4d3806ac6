// The short inflation of cores against zlib: what it gives is what zlib gives, and whatever zlib refuses it leaves to zlib.
import { constants, deflateRawSync, type InflateRaw, inflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CoreInflater, MAX_TEXT_BYTES } from "../../../service/ledger/inflate-core.ts";
import { DICTIONARIES } from "../../../service/ledger/leaf-dictionary.ts";

const DICTIONARY = Buffer.from(DICTIONARIES[1]?.text ?? "");
const SUFFIX = "2026-11-22T10:00:00.123Z";
const dictionary = Buffer.concat([DICTIONARY, Buffer.from(SUFFIX)]);
const inflater = new CoreInflater(DICTIONARY);

const deflate = (text: string, strategy: number = constants.Z_FIXED): Buffer =>
  deflateRawSync(text, { level: 9, windowBits: 12, dictionary, strategy });

/** The text of all of the bytes, or null where zlib refuses them, or some are left. */
function byZlib(bytes: Uint8Array): string | null {
  const options = { windowBits: 12, dictionary, maxOutputLength: MAX_TEXT_BYTES, info: true };
  try {
    const read = inflateRawSync(bytes, options) as unknown as { buffer: Buffer; engine: InflateRaw };
    return read.engine.bytesWritten === bytes.length ? read.buffer.toString("latin1") : null;
  } catch {
    return null;
  }
}

const ascii = fc.string({ unit: "binary-ascii", maxLength: 300 });
/** Texts with parts of the dictionary, which are copied, and with repeats, which are copied from themselves. */
const text = fc
  .array(
    fc.oneof(
      ascii,
      fc.nat(dictionary.length).map((at) => dictionary.toString("latin1", at, at + 100)),
      fc.tuple(ascii, fc.nat(9)).map(([part, times]) => part.repeat(times)),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join("").slice(0, MAX_TEXT_BYTES));

describe("the text of a core", () => {
  test("comes back from one block of fixed codes, whatever it repeats", () => {
    fc.assert(
      fc.property(text, (written) => {
        expect(inflater.text(deflate(written), SUFFIX)).toBe(written);
      }),
      { numRuns: 300 },
    );
  });

  test("comes back at its greatest length, and no longer one does", () => {
    const most = "ab".repeat(MAX_TEXT_BYTES / 2);
    expect(inflater.text(deflate(most.slice(1)), SUFFIX)).toBe(most.slice(1));
    expect(inflater.text(deflate(`${most}c`), SUFFIX)).toBeNull();
  });

  test.each([
    ["dynamic codes", deflate("abcdefgh".repeat(40), constants.Z_HUFFMAN_ONLY)],
    ["no compression", deflateRawSync("some text", { level: 0 })],
    ["letters beyond ASCII", deflate("é")],
    ["no bytes", Buffer.alloc(0)],
    ["a byte behind the end", Buffer.concat([deflate("some text"), Buffer.of(0)])],
    ["no end", deflate("some text").subarray(0, -1)],
  ])("is left to zlib where it has %s", (_, bytes) => {
    expect(inflater.text(bytes, SUFFIX)).toBeNull();
  });

  test("is that of zlib from any other bytes too, or none", () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((tail) => Buffer.from([(tail[0] ?? 0) | 3, ...tail.slice(1)])),
      fc.tuple(text, fc.nat(), fc.nat(7)).map(([written, at, bit]) => {
        const changed = deflate(written);
        const index = at % changed.length;
        changed[index] = (changed[index] ?? 0) ^ (1 << bit);
        return changed;
      }),
    );
    let read = 0;
    fc.assert(
      fc.property(bytes, (damaged) => {
        const found = inflater.text(damaged, SUFFIX);
        if (found === null) return;
        read++;
        expect(found).toBe(byZlib(damaged));
      }),
      { numRuns: 3_000, seed: 1 },
    );
    expect(read).toBeGreaterThan(100);
  });
});
