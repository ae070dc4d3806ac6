// Event ids say where their leaf is: a UUIDv8 (RFC 9562 section 5.8) of sequence, shard and a check value,
// so finding a receipt by its id is a key read and needs no index.
import { formatHex, utf8 } from "../bytes.ts";
import { DisclosureError } from "../errors.ts";
import { hashBytes } from "../merkle/hash.ts";

/** 48 bits of sequence: a chain of one receipt a microsecond lasts nine years. */
export const MAX_SEQUENCE = 2 ** 48 - 1;
/** 12 bits of shard: which of the tenant's chains. */
export const MAX_SHARD = 2 ** 12 - 1;

const EVENT_ID = /^([0-9a-f]{8})-([0-9a-f]{4})-8([0-9a-f]{3})-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const CHECK_LABEL = "disclosure-receipt/1/event\n";

/** Where a leaf is, seen from its tenant. */
export interface EventPlace {
  readonly shard: number;
  readonly sequence: number;
}

/**
 * The check value is 62 bits of a hash over the chain's id: ids of two chains differ, and none can be guessed.
 * Throws `malformed` for a place that the id has no room for.
 */
export function formatEventId(chainId: string, { shard, sequence }: EventPlace): string {
  checkPlace({ shard, sequence });
  const place = sequence.toString(16).padStart(12, "0");
  const check = hashBytes(utf8(`${CHECK_LABEL}${chainId}\n${sequence}`));
  const variant = (0x80 | ((check[0] ?? 0) & 0x3f)).toString(16);
  const tail = variant + formatHex(check.subarray(1, 8));
  return [
    place.slice(0, 8),
    place.slice(8),
    `8${shard.toString(16).padStart(3, "0")}`,
    tail.slice(0, 4),
    tail.slice(4),
  ].join("-");
}

/** Reads the place, or null where `eventId` is none of ours; the check value is compared by formatting again. */
export function parseEventId(eventId: string): EventPlace | null {
  const [, high, low, shard] = EVENT_ID.exec(eventId) ?? [];
  if (high === undefined || low === undefined || shard === undefined) return null;
  return { shard: Number.parseInt(shard, 16), sequence: Number.parseInt(high + low, 16) };
}

function checkPlace({ shard, sequence }: EventPlace): void {
  const isWithin = (n: number, most: number): boolean => Number.isSafeInteger(n) && n >= 0 && n <= most;
  if (!isWithin(shard, MAX_SHARD) || !isWithin(sequence, MAX_SEQUENCE)) {
    throw new DisclosureError("malformed", "the place is beyond what an event id holds", { shard, sequence });
  }
}
