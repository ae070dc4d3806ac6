// The .tlog-proof of C2SP: its form, byte by byte, what a reader verifies, and what is refused.
import { describe, expect, test } from "vitest";
import { concatBytes, formatBase64, utf8 } from "../../../../evidence/core/bytes.ts";
import { formatNote, parseNote, parseSignatureLine } from "../../../../evidence/core/log/note.ts";
import { policyOfLog } from "../../../../evidence/core/log/tlog-policy.ts";
import {
  formatTlogProof,
  MAX_PROOF_CHARACTERS,
  MAX_PROOF_LINE,
  parseTlogProof,
  type TlogProof,
} from "../../../../evidence/core/log/tlog-proof.ts";
import { isTokenLine, MAX_TOKEN_LINE_BYTES, tokenLine } from "../../../../evidence/core/log/token-line.ts";
import { hashBytes } from "../../../../evidence/core/merkle/hash.ts";
import { newLog, newWitness, signCheckpoint } from "../../../support/log-signer.ts";
import { logLine, logSigner } from "../../../support/note-signers.ts";
import { leafHash, PATH, treeOf } from "../../../support/rfc9162.ts";
import { verifyTlogProof } from "../../../support/tlog-proof.ts";

const LOG = newLog("receipts.example.com/v1/metachain");
const WITNESS = newWitness("witness.example/one");
const POLICY = policyOfLog(LOG.key);
const SIZE = 11;
const LEAVES = Array.from({ length: SIZE }, (_, i) => leafHash(utf8(`entry ${i}`)));
const leafAt = (i: number): Uint8Array => LEAVES[i] ?? expect.unreachable("no such leaf");
const MTH = treeOf(leafAt);

const checkpointOf = (size: number): string => signCheckpoint(LOG, { size, root: MTH(0, size) });
const proofOf = (index: number, size = SIZE): TlogProof => ({
  extra: utf8("extra"),
  index,
  path: PATH(index, 0, size, MTH),
  checkpoint: checkpointOf(size),
});

describe("the file", () => {
  test("is header, extra, index, path and checkpoint, a line each", () => {
    const [a, b, c, d] = proofOf(3).path.map(formatBase64);
    expect(formatTlogProof(proofOf(3))).toBe(
      `c2sp.org/tlog-proof@v1\nextra ZXh0cmE=\nindex 3\n${a}\n${b}\n${c}\n${d}\n\n${checkpointOf(SIZE)}`,
    );
  });

  test("has no extra line where nothing is to be said", () => {
    const text = formatTlogProof({ ...proofOf(0, 1), extra: null });
    expect(text).toBe(`c2sp.org/tlog-proof@v1\nindex 0\n\n${checkpointOf(1)}`);
    expect(parseTlogProof(text).extra).toBeNull();
  });

  test("is read as it was written", () => {
    expect(parseTlogProof(formatTlogProof(proofOf(3)))).toEqual(proofOf(3));
  });

  test("names an index beyond 2^31", () => {
    const proof = { ...proofOf(3), index: 2 ** 40 + 1 };
    expect(parseTlogProof(formatTlogProof(proof)).index).toBe(2 ** 40 + 1);
  });

  const text = formatTlogProof(proofOf(3));
  const node = formatBase64(leafAt(0));
  test.each<[string, string, string]>([
    ["no header", text.replace(/^.*\n/, ""), "does not begin with its header"],
    ["another version", text.replace("@v1", "@v2"), "does not begin with its header"],
    ["carriage returns", text.replaceAll("\n", "\r\n"), "holds no checkpoint"],
    ["an empty extra", text.replace("ZXh0cmE=", ""), "extra line"],
    ["two extras", text.replace(/^extra.*\n/m, "$&$&"), "index of its entry"],
    ["an extra after the index", text.replace(/^(extra.*\n)(index.*\n)/m, "$2$1"), "expected padded base64"],
    ["no index", text.replace(/^index.*\n/m, ""), "index of its entry"],
    ["a padded index", text.replace("index 3", "index 03"), "index of its entry"],
    ["a negative index", text.replace("index 3", "index -3"), "index of its entry"],
    ["an index beyond the integers", text.replace("index 3", `index ${2 ** 53}`), "index of its entry"],
    ["a short node", text.replace("\n\n", "\nAAAA\n\n"), "32 bytes"],
    ["64 nodes", text.replace("\n\n", `\n${`${node}\n`.repeat(60)}\n`), "path of a proof is too long"],
    ["no checkpoint", text.slice(0, text.indexOf("\n\n") + 2), "no signature lines"],
    ["no signature", text.slice(0, text.indexOf("\u2014")), "a line that is no signature"],
    ["a line of 64 KiB", text.replace("ZXh0cmE=", "AAAA".repeat(16_384)), "line of a proof is too long"],
    ["more than a note may have", text + "\u2014".repeat(MAX_PROOF_CHARACTERS), "a proof is too long"],
  ])("with %s is refused", (_, damaged, message) => {
    expect(damaged).not.toBe(text);
    expect(() => parseTlogProof(damaged)).toThrow(message);
  });

  test("is not written where a reader would refuse it", () => {
    const extra = new Uint8Array(MAX_PROOF_LINE);
    expect(() => formatTlogProof({ ...proofOf(3), extra })).toThrow("line of a proof is too long");
  });
});

describe("a reader", () => {
  test("finds every record in every tree that the log signed", async () => {
    for (let size = 1; size <= SIZE; size++) {
      for (let i = 0; i < size; i++) {
        const { checkpoint, log } = await verifyTlogProof(proofOf(i, size), leafAt(i), POLICY);
        expect([checkpoint.size, log.name]).toEqual([size, LOG.key.name]);
      }
    }
  });

  test.each<[string, TlogProof, number]>([
    ["another record", proofOf(3), 2],
    ["another index", { ...proofOf(3), index: 2 }, 3],
    ["an index beyond the tree", { ...proofOf(3), index: SIZE }, 3],
    ["another tree's checkpoint", { ...proofOf(3), checkpoint: checkpointOf(10) }, 3],
    ["a path without its last node", { ...proofOf(3), path: proofOf(3).path.slice(0, -1) }, 3],
  ])("refuses %s", async (_, proof, at) => {
    const verified = verifyTlogProof(proof, leafAt(at), POLICY);
    await expect(verified).rejects.toMatchObject({ code: "proof_invalid" });
  });

  test("refuses a log that its policy does not name", async () => {
    const other = policyOfLog(newLog(LOG.key.name).key);
    await expect(verifyTlogProof(proofOf(3), leafAt(3), other)).rejects.toThrow(
      "no log of the policy signed",
    );
  });

  test("is told by whom the checkpoint was cosigned", async () => {
    const checkpoint = signCheckpoint(LOG, { size: SIZE, root: MTH(0, SIZE) }, [[WITNESS, 1_790_000_000]]);
    const policy = { ...POLICY, witnesses: [{ name: "w", key: WITNESS.key, url: null }], quorum: "w" };
    const opened = await verifyTlogProof({ ...proofOf(3), checkpoint }, leafAt(3), policy);
    expect(opened).toMatchObject({ hasQuorum: true, cosignatures: [{ witness: "w" }] });
    expect(await verifyTlogProof(proofOf(3), leafAt(3), policy)).toMatchObject({ hasQuorum: false });
  });

  test("a flipped bit is refused, or changes nothing that is verified", async () => {
    const whole = formatTlogProof(proofOf(3));
    const bytes = utf8(whole);
    const lines = whole.split("\n");
    const accepted = new Set<string>();
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      const flipped = bytes.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
      const text = new TextDecoder().decode(flipped);
      if (!(await isAccepted(text))) continue;
      accepted.add(lines.find((line, i) => line !== text.split("\n")[i])?.slice(0, 5) ?? "");
    }
    // A reader hashes `extra`. The record is hashed from elsewhere here.
    expect(accepted).toEqual(new Set(["extra"]));
  });

  async function isAccepted(text: string): Promise<boolean> {
    try {
      await verifyTlogProof(parseTlogProof(text), leafAt(3), POLICY);
      return true;
    } catch {
      return false;
    }
  }
});

describe("a token's line", () => {
  const KEY_HASH = hashBytes(utf8("a key"));
  const token = Uint8Array.of(0x30, 0x82, 0x01, 0x00, ...new Uint8Array(256));

  test("is a signature line under an id that the authority's key makes", () => {
    const type = [0xff, ...utf8("disclosure-receipts/rfc3161-root/v1")];
    const id = hashBytes(Uint8Array.from([...utf8("tsa.example\n"), ...type, ...KEY_HASH])).subarray(0, 4);
    expect(tokenLine("tsa.example", KEY_HASH, token)).toEqual({
      keyName: "tsa.example",
      keyId: id,
      signature: token,
    });
  });

  test("is known by its DER, and no signature of the log or a witness is taken for one", () => {
    const note = parseNote(signCheckpoint(LOG, { size: 1, root: leafAt(0) }, [[WITNESS, 1_790_000_000]]));
    expect(note.signatures.filter(isTokenLine)).toEqual([]);
    const line = tokenLine("tsa.example", KEY_HASH, token) ?? expect.unreachable("no line");
    expect(isTokenLine(line)).toBe(true);
  });

  test("is not an Ed25519 signature that begins as a token does, as one of 65,536 does", () => {
    const line = parseSignatureLine(logLine(logSigner("begins.example"), "text 33483\n").trimEnd());
    expect([...line.signature.subarray(0, 2)]).toEqual([0x30, 0x82]);
    expect(isTokenLine(line)).toBe(false);
  });

  test.each<[string, Uint8Array]>([
    ["another tag", token.with(0, 0x31)],
    ["a byte too many", concatBytes(token, Uint8Array.of(0))],
    ["a byte too few", token.subarray(0, -1)],
    ["a length of one octet", Uint8Array.of(0x30, 0x81, 0x80, 0, ...new Uint8Array(127))],
    ["a length that is not in DER", Uint8Array.of(0x30, 0x82, 0, 0x3c, ...new Uint8Array(0x3c))],
    ["no length", Uint8Array.of(0x30)],
  ])("is not one with %s", (_, signature) => {
    expect(isTokenLine({ keyName: "tsa.example", keyId: KEY_HASH.subarray(0, 4), signature })).toBe(false);
  });

  test("leaves the checkpoint as it is for a reader who does not know it", async () => {
    const { text, signatures } = parseNote(checkpointOf(SIZE));
    const line = tokenLine("tsa.example", KEY_HASH, token) ?? expect.unreachable("no line");
    const proof = { ...proofOf(3), checkpoint: formatNote({ text, signatures: [...signatures, line] }) };
    const read = parseTlogProof(formatTlogProof(proof));
    expect(await verifyTlogProof(read, leafAt(3), POLICY)).toMatchObject({ checkpoint: { size: SIZE } });
  });

  test("is not made of a token that is too long, or for a name that is no host", () => {
    const largest = new Uint8Array(MAX_TOKEN_LINE_BYTES).fill(0x30, 0, 1).fill(0x82, 1, 2);
    const line = tokenLine("tsa.example", KEY_HASH, largest);
    expect(formatBase64(line?.signature ?? new Uint8Array()).length).toBeLessThan(MAX_PROOF_LINE);
    expect(tokenLine("tsa.example", KEY_HASH, new Uint8Array(MAX_TOKEN_LINE_BYTES + 1))).toBeNull();
    expect(tokenLine("tsa example", KEY_HASH, token)).toBeNull();
    expect(tokenLine("", KEY_HASH, token)).toBeNull();
  });
});
