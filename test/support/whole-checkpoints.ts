// The oracle's view of the signed checkpoints: what C2SP's signed-note and tlog-checkpoint and RFC 9942 say of each, put
// together and verified past the service's own code.
import assert from "node:assert/strict";
import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import { type Item, text } from "./items.ts";
import type { Mth } from "./rfc9162.ts";

const SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex");
const SUBJECT = "disclosure-receipts/metachain";

export interface CheckpointsSource {
  readonly mth: Mth;
  /** The sizes of the published seals' trees, in order. */
  readonly sizes: readonly number[];
  /** The item of the log's identity, and that of the progress; empty where there is none. */
  readonly identity: Item;
  readonly progress: Item;
  readonly readBytes: (path: string) => Promise<Buffer | null>;
}

/** Every checkpoint that is published holds, and the newest is that of a seal. Returns the sizes that are signed. */
export async function checkCheckpoints(source: CheckpointsSource): Promise<number[]> {
  const { sizes, progress, readBytes, mth } = source;
  const newest = await readBytes("v1/metachain/checkpoint");
  const signed: number[] = [];
  for (const [index, size] of sizes.entries()) {
    const note = await readBytes(`v1/metachain/checkpoints/${index}`);
    if (note === null) continue;
    const log = logOf(source.identity);
    checkNote(note.toString(), log, size, mth(0, size));
    checkSignedRoot(await readBytes(`v1/metachain/signed-roots/${index}`), log, mth(0, size));
    signed.push(size);
  }
  const last = signed.at(-1) ?? 0;
  if (newest === null) assert.equal(last, 0, "there is no public checkpoint");
  else checkNote(newest.toString(), logOf(source.identity), last, mth(0, last));
  assert.equal(Number(progress.size?.N ?? 0), last, "the progress of the checkpoints");
  return signed;
}

interface Log {
  readonly origin: string;
  readonly raw: Buffer;
  readonly key: KeyObject;
}

function logOf(identity: Item): Log {
  const [origin, vkey] = [text(identity, "origin"), text(identity, "vkey")];
  const material = Buffer.from(vkey.slice(origin.length + "+01234567+".length), "base64");
  const [type, raw] = [material[0], material.subarray(1)];
  assert.equal(type, 1, "the type of the log's key");
  assert.equal(vkey.slice(0, origin.length + 10), `${origin}+${keyId(origin, material).toString("hex")}+`);
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, raw]), format: "der", type: "spki" });
  return { origin, raw, key };
}

const keyId = (name: string, material: Buffer): Buffer =>
  createHash("sha256").update(`${name}\n`).update(material).digest().subarray(0, 4);

function checkNote(note: string, { origin, raw, key }: Log, size: number, root: Uint8Array): void {
  const signed = `${origin}\n${size}\n${Buffer.from(root).toString("base64")}\n`;
  const [, base64 = ""] = note.split(`${signed}\n\u2014 ${origin} `);
  const [line = ""] = base64.split("\n");
  const bytes = Buffer.from(line, "base64");
  assert.deepEqual(
    bytes.subarray(0, 4),
    keyId(origin, Buffer.concat([Buffer.of(1), raw])),
    `note of ${size}`,
  );
  assert(verify(null, Buffer.from(signed), key, bytes.subarray(4)), `the signature over ${size}`);
}

/** The whole message but its signature, byte by byte. */
function checkSignedRoot(message: Buffer | null, { origin, raw, key }: Log, root: Uint8Array): void {
  const header = Buffer.concat([
    Buffer.from("a40127045820", "hex"),
    createHash("sha256").update(raw).digest(),
    Buffer.from("0fa201", "hex"),
    cborText(`https://${origin}`),
    Buffer.of(2),
    cborText(SUBJECT),
    Buffer.from("19018b01", "hex"),
  ]);
  const before = Buffer.concat([
    Buffer.from("d284", "hex"),
    cborBytes(header),
    Buffer.from("a0f65840", "hex"),
  ]);
  assert(message !== null, "a signed root is missing");
  assert.deepEqual(message.subarray(0, before.length), before, "a signed root");
  const signed = [Buffer.from("846a", "hex"), Buffer.from("Signature1"), cborBytes(header), Buffer.of(0x40)];
  const input = Buffer.concat([...signed, cborBytes(Buffer.from(root))]);
  assert(verify(null, input, key, message.subarray(before.length)), "the signature of a signed root");
}

/** Texts and bytes of 24 to 255 bytes alone. */
const cborText = (value: string): Buffer =>
  Buffer.concat([Buffer.of(0x78, value.length), Buffer.from(value)]);
const cborBytes = (value: Buffer): Buffer => Buffer.concat([Buffer.of(0x58, value.length), value]);
