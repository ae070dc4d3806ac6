import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isDisclosureError } from "../../../../evidence/core/errors.ts";
import {
  formatEventId,
  MAX_SEQUENCE,
  MAX_SHARD,
  parseEventId,
} from "../../../../evidence/core/formats/event-id.ts";

const CHAIN = "0123456789abcdef0123456789abcdef";
const OTHER_CHAIN = "0123456789abcdef0123456789abcdee";
const UUID_V8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const chainId = fc.stringMatching(/^[0-9a-f]{32}$/);
const place = fc.record({
  shard: fc.oneof(fc.constantFrom(0, MAX_SHARD), fc.integer({ min: 0, max: MAX_SHARD })),
  sequence: fc.oneof(
    fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, MAX_SEQUENCE),
    fc.integer({ min: 0, max: MAX_SEQUENCE }),
  ),
});

test("an event id gives back the shard and the sequence it was made of", () => {
  fc.assert(
    fc.property(chainId, place, (chain, where) => {
      expect(parseEventId(formatEventId(chain, where))).toEqual(where);
    }),
  );
});

test("an event id is a lower-case UUID of version 8 and the RFC's variant", () => {
  fc.assert(
    fc.property(chainId, place, (chain, where) => {
      expect(formatEventId(chain, where)).toMatch(UUID_V8);
    }),
  );
});

test("an event id is 62 bits of a hash over chain and sequence, 12 of shard, and 48 of sequence", () => {
  const sequence = 0x0123_4567_89ab;
  const check = createHash("sha256").update(`disclosure-receipt/1/event\n${CHAIN}\n${sequence}`).digest();
  const bits = BigInt(`0x${check.toString("hex", 0, 8)}`) >> 2n;
  const hex = (bits >> 2n).toString(16).padStart(15, "0");
  const variant = (0b1000n | (bits & 0b11n)).toString(16);
  expect(formatEventId(CHAIN, { shard: 0xcde, sequence })).toBe(
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(12)}-${variant}cde-0123456789ab`,
  );
});

test("ids of places that follow each other differ from their first digits on", () => {
  const ids = Array.from({ length: 50 }, (_, sequence) => formatEventId(CHAIN, { shard: 0, sequence }));
  expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBe(50);
});

test.each([
  [
    "chains",
    formatEventId(CHAIN, { shard: 0, sequence: 7 }),
    formatEventId(OTHER_CHAIN, { shard: 0, sequence: 7 }),
  ],
  [
    "places",
    formatEventId(CHAIN, { shard: 0, sequence: 7 }),
    formatEventId(CHAIN, { shard: 0, sequence: 8 }),
  ],
])("the check values of two %s differ", (_, one, other) => {
  expect(one.slice(0, 18)).not.toBe(other.slice(0, 18));
});

test("an id with any digit changed is not the id of the place that it now names", () => {
  const id = formatEventId(CHAIN, { shard: 5, sequence: 1_000_000 });
  const digits = fc.nat(id.length - 1).filter((at) => id[at] !== "-");
  fc.assert(
    fc.property(digits, fc.constantFrom(..."0123456789abcdef"), (at, digit) => {
      const changed = id.slice(0, at) + digit + id.slice(at + 1);
      const named = parseEventId(changed);
      // The shard is the tenant's to look up: under another shard the chain, and so the check value, is another.
      if (changed === id || named?.shard !== 5) return;
      expect(formatEventId(CHAIN, named)).not.toBe(changed);
    }),
  );
});

const good = formatEventId(CHAIN, { shard: 1, sequence: 2 });

test.each([
  ["nothing", ""],
  ["upper case", good.toUpperCase()],
  ["another version", good.replace(/-8([0-9a-f]{3}-)/, "-4$1")],
  ["another variant", good.replace(/-[89ab]([0-9a-f]{3}-[0-9a-f]{12})$/, "-c$1")],
  ["no hyphens", good.replaceAll("-", "")],
  ["braces", `{${good}}`],
  ["a URN", `urn:uuid:${good}`],
  ["a line end", `${good}\n`],
  ["a space before it", ` ${good}`],
  ["a digit too few", good.slice(0, -1)],
  ["a digit too many", `${good}0`],
  ["a letter beyond f", `g${good.slice(1)}`],
])("an id with %s is none of ours", (_, id) => {
  expect(parseEventId(good)).not.toBeNull();
  expect(parseEventId(id)).toBeNull();
});

test.each([
  { shard: MAX_SHARD + 1, sequence: 0 },
  { shard: -1, sequence: 0 },
  { shard: 0.5, sequence: 0 },
  { shard: 0, sequence: MAX_SEQUENCE + 1 },
  { shard: 0, sequence: -1 },
  { shard: 0, sequence: Number.NaN },
])("no id is made for a place that it has no room for: %j", (where) => {
  expect(() => formatEventId(CHAIN, where)).toThrow(
    expect.toSatisfy((error) => isDisclosureError(error, "malformed")),
  );
});
