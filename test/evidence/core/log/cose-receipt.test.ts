// COSE receipts of inclusion: the bytes that RFC 9942 asks for, what a reader verifies, and what is refused.
import { describe, expect, test } from "vitest";
import { formatHex, utf8 } from "../../../../evidence/core/bytes.ts";
import { type CborMap, CborTag, type CborValue, formatCbor } from "../../../../evidence/core/log/cbor.ts";
import {
  type CoseReceipt,
  coseProtectedHeader,
  coseSignatureInput,
  formatCoseReceipt,
  formatSignedRoot,
  isCose,
  MAX_COSE_BYTES,
  parseCoseReceipt,
  parseSignedRoot,
  readCoseOrigin,
  verifyCoseReceipt,
  verifySignedRoot,
} from "../../../../evidence/core/log/cose-receipt.ts";
import { noteKey, SIGNATURE_TYPE } from "../../../../evidence/core/log/note.ts";
import { hashBytes } from "../../../../evidence/core/merkle/hash.ts";
import { newLog, signBytes, signRoot } from "../../../support/log-signer.ts";
import { leafHash, PATH, treeOf } from "../../../support/rfc9162.ts";

const ORIGIN = "receipts.example.com/v1/metachain";
const LOG = newLog(ORIGIN);
const HEADER = coseProtectedHeader(LOG.key);
const ENTRIES = Array.from({ length: 11 }, (_, i) => utf8(`entry ${i}`.padEnd(64)));
const MTH = treeOf((i) => leafHash(ENTRIES[i] ?? expect.unreachable("no such entry")));
const entryAt = (i: number): Uint8Array => ENTRIES[i] ?? expect.unreachable("no such entry");

function receiptFor(leafIndex: number, treeSize: number): CoseReceipt {
  const signedRoot = parseSignedRoot(signRoot(LOG, MTH(0, treeSize)));
  return { signedRoot, proof: { treeSize, leafIndex, path: PATH(leafIndex, 0, treeSize, MTH) } };
}

describe("the bytes", () => {
  test("the protected header names algorithm, key, issuer, subject and tree, in this order", () => {
    const key = noteKey(ORIGIN, SIGNATURE_TYPE.ed25519, new Uint8Array(32).fill(7));
    const iss = formatHex(utf8(`https://${ORIGIN}`));
    const sub = formatHex(utf8("disclosure-receipts/metachain"));
    expect(formatHex(coseProtectedHeader(key))).toBe(
      `a401270458 20${formatHex(hashBytes(key.publicKey))}0fa2017829${iss}02781d${sub}19018b01`.replace(
        " ",
        "",
      ),
    );
  });

  test("the message that is signed is the Sig_structure of RFC 9052 over the root", () => {
    const input = formatHex(coseSignatureInput(Uint8Array.of(0xa0), MTH(0, 3)));
    expect(input).toBe(`846a${formatHex(utf8("Signature1"))}41a0405820${formatHex(MTH(0, 3))}`);
  });

  test("a receipt is a tagged COSE_Sign1 without a payload, and nothing is lost in it", () => {
    const receipt = receiptFor(4, 11);
    const bytes = formatCoseReceipt(receipt);
    expect(formatHex(bytes.subarray(0, 2))).toBe("d284");
    expect(parseCoseReceipt(bytes)).toEqual(receipt);
  });

  test("a receipt and a signed root are known by their first two bytes", () => {
    expect(isCose(formatCoseReceipt(receiptFor(4, 11)))).toBe(true);
    expect(isCose(signRoot(LOG, MTH(0, 11)))).toBe(true);
  });

  test.each([
    ["a JSON object", utf8('{"size":1}')],
    ["nothing", new Uint8Array()],
    ["a tag alone", Uint8Array.of(0xd2)],
    ["an array of three under that tag", Uint8Array.of(0xd2, 0x83)],
    ["an array of four under another tag", Uint8Array.of(0xd1, 0x84)],
  ])("%s is not taken for one", (_, bytes) => {
    expect(isCose(bytes)).toBe(false);
  });

  test("a tree beyond 2^31 has a receipt", () => {
    const path = Array.from({ length: 33 }, (_, i) => hashBytes(Uint8Array.of(i)));
    const proof = { treeSize: 2 ** 33, leafIndex: 2 ** 32 + 5, path };
    const { signedRoot } = receiptFor(0, 2);
    expect(parseCoseReceipt(formatCoseReceipt({ signedRoot, proof })).proof).toEqual(proof);
  });

  test("a tree of one entry has none", () => {
    expect(() => formatCoseReceipt(receiptFor(0, 1))).toThrow("a tree of one entry has no COSE receipt");
  });
});

describe("a reader", () => {
  test("finds every entry of every tree under the root that the log signed", async () => {
    for (let size = 2; size <= ENTRIES.length; size++) {
      for (let i = 0; i < size; i++) {
        const receipt = parseCoseReceipt(formatCoseReceipt(receiptFor(i, size)));
        expect(await verifyCoseReceipt(receipt, entryAt(i), LOG.key)).toEqual(MTH(0, size));
      }
    }
  });

  test("verifies the signed root of a tree of one entry", async () => {
    const signedRoot = parseSignedRoot(signRoot(LOG, MTH(0, 1)));
    await verifySignedRoot(signedRoot, MTH(0, 1), LOG.key);
    await expect(verifySignedRoot(signedRoot, MTH(0, 2), LOG.key)).rejects.toThrow("does not hold");
  });

  test("learns the origin from the header", () => {
    expect(readCoseOrigin(HEADER)).toBe(ORIGIN);
  });

  test.each<[string, CoseReceipt, number, string]>([
    ["another entry", receiptFor(3, 11), 2, "does not hold"],
    ["a path that is too short", withProof(3, { path: [] }), 3, "too short"],
    ["an index beyond the tree", withProof(3, { leafIndex: 11 }), 3, "outside the tree"],
    ["another index", withProof(3, { leafIndex: 2 }), 3, "does not hold"],
    [
      "another tree's signature",
      { ...receiptFor(3, 11), signedRoot: receiptFor(3, 10).signedRoot },
      3,
      "hold",
    ],
  ])("refuses %s", async (_, receipt, entry, message) => {
    await expect(verifyCoseReceipt(receipt, entryAt(entry), LOG.key)).rejects.toMatchObject({
      code: "proof_invalid",
      message: expect.stringContaining(message),
    });
  });

  test.each([
    ["of another name", { ...newLog(`other.${ORIGIN}`).key, publicKey: LOG.key.publicKey }],
    ["with another key", newLog(ORIGIN).key],
  ])("refuses the receipt of a log %s", async (_, key) => {
    await expect(verifyCoseReceipt(receiptFor(3, 11), entryAt(3), key)).rejects.toMatchObject({
      code: "proof_invalid",
      message: "the COSE header is not that of the log's key",
    });
  });

  test("refuses an algorithm or a kind of tree that is not its own, though the log signed the header", async () => {
    const [alg, vds] = [headerWith(1, -7), headerWith(395, 2)];
    for (const header of [alg, vds]) {
      const signature = signBytes(LOG, coseSignatureInput(header, MTH(0, 11)));
      const receipt = { ...receiptFor(3, 11), signedRoot: { header, signature } };
      await expect(verifyCoseReceipt(receipt, entryAt(3), LOG.key)).rejects.toThrow(
        "not that of the log's key",
      );
    }
  });
});

function withProof(leafIndex: number, changes: Partial<CoseReceipt["proof"]>): CoseReceipt {
  const receipt = receiptFor(leafIndex, 11);
  return { ...receipt, proof: { ...receipt.proof, ...changes } };
}

function headerWith(parameter: number, value: number): Uint8Array {
  const hex = formatHex(HEADER);
  const changed = parameter === 1 ? hex.replace(/^a40127/, "a40126") : hex.replace(/01$/, `0${value}`);
  expect(changed).not.toBe(hex);
  return Uint8Array.from(Buffer.from(changed, "hex"));
}

describe("damage", () => {
  /** No signature covers the size: it says no more than the turns of the path do. */
  const isSizeAlone = ({ signedRoot, proof }: CoseReceipt, whole: CoseReceipt): boolean =>
    proof.treeSize !== whole.proof.treeSize &&
    formatHex(formatCoseReceipt({ signedRoot, proof: { ...proof, treeSize: whole.proof.treeSize } })) ===
      formatHex(formatCoseReceipt(whole));

  test("a flipped bit is refused, or names another size of a tree with the same turns", async () => {
    const whole = receiptFor(3, 11);
    const bytes = formatCoseReceipt(whole);
    let harmless = 0;
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      const flipped = bytes.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
      const receipt = await accepted(flipped);
      if (receipt === null) continue;
      expect(isSizeAlone(receipt, whole), `bit ${bit}`).toBe(true);
      harmless++;
    }
    // 11 leaves turn as 9, 10 and 15 do for leaf 3.
    expect(harmless).toBe(3);
  });

  async function accepted(bytes: Uint8Array): Promise<CoseReceipt | null> {
    try {
      const receipt = parseCoseReceipt(bytes);
      await verifyCoseReceipt(receipt, entryAt(3), LOG.key);
      return receipt;
    } catch {
      return null;
    }
  }

  test("a file that is cut off anywhere is refused", () => {
    const bytes = formatCoseReceipt(receiptFor(3, 11));
    for (let end = 0; end < bytes.length; end++) {
      expect(() => parseCoseReceipt(bytes.subarray(0, end))).toThrow("CBOR");
    }
  });

  const { header, signature } = receiptFor(3, 11).signedRoot;
  const path = [MTH(0, 1)];
  const place = "tree size, leaf index and path";
  const proofs = (...each: CborValue[]): CborMap => new Map([[396, new Map([[-1, each]])]]);
  const sign1 = (unprotected: CborMap, payload: CborValue = null): Uint8Array =>
    formatCbor(new CborTag(18, [header, unprotected, payload, signature]));
  const signedBy = (own: CborValue, signs: CborValue): Uint8Array =>
    formatCbor(new CborTag(18, [own, proofs(proof), null, signs]));
  const proof = formatCbor([2, 0, path]);

  test.each<[string, Uint8Array, string]>([
    ["no tag", formatCbor([header, proofs(proof), null, signature]), "no COSE_Sign1"],
    ["another tag", formatCbor(new CborTag(98, [header, proofs(proof), null, signature])), "no COSE_Sign1"],
    ["five members", formatCbor(new CborTag(18, [header, proofs(proof), null, signature, 0])), "COSE_Sign1"],
    ["a payload of its own", sign1(proofs(proof), MTH(0, 11)), "detached payload"],
    ["a header that is a text", signedBy("header", signature), "detached payload"],
    ["a signature that is a text", signedBy(header, "s".repeat(64)), "detached payload"],
    ["a short signature", signedBy(header, signature.subarray(1)), "detached payload"],
    ["a proof that is a number", sign1(proofs(formatCbor(2))), place],
    ["a text for the size", sign1(proofs(formatCbor(["2", 0, path]))), place],
    ["a text for the index", sign1(proofs(formatCbor([2, "0", path]))), place],
    ["no proof", sign1(new Map()), "one proof of inclusion"],
    ["two proofs", sign1(proofs(proof, proof)), "one proof of inclusion"],
    ["a proof that is not wrapped", sign1(proofs([2, 0, path])), "one proof of inclusion"],
    ["a proof of consistency", sign1(new Map([[396, new Map([[-2, [proof]]])]])), "one proof of inclusion"],
    ["a further parameter", sign1(new Map([...proofs(proof), [99, 1]])), "one proof of inclusion"],
    ["a proof without a path", sign1(proofs(formatCbor([2, 0]))), place],
    ["an empty path", sign1(proofs(formatCbor([1, 0, []]))), place],
    ["a short node", sign1(proofs(formatCbor([2, 0, [new Uint8Array(31)]]))), place],
    [
      "a short node above a whole one",
      sign1(proofs(formatCbor([3, 0, [...path, path[0]?.subarray(1) ?? null]]))),
      place,
    ],
    ["a longer proof", sign1(proofs(formatCbor([2, 0, path, 0]))), place],
    ["too many bytes", new Uint8Array(MAX_COSE_BYTES + 1), "too long"],
  ])("a receipt with %s is no receipt", (_, bytes, message) => {
    expect(() => parseCoseReceipt(bytes)).toThrow(
      expect.objectContaining({ code: "malformed", message: expect.stringContaining(message) }),
    );
  });

  test("a receipt with a negative index is refused", async () => {
    const receipt = parseCoseReceipt(sign1(proofs(formatCbor([2, -1, path]))));
    await expect(verifyCoseReceipt(receipt, entryAt(3), LOG.key)).rejects.toThrow("outside the tree");
  });

  test("a message of the most bytes is read", () => {
    const rest = formatSignedRoot(new Uint8Array(MAX_COSE_BYTES / 2), signature).length - MAX_COSE_BYTES / 2;
    const bytes = formatSignedRoot(new Uint8Array(MAX_COSE_BYTES - rest), signature);
    expect(bytes).toHaveLength(MAX_COSE_BYTES);
    expect(parseSignedRoot(bytes).signature).toEqual(signature);
  });

  test("a signed root with anything in its unprotected header is refused", () => {
    expect(() => parseSignedRoot(formatCoseReceipt(receiptFor(3, 11)))).toThrow("unprotected header");
    expect(parseSignedRoot(formatSignedRoot(header, signature))).toEqual({ header, signature });
  });

  test.each([formatCbor(null), formatCbor(new Map()), formatCbor(new Map([[15, new Map([[1, "x"]])]]))])(
    "a header without an issuer is refused (%#)",
    (bytes) => {
      expect(() => readCoseOrigin(bytes)).toThrow("names no issuer");
    },
  );
});
