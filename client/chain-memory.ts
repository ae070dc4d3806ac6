// What this client has seen of the service's chains. A receipt that contradicts it shows a fork: the service would
// have told two readers two histories.
import { formatDigest } from "../core/hash.ts";
import { hashReceiptCore, type Receipt, withoutAuthentication } from "../core/receipt.ts";
import { ClientError } from "./errors.ts";

/** Receipts remembered of each chain, and conversations. */
const MAX_RECEIPTS = 1_000;
const MAX_CONVERSATIONS = 1_000;

interface Seen {
  readonly sequence: number;
  readonly hash: string;
  readonly previousHash: string;
}

export class ChainMemory {
  readonly #chains = new Map<string, Map<number, Seen>>();
  readonly #turns = new Map<string, { readonly turn: number; readonly hash: string }>();

  /** The newest receipt seen of any chain, by chain id: what a call sent from now on must come after. */
  heads(): ReadonlyMap<string, number> {
    return new Map([...this.#chains].map(([chainId, seen]) => [chainId, Math.max(...seen.keys())]));
  }

  /**
   * Remembers a receipt. Throws `chain_forked` where it does not extend what was seen: `heads` are those from before
   * the call was sent, or null for a call that may have been recorded earlier.
   */
  remember(interactionId: string, receipt: Receipt, heads: ReadonlyMap<string, number> | null): void {
    const hash = formatDigest(hashReceiptCore(withoutAuthentication(receipt)));
    const seen = { sequence: receipt.sequence, hash, previousHash: receipt.previous_hash };
    const known = this.#chains.get(receipt.chain_id) ?? new Map<number, Seen>();
    checkLinks(known, seen);
    if (heads !== null && receipt.sequence <= (heads.get(receipt.chain_id) ?? -1)) {
      fork("a new receipt comes before one that was seen earlier", seen);
    }
    this.#rememberTurn(interactionId, receipt, hash);
    this.#chains.set(receipt.chain_id, known.set(seen.sequence, seen));
    dropOldest(known, MAX_RECEIPTS);
  }

  #rememberTurn(interactionId: string, { turn, previous_turn_hash }: Receipt, hash: string): void {
    const known = this.#turns.get(interactionId);
    if (known?.turn === turn && known.hash !== hash) fork("two receipts have the same turn", { turn, hash });
    if (known?.turn === turn - 1 && known.hash !== previous_turn_hash) {
      fork("a turn does not follow the one before", { turn, hash });
    }
    if (known !== undefined && known.turn > turn) return;
    this.#turns.delete(interactionId);
    this.#turns.set(interactionId, { turn, hash });
    dropOldest(this.#turns, MAX_CONVERSATIONS);
  }
}

function checkLinks(known: ReadonlyMap<number, Seen>, seen: Seen): void {
  const same = known.get(seen.sequence);
  if (same !== undefined && same.hash !== seen.hash)
    fork("two receipts have the same place in the chain", seen);
  const before = known.get(seen.sequence - 1);
  if (before !== undefined && before.hash !== seen.previousHash)
    fork("a receipt does not follow the one before", seen);
  const after = known.get(seen.sequence + 1);
  if (after !== undefined && after.previousHash !== seen.hash)
    fork("a receipt is not the one before the next", seen);
}

function dropOldest(map: Map<unknown, unknown>, limit: number): void {
  for (const key of map.keys()) {
    if (map.size <= limit) return;
    map.delete(key);
  }
}

function fork(message: string, evidence: unknown): never {
  throw new ClientError("chain_forked", message, evidence);
}
