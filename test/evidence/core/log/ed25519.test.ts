// Ed25519 by WebCrypto: the RFC's signatures, what is none, and a program that does not know the algorithm.
import { afterEach, describe, expect, test, vi } from "vitest";
import { parseHex, utf8 } from "../../../../evidence/core/bytes.ts";
import { isEd25519Known, isOfSmallOrder, verifyEd25519 } from "../../../../evidence/core/log/ed25519.ts";

// RFC 8032 section 7.1, tests 1 to 3: public key, message, signature.
const VECTORS = [
  [
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    "",
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
  ],
  [
    "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
    "72",
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
  ],
  [
    "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
    "af82",
    "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
  ],
] as const;
const [key, message, signature] = VECTORS[2].map(parseHex) as [Uint8Array, Uint8Array, Uint8Array];

afterEach(() => vi.restoreAllMocks());

describe("a signature", () => {
  test.each(VECTORS)("of the RFC holds under the key %s", async (...vector) => {
    const [publicKey, signed, signature] = vector.map(parseHex) as [Uint8Array, Uint8Array, Uint8Array];
    expect(await verifyEd25519(publicKey, signed, signature)).toBe(true);
  });

  test.each([
    ["of another message", utf8("another"), signature],
    ["that was changed", message, signature.with(40, 0)],
    ["that is cut", message, signature.subarray(0, 63)],
    ["that is longer", message, Uint8Array.of(...signature, 0)],
    ["of no bytes", message, new Uint8Array()],
  ])("%s does not hold", async (_, signed, other) => {
    expect(await verifyEd25519(key, signed, other)).toBe(false);
  });

  const [r, s] = [signature.subarray(0, 32), signature.subarray(32)];
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const littleEndian = (number: bigint): Uint8Array =>
    parseHex(number.toString(16).padStart(64, "0")).toReversed();
  const withS = (number: bigint): Uint8Array => Uint8Array.of(...r, ...littleEndian(number));
  const asNumber = BigInt(`0x${Buffer.from(s.toReversed()).toString("hex")}`);
  const notReduced = new Uint8Array(32).fill(0xff).with(31, 0x7f);

  test.each([
    ["S and the group's order", key, withS(asNumber + order)],
    ["the group's order for S", key, withS(order)],
    ["R of small order", key, Uint8Array.of(...new Uint8Array(32), ...s)],
    ["R that is not reduced", key, Uint8Array.of(...notReduced, ...s)],
    ["a key of small order", new Uint8Array(32), signature],
    ["a key that is not reduced", notReduced, signature],
  ])("with %s does not hold, and no runtime is asked", async (_, publicKey, other) => {
    const verify = vi.spyOn(crypto.subtle, "verify").mockResolvedValue(true);
    expect(await verifyEd25519(publicKey, message, other)).toBe(false);
    expect(verify).not.toHaveBeenCalled();
  });

  test("with the largest S goes to the runtime", async () => {
    const verify = vi.spyOn(crypto.subtle, "verify").mockResolvedValue(true);
    expect(await verifyEd25519(key, message, withS(order - 1n))).toBe(true);
    expect(verify).toHaveBeenCalledOnce();
  });

  test.each([31, 33])("is not looked at under a key of %i bytes", async (length) => {
    await expect(verifyEd25519(new Uint8Array(length), message, signature)).rejects.toMatchObject({
      code: "malformed",
      message: "an Ed25519 key has 32 bytes",
    });
  });
});

describe("a key", () => {
  test.each([
    ["of order 1", "0100000000000000000000000000000000000000000000000000000000000000"],
    ["of order 4", "0000000000000000000000000000000000000000000000000000000000000000"],
    ["of order 2", "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"],
    ["of order 8", "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"],
    ["of order 8", "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"],
    ["of order 4, not reduced", "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"],
    ["of order 1, not reduced", "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"],
  ])("%s lets anybody sign: %s", (_, hex) => {
    const bytes = parseHex(hex);
    // The last bit is the sign of x.
    for (const sign of [0, 0x80]) expect(isOfSmallOrder(bytes.with(31, (bytes[31] ?? 0) | sign))).toBe(true);
  });

  test("of large order is one", () => {
    for (const [hex] of VECTORS) expect(isOfSmallOrder(parseHex(hex))).toBe(false);
    for (const y of [2, 3, 5, 18]) expect(isOfSmallOrder(new Uint8Array(32).with(0, y))).toBe(false);
  });
});

describe("a program", () => {
  test("that knows Ed25519 says so", async () => {
    expect(await isEd25519Known()).toBe(true);
  });

  test("that does not know it says so, and keeps WebCrypto's reason where a signature is verified", async () => {
    const cause = new DOMException("Unrecognized name.", "NotSupportedError");
    vi.spyOn(crypto.subtle, "importKey").mockRejectedValue(cause);
    expect(await isEd25519Known()).toBe(false);
    await expect(verifyEd25519(key, message, signature)).rejects.toMatchObject({ code: "malformed", cause });
  });
});
