// Plans the next leaves of a chain: from the head, the conversations' newest turns and what was submitted, to the
// receipt cores and the one transaction that writes them. Pure: the same input gives the same plan.
import { canonicalize } from "../../core/canonical-json.ts";
import { DisclosureError } from "../../core/errors.ts";
import type { AttestationRequest } from "../../core/formats/attestation-request.ts";
import { formatEventId } from "../../core/formats/event-id.ts";
import {
  hashOutput,
  hashReceiptCore,
  NO_PREVIOUS_HASH,
  RECEIPT_FORMAT_VERSION,
  type ReceiptCore,
} from "../../core/formats/receipt.ts";
import { formatDigest } from "../../core/merkle/hash.ts";
import { appendLeaf, type TreeLeaf } from "../../core/merkle/merkle-tree.ts";
import { evaluatePolicy, type PolicyRules } from "../../core/policy/policy.ts";
import { MAX_CLOCK_DIFFERENCE_MS } from "../../core/timestamps/clock-difference.ts";
import { anyOf, isAtMost, noItemExists } from "../table/condition.ts";
import type { Item } from "../table/item.ts";
import { type ItemKey, minuteOf, newsKey, turnKey } from "../table/keys.ts";
import { MAX_TRANSACTION_ITEMS } from "../table/table.ts";
import type { Write } from "../table/write.ts";
import type { Chain } from "./chain.ts";
import { type ChainLeaf, chainLeafItem } from "./chain-leaf.ts";
import { type DatedSeal, nameableAt, newerOf, type StampedSeal } from "./stamped-seal.ts";

/** The same Idempotency-Key finds the same receipt for this long. */
const IDEMPOTENCY_SECONDS = 24 * 60 * 60;
/** A marker is kept for this long; the sealer visits it for the last time after twenty minutes. */
const NEWS_SECONDS = 90 * 24 * 60 * 60;
/** The marker by which the sealer finds this chain. */
const ITEMS_OF_THE_CHAIN = 1;

/** An attestation that waits for its place in the chain. */
export interface Submission {
  readonly request: AttestationRequest;
  readonly inputHash: string;
  readonly rules: PolicyRules;
  /** Partition of the conversation's turns. */
  readonly conversation: string;
  /** Key of the idempotency record, where the caller sent an Idempotency-Key. */
  readonly idempotency: ItemKey | null;
}

/** The chain's newest receipt, and a conversation's: what the next one links to. */
export interface NewestReceipt {
  readonly leaf: TreeLeaf;
  readonly issuedAt: string;
  readonly stampedSeal: StampedSeal | null;
}
export interface Turn {
  readonly turn: number;
  /** Where its leaf is, and the next turn's will be. */
  readonly chainId: string;
  readonly leafHash: string;
}

export interface PlannedReceipt {
  readonly submission: Submission;
  readonly leaf: TreeLeaf;
  readonly core: ReceiptCore;
  /** The seal that `recorded_after` names, and where it is. */
  readonly stampedSeal: StampedSeal | null;
}

/** The number of items that a submission needs in a transaction: leaf, turn, and its idempotency record. */
const itemsOf = (submission: Submission): number => (submission.idempotency === null ? 2 : 3);

/**
 * The longest run from the front of `waiting` that fits one transaction. It ends before a second use of one
 * Idempotency-Key: an item may appear once in a transaction, and the second must see what became of the first.
 */
export function batchLength(waiting: readonly Submission[]): number {
  const seen = new Set<string>();
  let items = ITEMS_OF_THE_CHAIN;
  for (const [length, submission] of waiting.entries()) {
    const idempotency = submission.idempotency?.pk.S;
    items += itemsOf(submission);
    if (items > MAX_TRANSACTION_ITEMS || (idempotency !== undefined && seen.has(idempotency))) return length;
    if (idempotency !== undefined) seen.add(idempotency);
  }
  return waiting.length;
}

/** The circumstances of a batch: what its receipts follow, and what they state. */
export interface BatchContext {
  readonly head: NewestReceipt | null;
  /** The newest turns, by conversation. */
  readonly turns: ReadonlyMap<string, Turn>;
  /** The newest published seal with a token that this process knows. */
  readonly stampedSeal: DatedSeal | null;
  readonly now: Date;
}

/** The statements that all receipts of a batch share. */
interface Common {
  readonly chain: Chain;
  readonly issuedAt: string;
  readonly stampedSeal: StampedSeal | null;
}

/**
 * The receipts that `submissions` become, in order, each linked to the one before it in chain and conversation. Throws
 * `ledger_unavailable` where the chain's head is of a time still to come: no receipt after it may be dated earlier, and
 * readers would refuse every token of it. Throws `clock_off` where the newest seal shows that our clock is behind.
 */
export function planReceipts(
  chain: Chain,
  submissions: readonly Submission[],
  { head, turns, stampedSeal, now }: BatchContext,
): PlannedReceipt[] {
  // RFC 3339 in UTC with milliseconds sorts as text. A clock that steps back must not make the chain do so.
  const clock = now.toISOString();
  if (head !== null && Date.parse(head.issuedAt) - now.getTime() > MAX_CLOCK_DIFFERENCE_MS) {
    const evidence = { head: head.issuedAt, clock };
    throw new DisclosureError(
      "ledger_unavailable",
      "the chain's newest receipt is of a time still to come",
      evidence,
    );
  }
  const issuedAt = head !== null && head.issuedAt > clock ? head.issuedAt : clock;
  // Another process may know a newer seal than this one: a chain never goes back to an older seal.
  const newestSeal = newerOf(head?.stampedSeal ?? null, nameableAt(stampedSeal, issuedAt, clock));
  const common = { chain, issuedAt, stampedSeal: newestSeal };
  const newestTurns = new Map(turns);
  let newest = head?.leaf ?? null;
  return submissions.map((submission) => {
    const core = buildCore(common, newest, newestTurns.get(submission.conversation), submission);
    const leafHash = hashReceiptCore(core);
    newest = appendLeaf(newest, leafHash);
    newestTurns.set(submission.conversation, turnOf(core, leafHash));
    return { submission, leaf: newest, core, stampedSeal: newestSeal };
  });
}

/** A receipt as the newest turn of its conversation. */
export const turnOf = ({ turn, chain_id }: ReceiptCore, leafHash: Uint8Array): Turn => ({
  turn,
  chainId: chain_id,
  leafHash: formatDigest(leafHash),
});

function buildCore(
  { chain: { chainId, shard }, issuedAt, stampedSeal }: Common,
  previous: TreeLeaf | null,
  previousTurn: Turn | undefined,
  { request, inputHash, rules }: Submission,
): ReceiptCore {
  const sequence = previous === null ? 0 : previous.leafIndex + 1;
  const event_id = formatEventId(chainId, { shard, sequence });
  const turn = (previousTurn?.turn ?? 0) + 1;
  const { policy, verdict } = evaluatePolicy(rules, request, issuedAt);
  const { interaction_id: _interaction, agent_identity: _agent, ...disclosure } = request;
  return {
    event_id,
    chain_id: chainId,
    sequence,
    turn,
    verdict,
    input_hash: inputHash,
    output_hash: hashOutput({ event_id, policy, turn, verdict }),
    previous_hash: previous === null ? NO_PREVIOUS_HASH : formatDigest(previous.leafHash),
    previous_turn_hash: previousTurn?.leafHash ?? null,
    issued_at: issuedAt,
    recorded_after: stampedSeal?.recordedAfter ?? null,
    disclosure,
    policy,
    receipt_format_version: RECEIPT_FORMAT_VERSION,
    verifiability: "verifiable",
  };
}

/** A receipt ready to be written, with its submission. */
export type SignedReceipt = ChainLeaf & { readonly submission: Submission };

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
  const seconds = Math.floor(batch.now.getTime() / 1000);
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
    { role: "turn", receipt, write: { insert: turnItem(receipt) } },
  ];
  if (submission.idempotency === null) return writes;
  const record = idempotencyItem(receipt, submission.idempotency, seconds);
  // Time to live deletes late, so an expired record may still be there and must not count.
  const when = anyOf(noItemExists, isAtMost("expires_at", { N: String(seconds) }));
  return [...writes, { role: "idempotency", receipt, write: { put: record, when } }];
}

/** The only item that holds the request's two identifiers: erase its `request` and every proof still holds. */
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
