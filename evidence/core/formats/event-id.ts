// Event ids say where their leaf is: a UUIDv8 (RFC 9562 section 5.8) of a check value, shard and sequence, so finding a
// receipt by its id is a key read and needs no index. The check value comes first, so that ids do not look alike.
import { formatHex, utf8 } from "../bytes.ts";
import { DisclosureError } from "../errors.ts";
import { hashBytes } from "../merkle/hash.ts";

/** 48 bits of sequence: a chain of one receipt a microsecond lasts nine years. */
export const MAX_SEQUENCE = 2 ** 48 - 1;
/** 12 bits of shard: which of the tenant's chains. */
export const MAX_SHARD = 2 ** 12 - 1;

const EVENT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab]([0-9a-f]{3})-([0-9a-f]{12})$/;
/** 60 bits of the check value stand before the variant, and two more with it. */
const CHECK_DIGITS = 15;
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
  const check = formatHex(hashBytes(utf8(`${CHECK_LABEL}${chainId}\n${sequence}`)));
  const lastTwoBits = Number.parseInt(check.charAt(CHECK_DIGITS), 16) >> 2;
  return [
    check.slice(0, 8),
    check.slice(8, 12),
    `8${check.slice(12, CHECK_DIGITS)}`,
    (8 | lastTwoBits).toString(16) + shard.toString(16).padStart(3, "0"),
    sequence.toString(16).padStart(12, "0"),
  ].join("-");
}

/** Reads the place, or null where `eventId` is none of ours; the check value is compared by formatting again. */
export function parseEventId(eventId: string): EventPlace | null {
  const [, shard, sequence] = EVENT_ID.exec(eventId) ?? [];
  if (shard === undefined || sequence === undefined) return null;
  return { shard: Number.parseInt(shard, 16), sequence: Number.parseInt(sequence, 16) };
}

function checkPlace({ shard, sequence }: EventPlace): void {
  const isWithin = (n: number, most: number): boolean => Number.isSafeInteger(n) && n >= 0 && n <= most;
  if (!isWithin(shard, MAX_SHARD) || !isWithin(sequence, MAX_SEQUENCE)) {
    throw new DisclosureError("malformed", "the place is beyond what an event id holds", { shard, sequence });
  }
}
