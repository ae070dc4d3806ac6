// A log and witnesses that sign as the real ones do, with keys of the moment.
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { utf8 } from "../../evidence/core/bytes.ts";
import {
  type Checkpoint,
  cosignatureMessage,
  formatCheckpoint,
  formatCosignature,
} from "../../evidence/core/log/checkpoint.ts";
import {
  coseProtectedHeader,
  coseSignatureInput,
  formatSignedRoot,
} from "../../evidence/core/log/cose-receipt.ts";
import {
  formatNote,
  type NoteKey,
  type NoteSignature,
  noteKey,
  SIGNATURE_TYPE,
} from "../../evidence/core/log/note.ts";

const RAW_KEY_BYTES = 32;

export interface LogSigner {
  readonly key: NoteKey;
  readonly secret: KeyObject;
}

export const newLog = (origin: string): LogSigner => newSigner(origin, SIGNATURE_TYPE.ed25519);
export const newWitness = (name: string): LogSigner => newSigner(name, SIGNATURE_TYPE.cosignature);

/** The checkpoint of a tree as the log of this key publishes it. */
export function signCheckpoint(
  log: LogSigner,
  tree: Omit<Checkpoint, "origin">,
  cosigned: readonly (readonly [LogSigner, seconds: number])[] = [],
): string {
  const text = formatCheckpoint({ origin: log.key.name, ...tree });
  const own = { ...named(log), signature: signBytes(log, utf8(text)) };
  const others = cosigned.map(([witness, seconds]) => cosign(witness, seconds, text));
  return formatNote({ text, signatures: [own, ...others] });
}

/** The signed root of a tree as the log of this key publishes it. */
export function signRoot(log: LogSigner, root: Uint8Array): Uint8Array {
  const header = coseProtectedHeader(log.key);
  return formatSignedRoot(header, signBytes(log, coseSignatureInput(header, root)));
}

export const signBytes = ({ secret }: LogSigner, bytes: Uint8Array): Uint8Array =>
  new Uint8Array(sign(null, bytes, secret));

/** What the witness answers to such a text, at this time. */
export function cosign(witness: LogSigner, seconds: number, text: string): NoteSignature {
  const signature = formatCosignature(seconds, signBytes(witness, cosignatureMessage(seconds, text)));
  return { ...named(witness), signature };
}

const named = ({ key }: LogSigner) => ({ keyName: key.name, keyId: key.id });

function newSigner(name: string, type: number): LogSigner {
  const { publicKey, privateKey: secret } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-RAW_KEY_BYTES);
  return { key: noteKey(name, type, new Uint8Array(raw)), secret };
}
