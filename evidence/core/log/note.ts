// Signed notes as C2SP signed-note has them: a text, an empty line, and signature lines; and the keys that verify them.
import { concatBytes, equalBytes, formatBase64, formatHex, parseBase64, parseHex, utf8 } from "../bytes.ts";
import { DisclosureError } from "../errors.ts";
import { hashBytes } from "../merkle/hash.ts";
import { ED25519_KEY_BYTES, isOfSmallOrder } from "./ed25519.ts";

/** The first octet of a key's material: what its signatures are. */
export const SIGNATURE_TYPE = {
  /** Ed25519 over the note's text. */
  ed25519: 0x01,
  /** An Ed25519 cosignature of a checkpoint, with its time (C2SP tlog-cosignature). */
  cosignature: 0x04,
} as const;

const ED25519_TYPES: ReadonlySet<number> = new Set(Object.values(SIGNATURE_TYPE));
const KEY_ID_BYTES = 4;
/** A checkpoint with its signatures has one or two kilobytes; one that carries tokens for a reader, hundreds. */
export const MAX_NOTE_CHARACTERS = 1_000_000;
/** The specification asks readers to take 16 at least. */
export const MAX_NOTE_SIGNATURES = 64;

const SEPARATOR = "\n\n";
const SIGNATURE_LINE = /^\u2014 ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/u;
/** Names stand between spaces in signature lines, and before a plus in keys. */
const KEY_NAME = /^[^\s+\p{Cc}]+$/u;
/** Half of a surrogate pair alone, which UTF-8 can't express. */
const LONE_SURROGATE = /\p{Cs}/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a note must not hold these.
const CONTROL_CHARACTER = /[\u0000-\u0009\u000b-\u001f]/;

/** One signature line: who signed, as the line says, and the signature as it follows the key's id. */
export interface NoteSignature {
  readonly keyName: string;
  readonly keyId: Uint8Array;
  readonly signature: Uint8Array;
}

export interface SignedNote {
  /** Ends with a newline. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** A key as a reader knows it, beforehand and from elsewhere. */
export interface NoteKey {
  readonly name: string;
  readonly id: Uint8Array;
  /** One of `SIGNATURE_TYPE`, or of a type that this program can't verify. */
  readonly type: number;
  readonly publicKey: Uint8Array;
}

/** Reads a note, of which nothing is verified yet. Throws `malformed`. */
export function parseNote(note: string): SignedNote {
  if (note.length > MAX_NOTE_CHARACTERS) throw malformed("a signed note is too long");
  if (CONTROL_CHARACTER.test(note) || LONE_SURROGATE.test(note)) {
    throw malformed("a signed note holds a control character, or is not UTF-8");
  }
  const end = note.lastIndexOf(SEPARATOR);
  if (end < 0 || !note.endsWith("\n")) throw malformed("a signed note has no signature lines");
  const lines = note.slice(end + SEPARATOR.length, -1).split("\n");
  if (lines.length > MAX_NOTE_SIGNATURES) throw malformed("a signed note has too many signatures");
  return { text: note.slice(0, end + 1), signatures: lines.map(parseSignatureLine) };
}

export const formatNote = ({ text, signatures }: SignedNote): string =>
  `${text}\n${signatures.map(formatSignatureLine).join("")}`;

/** Reads one line without its newline. Throws `malformed`. */
export function parseSignatureLine(line: string): NoteSignature {
  const [, keyName, base64 = ""] = SIGNATURE_LINE.exec(line) ?? [];
  if (keyName === undefined) throw malformed("a signed note holds a line that is no signature");
  const bytes = parseBase64(base64);
  if (bytes.length <= KEY_ID_BYTES) throw malformed("a signature line holds no signature");
  return { keyName, keyId: bytes.subarray(0, KEY_ID_BYTES), signature: bytes.subarray(KEY_ID_BYTES) };
}

export const formatSignatureLine = ({ keyName, keyId, signature }: NoteSignature): string =>
  `\u2014 ${keyName} ${formatBase64(concatBytes(keyId, signature))}\n`;

/** The key of this name. Throws `malformed` for a name that no signature line can hold. */
export function noteKey(name: string, type: number, publicKey: Uint8Array): NoteKey {
  if (!KEY_NAME.test(name)) throw malformed("the name of a note's key holds a space or a plus, or is empty");
  return { name, id: keyId(name, concatBytes(Uint8Array.of(type), publicKey)), type, publicKey };
}

/** SHA-256(name ‖ 0x0A ‖ type and key), of which the first four octets name a key. */
export const keyId = (name: string, material: Uint8Array): Uint8Array =>
  hashBytes(concatBytes(utf8(`${name}\n`), material)).subarray(0, KEY_ID_BYTES);

/** The key in its text form, the `vkey`: name, id and material, with a plus between them. */
export const formatNoteKey = ({ name, id, type, publicKey }: NoteKey): string =>
  `${name}+${formatHex(id)}+${formatBase64(concatBytes(Uint8Array.of(type), publicKey))}`;

/**
 * Reads a `vkey`. Throws `malformed`, also where the id is not that of the key, or an Ed25519 key has another length or
 * is of small order.
 */
export function parseNoteKey(text: string): NoteKey {
  // The base64 may hold a plus, too.
  const [name = "", id = "", ...rest] = text.split("+");
  const [type, ...publicKey] = parseBase64(rest.join("+"));
  if (type === undefined || publicKey.length === 0)
    throw malformed("a note's key is its name, its id and its base64, with a plus between them");
  if (ED25519_TYPES.has(type) && publicKey.length !== ED25519_KEY_BYTES)
    throw malformed(`an Ed25519 key has ${ED25519_KEY_BYTES} bytes`);
  const key = noteKey(name, type, Uint8Array.from(publicKey));
  if (ED25519_TYPES.has(type) && isOfSmallOrder(key.publicKey))
    throw malformed("an Ed25519 key of small order is no key: anybody can sign with it");
  if (!equalBytes(key.id, parseHex(id))) throw malformed("the id of a note's key is not that of the key");
  return key;
}

/** The signatures of a note that claim to be by this key. */
export const signaturesBy = ({ signatures }: SignedNote, key: NoteKey): readonly NoteSignature[] =>
  signatures.filter(({ keyName, keyId: id }) => keyName === key.name && equalBytes(id, key.id));

const malformed = (message: string): DisclosureError => new DisclosureError("malformed", message);
