// Signed notes, checkpoints and cosignatures: the example of the specification, what a witness signs, and what is refused.
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { concatBytes, utf8 } from "../../../../evidence/core/bytes.ts";
import {
  cosignatureMessage,
  formatCheckpoint,
  formatCosignature,
  parseCheckpoint,
  verifySignaturesBy,
} from "../../../../evidence/core/log/checkpoint.ts";
import {
  formatNote,
  formatNoteKey,
  MAX_NOTE_SIGNATURES,
  type NoteKey,
  noteKey,
  parseNote,
  parseNoteKey,
  SIGNATURE_TYPE,
} from "../../../../evidence/core/log/note.ts";
import { openCheckpoint } from "../../../../evidence/core/log/open-checkpoint.ts";
import { parsePolicy, policyOfLog } from "../../../../evidence/core/log/tlog-policy.ts";
import { hashBytes } from "../../../../evidence/core/merkle/hash.ts";

const ORIGIN = "receipts.example.com/v1/metachain";
const TREE = { origin: ORIGIN, size: 2 ** 31 + 5, root: hashBytes(utf8("root")) };
const TEXT = formatCheckpoint(TREE);
const SECONDS = 1_790_000_000;
/** The last one that Date holds. */
const LAST_SECOND = 8_640_000_000_000;

interface Signer {
  readonly key: NoteKey;
  readonly secret: KeyObject;
}

function signer(name: string, type: number): Signer {
  const { publicKey, privateKey: secret } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
  return { key: noteKey(name, type, new Uint8Array(raw)), secret };
}

/** The type that C2SP signed-note gives to timestamped signatures of RFC 6962, which no reader here knows. */
const UNKNOWN_TYPE = 0x05;
const LOG = signer(ORIGIN, SIGNATURE_TYPE.ed25519);
const WITNESSES = ["a", "b", "c"].map((name) =>
  signer(`witness.example/${name}`, SIGNATURE_TYPE.cosignature),
);

function signed({ key, secret }: Signer, text = TEXT, seconds = SECONDS) {
  const named = { keyName: key.name, keyId: key.id };
  if (key.type === SIGNATURE_TYPE.ed25519) {
    return { ...named, signature: new Uint8Array(sign(null, utf8(text), secret)) };
  }
  const own = new Uint8Array(sign(null, cosignatureMessage(seconds, text), secret));
  return { ...named, signature: formatCosignature(seconds, own) };
}

const noteBy = (...signers: readonly Signer[]): string =>
  formatNote({ text: TEXT, signatures: signers.map((one) => signed(one)) });

const policyText = (quorum: string): string =>
  [
    "# whom this reader believes",
    `log ${formatNoteKey(LOG.key)} https://receipts.example.com/v1/metachain`,
    ...WITNESSES.map(({ key }, i) => `witness w${i}\t${formatNoteKey(key)}`),
    "group two 2 w0 w1 w2",
    `quorum ${quorum}`,
    "",
  ].join("\n");

describe("notes", () => {
  test("the specification's example verifies under its key, and changed it does not", async () => {
    const key = parseNoteKey("example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k");
    const note =
      "This is an example message.\n\n\u2014 example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n";
    expect(await verifySignaturesBy(parseNote(note), key)).toEqual([null]);
    expect(formatNote(parseNote(note))).toBe(note);
    const changed = parseNote(note.replace("example message", "other message"));
    await expect(verifySignaturesBy(changed, key)).rejects.toMatchObject({ code: "proof_invalid" });
  });

  test("a signature of a type that this program does not know is no signature", async () => {
    const { key, secret } = signer("who.example", UNKNOWN_TYPE);
    const named = { keyName: key.name, keyId: key.id };
    const signature = new Uint8Array(sign(null, utf8(TEXT), secret));
    expect(await verifySignaturesBy({ text: TEXT, signatures: [{ ...named, signature }] }, key)).toEqual([]);
  });

  test("an Ed25519 key with which anybody can sign is none, of a log or of a witness", () => {
    const neutral = new Uint8Array(32).with(0, 1);
    for (const type of [SIGNATURE_TYPE.ed25519, SIGNATURE_TYPE.cosignature]) {
      const text = formatNoteKey(noteKey("a/b", type, neutral));
      expect(() => parseNoteKey(text)).toThrow("an Ed25519 key of small order is no key");
    }
  });

  test("a key's text form returns the key, whatever its base64 holds", () => {
    for (let i = 0; i < 200; i++) {
      const key = noteKey("a/b", SIGNATURE_TYPE.ed25519, hashBytes(utf8(String(i))));
      expect(parseNoteKey(formatNoteKey(key))).toEqual(key);
    }
  });

  test.each([
    ["no empty line", "text\n\u2014 a AAAAAAA=\n"],
    ["no signature", "text\n\n"],
    ["no last newline", "text\n\n\u2014 a AAAAAAA="],
    ["a carriage return", "text\r\n\n\u2014 a AAAAAAA=\n"],
    ["half a character", "\ud800\n\n\u2014 a AAAAAAA=\n"],
    ["a hyphen for the dash", "text\n\n- a AAAAAAA=\n"],
    ["a plus in the name", "text\n\n\u2014 a+b AAAAAAA=\n"],
    ["a key id alone", "text\n\n\u2014 a AAAAAA==\n"],
    ["another spelling of base64", "text\n\n\u2014 a AAAAAAB=\n"],
    ["too many signatures", `text\n\n${"\u2014 a AAAAAAA=\n".repeat(MAX_NOTE_SIGNATURES + 1)}`],
  ])("a note with %s is refused", (_, note) => {
    expect(() => parseNote(note)).toThrow(expect.objectContaining({ code: "malformed" }));
  });

  test.each(["a+00000000+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k", "a", "a+00+AQ==", "++"])(
    "the key %s is refused",
    (text) => {
      expect(() => parseNoteKey(text)).toThrow(expect.objectContaining({ code: "malformed" }));
    },
  );
});

describe("the text of a checkpoint", () => {
  test("returns the tree, of a size beyond 2^31 too, and skips further lines", () => {
    expect(parseCheckpoint(TEXT)).toEqual(TREE);
    expect(parseCheckpoint(`${TEXT}anything\n`)).toEqual(TREE);
  });

  test.each([
    ["no root", "a\n1\n"],
    ["a size with a zero before it", TEXT.replace("2147483653", "02147483653")],
    ["a size that no number holds", TEXT.replace("2147483653", "9007199254740993")],
    ["a short root", "a\n1\nAAAA\n"],
    ["an empty origin", TEXT.replace(ORIGIN, "")],
    ["an empty line", `${TEXT}\nmore\n`],
    ["no end of its last line", `${TEXT}more`],
    ["an origin alone", "a\n"],
    ["nothing in it", ""],
  ])("with %s it is refused", (_, text) => {
    expect(() => parseCheckpoint(text)).toThrow(expect.objectContaining({ code: "malformed" }));
  });
});

describe("a checkpoint under a policy", () => {
  test("tells the log, the witnesses with their times, and the quorum", async () => {
    const note = noteBy(LOG, WITNESSES[0] as Signer, WITNESSES[2] as Signer, signer("who.example", 0x04));
    const opened = await openCheckpoint(note, parsePolicy(policyText("two")));
    expect(opened).toEqual({
      checkpoint: TREE,
      log: LOG.key,
      cosignatures: [
        { witness: "w0", time: new Date(SECONDS * 1_000) },
        { witness: "w2", time: new Date(SECONDS * 1_000) },
      ],
      hasQuorum: true,
      quorumAt: new Date(SECONDS * 1_000),
      ahead: [],
      liars: 1,
    });
  });

  test.each([
    ["one of two", "two", 1, false],
    ["the one that is asked for", "w0", 1, true],
    ["another than is asked for", "w1", 1, false],
    ["none where none is asked for", "none", 0, true],
  ])("with %s", async (_, quorum, count, hasQuorum) => {
    const note = noteBy(LOG, ...WITNESSES.slice(0, count));
    expect(await openCheckpoint(note, parsePolicy(policyText(quorum)))).toMatchObject({ hasQuorum });
  });

  test("a signature of a witness counts once, with its newest time", async () => {
    const twice = [SECONDS, SECONDS + 60, SECONDS - 60].map((at) => signed(WITNESSES[0] as Signer, TEXT, at));
    const note = formatNote({ text: TEXT, signatures: [signed(LOG), ...twice] });
    const { cosignatures, hasQuorum } = await openCheckpoint(note, parsePolicy(policyText("two")));
    expect(cosignatures).toEqual([{ witness: "w0", time: new Date((SECONDS + 60) * 1_000) }]);
    expect(hasQuorum).toBe(false);
  });

  test("a quorum is as old as the oldest cosignature that it needs", async () => {
    const signatures = WITNESSES.map((witness, at) => signed(witness, TEXT, SECONDS - 60 * at));
    const note = formatNote({ text: TEXT, signatures: [signed(LOG), ...signatures] });
    const quorumAt = async (quorum: string) =>
      (await openCheckpoint(note, parsePolicy(policyText(quorum)))).quorumAt;
    expect(await quorumAt("two")).toEqual(new Date((SECONDS - 60) * 1_000));
    expect(await quorumAt("w2")).toEqual(new Date((SECONDS - 120) * 1_000));
    expect(await quorumAt("none")).toBeNull();
  });

  test("a cosignature of a later time than the latest that counts is left out", async () => {
    const note = noteBy(LOG, WITNESSES[0] as Signer);
    const openedAt = (seconds: number) =>
      openCheckpoint(note, parsePolicy(policyText("w0")), new Date(seconds * 1_000));
    expect(await openedAt(SECONDS)).toMatchObject({ hasQuorum: true, cosignatures: [{}] });
    expect(await openedAt(SECONDS - 1)).toMatchObject({
      hasQuorum: false,
      quorumAt: null,
      cosignatures: [],
      ahead: [{ witness: "w0", time: new Date(SECONDS * 1_000) }],
    });
  });

  test.each([
    ["without the log's signature", () => noteBy(...WITNESSES)],
    ["signed by another key of the log's name", () => noteBy(signer(ORIGIN, 0x01))],
    [
      "of another origin, signed by the log's key",
      () => {
        const text = TEXT.replace("receipts", "other");
        return formatNote({ text, signatures: [signed(LOG, text)] });
      },
    ],
    ["with a false signature of the log", () => noteBy(LOG).replace(TEXT, TEXT.replace("53\n", "54\n"))],
    [
      "with a false cosignature",
      () => {
        const [first] = [signed(WITNESSES[0] as Signer)];
        const signature = concatBytes(first.signature.subarray(0, 8), new Uint8Array(64));
        return formatNote({ text: TEXT, signatures: [signed(LOG), { ...first, signature }] });
      },
    ],
    [
      "with a cosignature whose time was changed",
      () => {
        const [first] = [signed(WITNESSES[0] as Signer)];
        const signature = first.signature.slice();
        signature[7] = (signature[7] ?? 0) ^ 1;
        return formatNote({ text: TEXT, signatures: [signed(LOG), { ...first, signature }] });
      },
    ],
    [
      "with a cosignature of a time that no clock shows",
      () => {
        const beyond = signed(WITNESSES[0] as Signer, TEXT, LAST_SECOND + 1);
        return formatNote({ text: TEXT, signatures: [signed(LOG), beyond] });
      },
    ],
    [
      "with a cosignature of no length",
      () =>
        formatNote({
          text: TEXT,
          signatures: [signed(LOG), { ...signed(WITNESSES[0] as Signer), signature: new Uint8Array(5) }],
        }),
    ],
  ])("%s it is refused", async (_, note) => {
    await expect(openCheckpoint(note(), parsePolicy(policyText("none")))).rejects.toMatchObject({
      code: "proof_invalid",
    });
  });

  describe("of two logs", () => {
    const other = signer("other.example", SIGNATURE_TYPE.ed25519);
    const policy = parsePolicy(`log ${formatNoteKey(other.key)}\n${policyText("none")}`);

    test("is by the one of its origin, whether or not the other signed it too", async () => {
      for (const note of [noteBy(LOG), noteBy(other, LOG)])
        expect(await openCheckpoint(note, policy)).toMatchObject({ log: LOG.key });
    });

    test.each([
      ["the other's line does not hold", [signed(LOG), signed(other, TEXT.replace("53\n", "54\n"))]],
      ["the other alone signed it", [signed(other)]],
    ])("is refused where %s", async (_, signatures) => {
      const opened = openCheckpoint(formatNote({ text: TEXT, signatures }), policy);
      await expect(opened).rejects.toMatchObject({ code: "proof_invalid" });
    });
  });

  test("a reader who knows the log's key alone asks for no witness", async () => {
    expect(await openCheckpoint(noteBy(LOG), policyOfLog(LOG.key))).toMatchObject({
      hasQuorum: true,
      log: LOG.key,
    });
  });
});
