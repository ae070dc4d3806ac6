// What the service reads again: stored leaves, ids of events, keys of callers.
import fc from "fast-check";
import { AUTHORIZATION_PATTERN } from "../../../contract/api-key.ts";
import { canonicalize } from "../../../evidence/core/canonical-json.ts";
import {
  formatEventId,
  MAX_SEQUENCE,
  MAX_SHARD,
  parseEventId,
} from "../../../evidence/core/formats/event-id.ts";
import { receiptCoreSchema } from "../../../evidence/core/formats/receipt.ts";
import { decodeCore, decodeKeyId, encodeCore, encodeKeyId } from "../../../service/ledger/leaf-codec.ts";
import { formatApiKey, parseApiKey } from "../../../service/tenants/api-key-format.ts";
import { anyBytes, type Mutant, mutantsOf, sampleOf, textOf } from "../mutations.ts";
import { refusedOr, target } from "../target.ts";
import { CORES } from "./vectors.ts";

const sizeOf = ({ bytes }: Mutant): number => bytes.length;

const stored = CORES.map((core, i) => {
  const place = { chainId: core.chain_id, leafIndex: core.sequence, leftPath: [] };
  return { core, place, sample: sampleOf(String(i), encodeCore(core, place)) };
});
const placeOf = ({ sample }: Mutant) => (stored[Number(sample.name)] ?? stored[0])?.place ?? NOWHERE;
const NOWHERE = { chainId: "0".repeat(32), leafIndex: 0, leftPath: [] };

export const leafTarget = target({
  name: "leaf",
  runs: 1_500,
  inputs: anyBytes(stored.map(({ sample }) => sample)),
  // Deflate takes a thousandth of what it gives.
  sizeOf: (mutant) => sizeOf(mutant) + MAX_TEXT_BYTES,
  holds: (mutant) => {
    const place = placeOf(mutant);
    const decoded = refusedOr(() => decodeCore(mutant.bytes, place), "ledger_corrupt");
    if (decoded === null) return true;
    const { core, text } = decoded;
    receiptCoreSchema.parse(core);
    if (text !== canonicalize(core)) return false;
    const again = refusedOr(() => encodeCore(core, place), "malformed");
    return again === null || decodeCore(again, place).text === text;
  },
});

/** The longest text that a stored leaf is unpacked to. */
const MAX_TEXT_BYTES = 16_384;
const ISSUED_AT = "2026-11-22T10:00:00.000Z";
const KEY_IDS = [
  "0f0e0d0c-1234-4abc-8def-0123456789ab/2026-11-22",
  `mrk-${"0123456789abcdef".repeat(2)}`,
  "local",
];

export const keyIdTarget = target({
  name: "key-id",
  runs: 2_000,
  inputs: anyBytes(KEY_IDS.map((id) => sampleOf(id, encodeKeyId(id, ISSUED_AT)))),
  sizeOf,
  holds: ({ bytes }) => {
    const keyId = refusedOr(() => decodeKeyId(bytes, ISSUED_AT), "ledger_corrupt");
    return keyId === null || Buffer.from(encodeKeyId(keyId, ISSUED_AT)).equals(bytes);
  },
});

const CHAIN = "c".repeat(32);
const anyPlace = fc.record({
  shard: fc.nat(MAX_SHARD),
  sequence: fc.maxSafeNat().map((n) => n % (MAX_SEQUENCE + 1)),
});

export const eventIdTarget = target({
  name: "event-id",
  runs: 3_000,
  inputs: anyPlace.chain((place) => {
    const id = formatEventId(CHAIN, place);
    return fc.record({
      id: fc.constant(id),
      place: fc.constant(place),
      mutant: mutantsOf([sampleOf(id, id)]),
    });
  }),
  sizeOf: ({ mutant }) => mutant.bytes.length,
  holds: ({ id, place, mutant }) => {
    const own = parseEventId(id);
    if (own?.shard !== place.shard || own.sequence !== place.sequence) return false;
    const text = textOf(mutant);
    const read = parseEventId(text);
    // Another place of the chain would have to guess the check value. The shard is not in it: the chain's id says it.
    return read === null || formatEventId(CHAIN, read) !== text || read.sequence === place.sequence;
  },
});

const API_KEY = `dr_live_${"0123456789".repeat(2)}_${"abcdef01".repeat(8)}`;

export const apiKeyTarget = target({
  name: "api-key",
  runs: 3_000,
  inputs: anyBytes([
    sampleOf("header", `Bearer ${API_KEY}`),
    sampleOf("key", API_KEY),
    sampleOf("spaces", `bEARER   ${API_KEY}`),
  ]),
  sizeOf,
  holds: (mutant) => {
    const text = textOf(mutant);
    const alone = parseApiKey(text);
    if (alone !== null && formatApiKey(alone) !== text) return false;
    const [, key = ""] = AUTHORIZATION_PATTERN.exec(text) ?? [];
    const parsed = parseApiKey(key);
    if (parsed === null) return key === "";
    return (
      formatApiKey(parsed) === key && text.endsWith(key) && /^bearer +$/i.test(text.slice(0, -key.length))
    );
  },
});
