// A log's and its witnesses' keys, made from fixed seeds, and the notes that they sign: independent of core.
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";

/** The DER of a PKCS #8 Ed25519 key (RFC 8410) up to its seed. */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");
const LOG_TYPE = 1;
const WITNESS_TYPE = 4;
const MS = 1_000;

export interface NoteSigner {
  readonly name: string;
  /** The key in its text form. */
  readonly vkey: string;
  readonly secret: KeyObject;
  readonly id: Buffer;
}

const signerOf = (name: string, type: number, seed: string): NoteSigner => {
  const raw = createHash("sha256").update(`a key of these tests: ${seed}`).digest();
  const secret = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, raw]),
    format: "der",
    type: "pkcs8",
  });
  const key = createPublicKey(secret).export({ format: "der", type: "spki" }).subarray(-32);
  return { secret, ...keyOf(name, type, key) };
};

/** A name with its key, whatever the bytes of the key stand for. */
function keyOf(name: string, type: number, key: Uint8Array): Omit<NoteSigner, "secret"> {
  const material = Buffer.concat([Buffer.of(type), key]);
  const id = createHash("sha256").update(`${name}\n`).update(material).digest().subarray(0, 4);
  return { name, id, vkey: `${name}+${id.toString("hex")}+${material.toString("base64")}` };
}

export const logKey = (origin: string, key: Uint8Array) => keyOf(origin, LOG_TYPE, key);
export const witnessKey = (name: string, key: Uint8Array) => keyOf(name, WITNESS_TYPE, key);

/** The key of a log; another `seed` is another key under the same name. */
export const logSigner = (origin: string, seed = origin): NoteSigner => signerOf(origin, LOG_TYPE, seed);

export const witnessSigner = (name: string, seed = name): NoteSigner => signerOf(name, WITNESS_TYPE, seed);

/** The three lines of a checkpoint; `root` is `0x` and hex. */
export const checkpointText = (origin: string, size: number, root: string): string =>
  `${origin}\n${size}\n${Buffer.from(root.slice(2), "hex").toString("base64")}\n`;

export const lineOf = ({ name, id }: Pick<NoteSigner, "name" | "id">, signature: Uint8Array): string =>
  `\u2014 ${name} ${Buffer.concat([id, signature]).toString("base64")}\n`;

export const logLine = (log: NoteSigner, text: string): string =>
  lineOf(log, sign(null, Buffer.from(text), log.secret));

/** `time` is RFC 3339. */
export function witnessLine(witness: NoteSigner, text: string, time: string): string {
  const seconds = Date.parse(time) / MS;
  const stamp = Buffer.alloc(8);
  stamp.writeBigUInt64BE(BigInt(seconds));
  const message = `cosignature/v1\ntime ${seconds}\n${text}`;
  return lineOf(witness, Buffer.concat([stamp, sign(null, Buffer.from(message), witness.secret)]));
}

export const noteOf = (text: string, ...lines: readonly string[]): string => `${text}\n${lines.join("")}`;

/** The checkpoint of a tree as the log publishes it, cosigned by these witnesses at this time. */
export function signedCheckpoint(
  log: NoteSigner,
  tree: { readonly size: number; readonly root: string },
  witnesses: readonly NoteSigner[] = [],
  time = "2026-11-22T10:00:00Z",
): string {
  const text = checkpointText(log.name, tree.size, tree.root);
  return noteOf(text, logLine(log, text), ...witnesses.map((witness) => witnessLine(witness, text, time)));
}

/** A policy of one log, whose witnesses are called w0, w1 …; `quorum` is how many of them must have cosigned. */
export const policyText = (
  log: Pick<NoteSigner, "vkey">,
  witnesses: readonly Pick<NoteSigner, "vkey">[] = [],
  quorum = witnesses.length,
): string =>
  [
    `log ${log.vkey}`,
    ...witnesses.map(({ vkey }, i) => `witness w${i} ${vkey}`),
    ...(quorum === 0 ? [] : [`group all ${quorum} ${witnesses.map((_, i) => `w${i}`).join(" ")}`]),
    `quorum ${quorum === 0 ? "none" : "all"}`,
    "",
  ].join("\n");
