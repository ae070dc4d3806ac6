import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatHex, utf8 } from "../../../../evidence/core/bytes.ts";
import { isDisclosureError } from "../../../../evidence/core/errors.ts";
import {
  formatDigest,
  formatNode,
  HASH_BYTES,
  hashBytes,
  hashLeaf,
  hashNode,
  parseDigest,
  parseNode,
} from "../../../../evidence/core/merkle/hash.ts";

const malformed = expect.toSatisfy((error) => isDisclosureError(error, "malformed"));
const sha256 = (...parts: Uint8Array[]) =>
  new Uint8Array(createHash("sha256").update(Buffer.concat(parts)).digest());
const bytes = fc.uint8Array({ maxLength: 200 });
const hash = fc.uint8Array({ minLength: HASH_BYTES, maxLength: HASH_BYTES });

// FIPS 180-4, the examples that NIST publishes beside it.
test.each([
  ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  [
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  ],
])("SHA-256 of %j is NIST's", (text, expected) => {
  expect(formatHex(hashBytes(utf8(text)))).toBe(expected);
});

test("the hash of bytes, of a leaf and of a node are SHA-256 under no prefix, 0x00 and 0x01", () => {
  fc.assert(
    fc.property(bytes, hash, hash, (entry, left, right) => {
      expect(hashBytes(entry)).toEqual(sha256(entry));
      expect(hashLeaf(entry)).toEqual(sha256(Uint8Array.of(0), entry));
      expect(hashNode(left, right)).toEqual(sha256(Uint8Array.of(1), left, right));
    }),
  );
});

test("nobody's hash depends on the hash before it, not even where that one failed half-way", () => {
  const notBytes = ["text"] as unknown as Uint8Array;
  fc.assert(
    fc.property(bytes, bytes, (before, entry) => {
      hashBytes(before);
      expect(() => hashLeaf(notBytes)).toThrow();
      expect(hashBytes(entry)).toEqual(sha256(entry));
    }),
  );
});

test("a hash that was given stays as it is when others are made", () => {
  const [first, copy] = [hashBytes(utf8("first")), hashBytes(utf8("first"))];
  hashNode(first, hashLeaf(utf8("second")));
  expect(first).toEqual(copy);
});

test.each([
  ["shorter", 31],
  ["longer", 33],
])("a child that is %s than a hash is refused: its bytes would become its sibling's", (_, length) => {
  const [child, other] = [new Uint8Array(length), hashBytes(utf8("other"))];
  expect(() => hashNode(child, other)).toThrow(malformed);
  expect(() => hashNode(other, child)).toThrow(malformed);
});

test("a node can't be passed off as a leaf: the leaf over its two children has another hash", () => {
  const [left, right] = [hashLeaf(utf8("left")), hashLeaf(utf8("right"))];
  expect(hashLeaf(Buffer.concat([left, right]))).not.toEqual(hashNode(left, right));
});

test("a hash has two text forms, and each is read back as the same hash", () => {
  fc.assert(
    fc.property(hash, (some) => {
      const hex = Buffer.from(some).toString("hex");
      expect(formatDigest(some)).toBe(`sha256:${hex}`);
      expect(formatNode(some)).toBe(`0x${hex}`);
      expect(parseDigest(`sha256:${hex}`)).toEqual(some);
      expect(parseNode(`0x${hex}`)).toEqual(some);
    }),
  );
});

const hex = "0123456789abcdef".repeat(4);

test.each([
  ["the other form", `0x${hex}`, `sha256:${hex}`],
  ["no prefix", hex, hex],
  ["the prefix in upper case", `SHA256:${hex}`, `0X${hex}`],
  ["upper-case digits", `sha256:${hex.toUpperCase()}`, `0x${hex.toUpperCase()}`],
  ["one digit too few", `sha256:${hex.slice(1)}`, `0x${hex.slice(1)}`],
  ["one digit too many", `sha256:${hex}0`, `0x${hex}0`],
  ["a byte too few", `sha256:${hex.slice(2)}`, `0x${hex.slice(2)}`],
  ["a space before it", ` sha256:${hex.slice(1)}`, ` 0x${hex.slice(1)}`],
  ["a line end for a digit", `sha256:${hex.slice(1)}\n`, `0x${hex.slice(1)}\n`],
  ["a letter beyond f", `sha256:${hex.slice(1)}g`, `0x${hex.slice(1)}g`],
  ["nothing after it", "sha256:", "0x"],
])("a digest and a node with %s are refused", (_, digest, node) => {
  expect(() => parseDigest(digest)).toThrow(malformed);
  expect(() => parseNode(node)).toThrow(malformed);
});
