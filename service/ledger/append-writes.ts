// The one transaction that writes a batch of receipts: leaves, turns, idempotency records and, with the first receipt of
// a minute, the marker by which the sealer finds the chain.
import { DAY_SECONDS, SECOND_MS } from "../../contract/time.ts";
import { canonicalize } from "../../evidence/core/canonical-json.ts";
import { formatDigest } from "../../evidence/core/merkle/hash.ts";
import { anyOf, isAtMost, noItemExists } from "../table/condition.ts";
import type { Item } from "../table/item.ts";
import { type ItemKey, minuteOf, newsKey, turnKey } from "../table/keys.ts";
import type { Write } from "../table/write.ts";
import type { NewestReceipt, SignedReceipt } from "./append-plan.ts";
import { chainLeafItem } from "./chain-leaf.ts";
import { isFreePlace } from "./closed-conversation.ts";

/** The same Idempotency-Key finds the same receipt for this long. */
export const IDEMPOTENCY_SECONDS = DAY_SECONDS;
/** A marker is kept for this long; the sealer visits it for the last time after twenty minutes. */
const NEWS_SECONDS = 90 * DAY_SECONDS;

/** One item of the transaction and the receipt that it belongs to. Its role decides what its refusal means. */
export interface PlannedWrite {
  readonly role: "leaf" | "turn" | "idempotency" | "news";
  readonly receipt: SignedReceipt;
  readonly write: Write;
}

/** The transaction of a batch, and what it was planned from. */
export interface Batch {
  readonly receipts: readonly SignedReceipt[];
  /** The transaction's token. */
  readonly token: string;
  readonly now: Date;
  /** The receipt before those of the batch. */
  readonly head: NewestReceipt | null;
}

export function planWrites(batch: Batch): PlannedWrite[] {
  const seconds = Math.floor(batch.now.getTime() / SECOND_MS);
  const writes = batch.receipts.flatMap((receipt) => writesOf(receipt, batch.token, seconds));
  return [...writes, ...markerOf(batch, seconds)];
}

/**
 * The marker of the receipts' minute, where no earlier receipt brought it.
 *
 * For every receipt of a chain, the marker of the minute of its `issued_at` was written with it or before it. By
 * induction: the first receipt brings its marker. A later one brings it where its minute is another than the head's;
 * where it is the same, the marker came with the head or before it. The transaction is carried out only while that head
 * is the newest receipt, so no process can go by another one, whatever it remembers.
 *
 * `issued_at` never goes back along a chain, so each of its minutes begins once, and has one marker from any number of
 * processes. The clock's minute would not do: of two clocks that are seconds apart, the slower would find a head of the
 * next minute, and mark its own with every write.
 *
 * The sealer finds the receipt by this minute. It is the plan's own, or a later one where the head is ahead of our clock
 * (by five minutes at most, else nothing is written), and the sealer visits a later minute for longer.
 */
function markerOf({ receipts, head }: Batch, seconds: number): PlannedWrite[] {
  const last = receipts.at(-1);
  if (last === undefined) return [];
  const { chain_id, issued_at } = last.core;
  const minute = minuteOf(new Date(issued_at));
  if (head !== null && minuteOf(new Date(head.issuedAt)) === minute) return [];
  const marker = { ...newsKey(minute, chain_id), expires_at: { N: String(seconds + NEWS_SECONDS) } };
  return [{ role: "news", receipt: last, write: { put: marker } }];
}

function writesOf(receipt: SignedReceipt, token: string, seconds: number): PlannedWrite[] {
  const { submission } = receipt;
  const writes: PlannedWrite[] = [
    { role: "leaf", receipt, write: { insert: chainLeafItem(receipt, token) } },
    { role: "turn", receipt, write: { put: turnItem(receipt), when: isFreePlace(seconds) } },
  ];
  if (submission.idempotency === null) return writes;
  const record = idempotencyItem(receipt, submission.idempotency, seconds);
  // Time to live deletes late, so an expired record may still be there and must not count.
  const when = anyOf(noItemExists, isAtMost("expires_at", { N: String(seconds) }));
  return [...writes, { role: "idempotency", receipt, write: { put: record, when } }];
}

/** The only item that holds the request's two identifiers: without its `request` every proof still holds. */
const turnItem = ({ submission, core, leaf }: SignedReceipt): Item => ({
  ...turnKey(submission.conversation, core.turn),
  turn: { N: String(core.turn) },
  chain_id: { S: core.chain_id },
  leaf_index: { N: String(leaf.leafIndex) },
  leaf_hash: { S: formatDigest(leaf.leafHash) },
  request: { S: canonicalize(submission.request) },
});

const idempotencyItem = ({ submission, core, leaf }: SignedReceipt, key: ItemKey, seconds: number): Item => ({
  ...key,
  input_hash: { S: submission.inputHash },
  chain_id: { S: core.chain_id },
  leaf_index: { N: String(leaf.leafIndex) },
  expires_at: { N: String(seconds + IDEMPOTENCY_SECONDS) },
});
