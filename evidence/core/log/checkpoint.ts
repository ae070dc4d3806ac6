// A log's checkpoint as C2SP tlog-checkpoint and tlog-cosignature have it: its text, the log's signature, and those of
// witnesses, each with its time.
import { SECOND_MS } from "../../../contract/time.ts";
import { concatBytes, formatBase64, parseBase64, utf8 } from "../bytes.ts";
import { DisclosureError } from "../errors.ts";
import { HASH_BYTES } from "../merkle/hash.ts";
import { verifyEd25519 } from "./ed25519.ts";
import { type NoteKey, SIGNATURE_TYPE, type SignedNote, signaturesBy } from "./note.ts";

/** A tree of a log, as the log names it. */
export interface Checkpoint {
  /** The log's name, which never changes: a host and a path, without scheme. */
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
}

const DECIMAL = /^(?:0|[1-9][0-9]*)$/;
const TIME_BYTES = 8;

/** The text that is signed: origin, size and root, a line each. */
export const formatCheckpoint = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${formatBase64(root)}\n`;

/** Reads the text of a checkpoint, and skips the lines after the first three; nothing is verified. Throws `malformed`. */
export function parseCheckpoint(text: string): Checkpoint {
  const lines = text.slice(0, -1).split("\n");
  const [origin = "", decimal = "", base64 = ""] = lines;
  const size = Number(decimal);
  const root = parseBase64(base64);
  const isWhole = text.endsWith("\n") && lines.every((line) => line !== "");
  const isTree = DECIMAL.test(decimal) && Number.isSafeInteger(size) && root.length === HASH_BYTES;
  if (isWhole && isTree) return { origin, size, root };
  throw new DisclosureError("malformed", "a checkpoint does not name an origin, a size and a root");
}

/** The message that a witness signs (type 0x04): the time in seconds, and the whole text. */
export const cosignatureMessage = (seconds: number, text: string): Uint8Array =>
  utf8(`cosignature/v1\ntime ${seconds}\n${text}`);

/** The signature of a cosignature line: the time, a big-endian uint64, and the Ed25519 signature. */
export function formatCosignature(seconds: number, signature: Uint8Array): Uint8Array {
  const time = new DataView(new ArrayBuffer(TIME_BYTES));
  time.setBigUint64(0, BigInt(seconds));
  return concatBytes(new Uint8Array(time.buffer), signature);
}

/**
 * The time of each signature by this key that the note holds, or null for one without a time; empty where there is none,
 * or none of a type that this program can verify. Throws `proof_invalid` where one of them does not hold: a note with a
 * false signature under a known key is refused as a whole.
 */
export async function verifySignaturesBy(note: SignedNote, key: NoteKey): Promise<readonly (Date | null)[]> {
  const verify = VERIFY.get(key.type);
  if (verify === undefined) return [];
  return Promise.all(
    signaturesBy(note, key).map(async ({ signature }) => {
      const time = await verify(key, note.text, signature);
      if (time !== undefined) return time;
      throw new DisclosureError("proof_invalid", `the signature by ${key.name} does not hold`, {
        key: key.name,
      });
    }),
  );
}

/** The time that was signed, null where none is; undefined for a signature that does not hold. */
type Verify = (key: NoteKey, text: string, signature: Uint8Array) => Promise<Date | null | undefined>;

const VERIFY: ReadonlyMap<number, Verify> = new Map<number, Verify>([
  [SIGNATURE_TYPE.ed25519, verifyNoteSignature],
  [SIGNATURE_TYPE.cosignature, verifyCosignature],
]);

async function verifyNoteSignature({ publicKey }: NoteKey, text: string, signature: Uint8Array) {
  return (await verifyEd25519(publicKey, utf8(text), signature)) ? null : undefined;
}

async function verifyCosignature({ publicKey }: NoteKey, text: string, signature: Uint8Array) {
  if (signature.length <= TIME_BYTES) return undefined;
  const { buffer, byteOffset } = signature;
  const seconds = Number(new DataView(buffer, byteOffset, TIME_BYTES).getBigUint64(0));
  const time = new Date(seconds * SECOND_MS);
  // A time beyond those of Date is beyond every clock.
  if (Number.isNaN(time.getTime())) return undefined;
  const holds = await verifyEd25519(
    publicKey,
    cosignatureMessage(seconds, text),
    signature.subarray(TIME_BYTES),
  );
  return holds ? time : undefined;
}
