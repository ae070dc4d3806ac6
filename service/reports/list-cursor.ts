// Where a list of receipts goes on: base64url of the shard, the sequence and a digest of the query, 24 bytes in all. A
// cursor is no secret and gives no right: a caller who makes one up reads nothing but its own chains.
import { concatBytes, equalBytes } from "../../evidence/core/bytes.ts";
import { canonicalBytes } from "../../evidence/core/canonical-json.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { type EventPlace, MAX_SHARD } from "../../evidence/core/formats/event-id.ts";
import { hashBytes } from "../../evidence/core/merkle/hash.ts";

const SHARD_BYTES = 2;
const SEQUENCE_BYTES = 6;
const PLACE_BYTES = SHARD_BYTES + SEQUENCE_BYTES;
const DIGEST_BYTES = 16;
export const CURSOR = /^[A-Za-z0-9_-]{32}$/;

/** The query is plain JSON, without its cursor. */
const digestOf = (query: object): Uint8Array => hashBytes(canonicalBytes(query)).subarray(0, DIGEST_BYTES);

export function formatCursor({ shard, sequence }: EventPlace, query: object): string {
  const place = Buffer.alloc(PLACE_BYTES);
  place.writeUIntBE(shard, 0, SHARD_BYTES);
  place.writeUIntBE(sequence, SHARD_BYTES, SEQUENCE_BYTES);
  return Buffer.from(concatBytes(place, digestOf(query))).toString("base64url");
}

/** Throws `invalid_request` for what is no cursor of this very query. */
export function parseCursor(cursor: string, query: object): EventPlace {
  if (!CURSOR.test(cursor)) refuse("must be `next` of an earlier page");
  const bytes = Buffer.from(cursor, "base64url");
  const shard = bytes.readUIntBE(0, SHARD_BYTES);
  if (shard > MAX_SHARD) refuse("must be `next` of an earlier page");
  if (!equalBytes(bytes.subarray(PLACE_BYTES), digestOf(query)))
    refuse("belongs to another query: repeat the one that it came from");
  return { shard, sequence: bytes.readUIntBE(SHARD_BYTES, SEQUENCE_BYTES) };
}

function refuse(detail: string): never {
  throw new DisclosureError("invalid_request", `cursor ${detail}`, {
    errors: [{ pointer: "#/cursor", detail }],
  });
}
