// Plans the next leaves of a chain: from the head, the conversations' newest turns and what was submitted, to the
// receipt cores. Pure: the same input gives the same plan. append-writes.ts has the transaction that writes them.
import { DisclosureError } from "../../evidence/core/errors.ts";
import {
  type AttestationRequest,
  withoutIdentifiers,
} from "../../evidence/core/formats/attestation-request.ts";
import { formatEventId } from "../../evidence/core/formats/event-id.ts";
import {
  hashOutput,
  hashReceiptCore,
  NO_PREVIOUS_HASH,
  RECEIPT_FORMAT_VERSION,
  type ReceiptCore,
} from "../../evidence/core/formats/receipt.ts";
import { formatDigest } from "../../evidence/core/merkle/hash.ts";
import { appendLeaf, type TreeLeaf } from "../../evidence/core/merkle/merkle-tree.ts";
import { evaluatePolicy } from "../../evidence/core/policy/policy.ts";
import type { PolicyRules } from "../../evidence/core/policy/policy-rules.ts";
import { MAX_CLOCK_DIFFERENCE_MS } from "../../evidence/core/timestamps/clock-difference.ts";
import type { ItemKey } from "../table/keys.ts";
import { MAX_TRANSACTION_ITEMS } from "../table/table.ts";
import type { Chain } from "./chain.ts";
import type { ChainLeaf } from "./chain-leaf.ts";
import { type DatedSeal, nameableAt, newerOf, type StampedSeal } from "./stamped-seal.ts";

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
    disclosure: withoutIdentifiers(request),
    policy,
    receipt_format_version: RECEIPT_FORMAT_VERSION,
    verifiability: "verifiable",
  };
}

/** A receipt ready to be written, with its submission. */
export type SignedReceipt = ChainLeaf & { readonly submission: Submission };
