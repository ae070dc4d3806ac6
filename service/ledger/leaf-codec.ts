// The short forms in which a leaf's item holds its receipt core and the id of its MAC key: a leaf has less than 1 KB up to
// a million receipts in a chain. The very core comes back. Bytes that hold none are `ledger_corrupt`; that a core is another
// one, its leaf hash shows (chain-leaf.ts).
//
// A core is stored as
//   version (1 byte) ‖ issued_at (6 bytes, milliseconds) ‖ n (1 byte) ‖ n digests (32 bytes each) ‖ raw deflate of a text
// where the text is JCS of the core without the members that the item's key or the other members give, and with a mark in
// the place of each digest. The version says which dictionary deflate and marks refer to (leaf-dictionary.ts).
import { deflateRawSync, type InflateRaw, inflateRawSync } from "node:zlib";
import * as z from "zod";
import { concatBytes, equalBytes, formatHex, parseHex, utf8 } from "../../evidence/core/bytes.ts";
import { canonicalize } from "../../evidence/core/canonical-json.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { formatEventId, MAX_SHARD, parseEventId } from "../../evidence/core/formats/event-id.ts";
import { hashOutput, type ReceiptCore, receiptCoreSchema } from "../../evidence/core/formats/receipt.ts";
import { formatDigest, HASH_BYTES, parseDigest } from "../../evidence/core/merkle/hash.ts";
import { DICTIONARIES, type LeafDictionary, NEWEST_VERSION } from "./leaf-dictionary.ts";
import { wholeText } from "./whole-text.ts";

/** The place of a core, which its item says already: its chain and index by its key, and its left path. */
export interface LeafPlace {
  readonly chainId: string;
  readonly leafIndex: number;
  readonly leftPath: readonly Uint8Array[];
}

const TIME_BYTES = 6;
/** Version, time and count. */
const HEADER_BYTES = 1 + TIME_BYTES + 1;
/** The longest text that is written or read; an inflated one never takes more memory. A usual one has 600 bytes. */
const MAX_TEXT_BYTES = 16_384;
/** 4 KB: deflate finds its whole dictionary, and needs little memory. */
const WINDOW_BITS = 12;

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const DIGEST = /sha256:[0-9a-f]{64}/g;
/** JCS escapes control characters, so these occur in no text of its own. The digest is the next of those stored: */
const NEXT = "\u0002";
/** or one of the table of known digests, by the character after it. */
const REFERENCE = "\u0001";
const MARKS = new RegExp(`${NEXT}|${REFERENCE}(.?)`, "gs");
const FIRST_REFERENCE = 0x20;
/** As many as there are printable characters of ASCII. Digests beyond that stay in the text. */
const MAX_TABLE = 95;

/** A core in the parts in which it is stored. */
interface CoreParts {
  readonly issuedAt: Date;
  readonly stored: readonly string[];
  readonly text: string;
}

/** A core, and JCS of it: the text that its leaf hash is over. */
export interface StoredCore {
  readonly core: ReceiptCore;
  readonly text: string;
}

export function encodeCore(core: ReceiptCore, place: LeafPlace): Uint8Array {
  const dictionary = dictionaryOf(NEWEST_VERSION);
  const { issuedAt, stored, text } = takeApart(core, place, dictionary);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(NEWEST_VERSION);
  header.writeUIntBE(issuedAt.getTime(), 1, TIME_BYTES);
  header.writeUInt8(stored.length, HEADER_BYTES - 1);
  const options = { level: 9, windowBits: WINDOW_BITS, dictionary: textsBefore(dictionary, issuedAt) };
  const bytes = utf8(text);
  if (bytes.length > MAX_TEXT_BYTES) throw new DisclosureError("malformed", "the receipt core is too long");
  return concatBytes(header, ...stored.map(parseDigest), deflateRawSync(bytes, options));
}

/**
 * Throws `ledger_corrupt` for bytes that hold no core of this place. Whether it is the one that was stored is for its leaf
 * hash to say.
 */
export function decodeCore(bytes: Uint8Array, place: LeafPlace): StoredCore {
  try {
    const dictionary = dictionaryOf(bytes[0] ?? 0);
    const { buffer, byteOffset, length } = bytes;
    const parts = readParts(Buffer.from(buffer, byteOffset, length), dictionary);
    const rest = expand(parts.text, parts.stored, tableOf(dictionary, place));
    const issuedAt = parts.issuedAt.toISOString();
    const text = wholeText(rest, { ...place, issuedAt });
    if (text !== null) return { core: receiptCoreSchema.parse(JSON.parse(text)), text };
    const core = putTogether(rest, issuedAt, place);
    return { core, text: canonicalize(core) };
  } catch (cause) {
    return corrupt(cause);
  }
}

function corrupt(cause?: unknown): never {
  throw new DisclosureError("ledger_corrupt", "a receipt core is not as it was stored", {}, cause);
}

function dictionaryOf(version: number): LeafDictionary {
  const dictionary = DICTIONARIES[version];
  if (dictionary !== undefined) return dictionary;
  throw new DisclosureError("ledger_corrupt", "a leaf is of an unknown version", { version });
}

/** The text that deflate may refer to. It ends with `issued_at`, for `disclosed_at` is like it. */
const textsBefore = ({ text }: LeafDictionary, issuedAt: Date): Uint8Array =>
  concatBytes(text, utf8(issuedAt.toISOString()));

function readParts(bytes: Buffer, dictionary: LeafDictionary): CoreParts {
  const issuedAt = new Date(bytes.readUIntBE(1, TIME_BYTES));
  const end = HEADER_BYTES + bytes.readUInt8(HEADER_BYTES - 1) * HASH_BYTES;
  const stored: string[] = [];
  for (let at = HEADER_BYTES; at < end; at += HASH_BYTES)
    stored.push(formatDigest(bytes.subarray(at, at + HASH_BYTES)));
  return { issuedAt, stored, text: inflate(bytes.subarray(end), textsBefore(dictionary, issuedAt)) };
}

function inflate(bytes: Uint8Array, dictionary: Uint8Array): string {
  const options = { windowBits: WINDOW_BITS, dictionary, maxOutputLength: MAX_TEXT_BYTES, info: true };
  // With `info`, which @types/node does not know, zlib tells how much it read: bytes behind the end are not ours.
  const { buffer, engine } = inflateRawSync(bytes, options) as unknown as {
    readonly buffer: Buffer;
    readonly engine: InflateRaw;
  };
  if (engine.bytesWritten !== bytes.length) corrupt();
  return UTF8.decode(buffer);
}

/** The digests that a mark can refer to before any is stored. The lowest node of a left path may be the leaf before. */
const tableOf = ({ digests }: LeafDictionary, { leftPath: [lowest] }: LeafPlace): string[] => [
  ...digests,
  lowest === undefined ? "" : formatDigest(lowest),
];

function takeApart(core: ReceiptCore, place: LeafPlace, dictionary: LeafDictionary): CoreParts {
  const issuedAt = new Date(core.issued_at);
  const [table, stored]: [string[], string[]] = [tableOf(dictionary, place), []];
  const text = canonicalize(restOf(core, place, issuedAt)).replace(DIGEST, (digest) => {
    const known = table.indexOf(digest);
    if (known >= 0) return REFERENCE + String.fromCharCode(FIRST_REFERENCE + known);
    if (table.length === MAX_TABLE) return digest;
    table.push(digest);
    stored.push(digest);
    return NEXT;
  });
  return { issuedAt, stored, text };
}

/** The core without what is computed when it is read. A member that is not what would be computed stays. */
function restOf(core: ReceiptCore, { chainId, leafIndex }: LeafPlace, issuedAt: Date): object {
  const shard = parseEventId(core.event_id)?.shard ?? 0;
  const event_id = formatEventId(chainId, { shard, sequence: leafIndex });
  const computed: Readonly<Record<string, unknown>> = {
    chain_id: chainId,
    sequence: leafIndex,
    issued_at: issuedAt.toISOString(),
    event_id,
    output_hash: hashOutput(core),
  };
  const rest = Object.entries(core).filter(([name, value]) => computed[name] !== value);
  return Object.fromEntries(core.event_id === event_id ? [...rest, ["shard", shard]] : rest);
}

/** A text as it is written: a shard in place of an `event_id` that follows from it, and members that may be missing. */
const restSchema = z.looseObject({ shard: z.int().min(0).max(MAX_SHARD).optional() });
const coreWithoutOutputSchema = receiptCoreSchema.partial({ output_hash: true });

function putTogether(text: string, issuedAt: string, { chainId, leafIndex }: LeafPlace): ReceiptCore {
  // JSON.parse takes doubled names and other spellings as well. None of these is the canonical form.
  const written = restSchema.parse(JSON.parse(text));
  if (canonicalize(written) !== text) corrupt();
  const { shard, ...rest } = written;
  const core = coreWithoutOutputSchema.parse({
    chain_id: chainId,
    sequence: leafIndex,
    issued_at: issuedAt,
    ...(shard !== undefined && { event_id: formatEventId(chainId, { shard, sequence: leafIndex }) }),
    ...rest,
  });
  return { ...core, output_hash: core.output_hash ?? hashOutput(core) };
}

/** The text with its digests. Each of the stored ones has its mark. */
function expand(text: string, stored: readonly string[], table: string[]): string {
  const waiting = stored.values();
  const expanded = text.replace(MARKS, (mark, reference: string) => {
    if (mark !== NEXT) return table[reference.charCodeAt(0) - FIRST_REFERENCE] ?? corrupt();
    const digest = waiting.next().value ?? corrupt();
    table.push(digest);
    return digest;
  });
  return waiting.next().done === true ? expanded : corrupt();
}

/** The first byte of a stored key id: how the KMS key's id follows, and whether the day of `issued_at` stands after it. */
const [TEXT, UUID, MULTI_REGION, DATED] = [0, 1, 2, 0x10];
const UUID_TEXT = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MULTI_REGION_PREFIX = "mrk-";
const MULTI_REGION_TEXT = /^mrk-[0-9a-f]{32}$/;
/** The length of YYYY-MM-DD. */
const DAY_LENGTH = 10;

/** A `key_id` is the KMS key's id, a slash, and the day of the receipt. It may be any other text, which is longer then. */
export function encodeKeyId(keyId: string, issuedAt: string): Uint8Array {
  const day = dayAfter(issuedAt);
  if (!keyId.endsWith(day)) return concatBytes(...shortId(keyId, 0));
  return concatBytes(...shortId(keyId.slice(0, -day.length), DATED));
}

/** Throws `ledger_corrupt` for bytes that `encodeKeyId` does not give. */
export function decodeKeyId(bytes: Uint8Array, issuedAt: string): string {
  const first = bytes[0] ?? corrupt();
  const id = longId(first & ~DATED, bytes.subarray(1));
  const keyId = (first & DATED) === 0 ? id : id + dayAfter(issuedAt);
  return keyId !== "" && equalBytes(encodeKeyId(keyId, issuedAt), bytes) ? keyId : corrupt();
}

const dayAfter = (issuedAt: string): string => `/${issuedAt.slice(0, DAY_LENGTH)}`;

function shortId(id: string, flags: number): [Uint8Array, Uint8Array] {
  if (UUID_TEXT.test(id)) return [Uint8Array.of(UUID | flags), parseHex(id.replaceAll("-", ""))];
  if (!MULTI_REGION_TEXT.test(id)) return [Uint8Array.of(TEXT | flags), utf8(id)];
  return [Uint8Array.of(MULTI_REGION | flags), parseHex(id.slice(MULTI_REGION_PREFIX.length))];
}

function longId(form: number, bytes: Uint8Array): string {
  if (form === TEXT) return Buffer.from(bytes).toString();
  const hex = formatHex(bytes);
  return form === UUID ? uuidText(hex) : MULTI_REGION_PREFIX + hex;
}

const uuidText = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.*)$/, "$1-$2-$3-$4-$5");

/** A transaction's token, a UUID, in its 16 bytes. */
export const encodeToken = (token: string): Uint8Array => parseHex(token.replaceAll("-", ""));
