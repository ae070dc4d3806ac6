// The oracle's view of conversations and of Idempotency-Keys: which leaf each of their items leads to.
import assert from "node:assert/strict";
import type { ReceiptCore } from "../../evidence/core/formats/receipt.ts";
import { digits, type Item, integer, text } from "./items.ts";
import { digestOf } from "./plain-json.ts";
import { linkTo, type WholeChain } from "./whole-chain.ts";

type Chains = ReadonlyMap<string, WholeChain>;

/** Turns count from 1 without hole, each linked to the one before it, and there is one for each leaf. */
export function checkTurns(conversations: ReadonlyMap<string, readonly Item[]>, chains: Chains): void {
  const places = [...conversations.values()].flatMap((items) => {
    for (const [i, item] of items.entries()) checkTurn(item, items[i - 1], i + 1, chains);
    return items.map(placeOf);
  });
  const leaves = [...chains.values()].reduce((sum, { cores }) => sum + cores.length, 0);
  assert.equal(new Set(places).size, places.length, "two turns lead to one leaf");
  assert.equal(places.length, leaves, "turns and leaves differ in number");
}

function checkTurn(item: Item, previous: Item | undefined, turn: number, chains: Chains): void {
  assert.equal(text(item, "sk"), `turn#${digits(turn)}`, "a conversation has a hole before");
  assert.equal(integer(item, "turn"), turn);
  const { core, hash } = leafOf(item, chains);
  assert.equal(text(item, "leaf_hash"), linkTo(hash), `leaf hash of turn ${turn}`);
  assert.equal(core.turn, turn);
  assert.equal(
    core.previous_turn_hash,
    previous === undefined ? null : linkTo(leafOf(previous, chains).hash),
    `previous_turn_hash of turn ${turn}`,
  );
  if (previous !== undefined) {
    assert.equal(text(item, "chain_id"), text(previous, "chain_id"), "a conversation is on two chains");
  }
  if (item.request === undefined) return;
  assert.equal(digestOf(JSON.parse(text(item, "request"))), core.input_hash, `request of turn ${turn}`);
}

/** Each record leads to the leaf of its own request, and no two to one. */
export function checkIdempotency(records: readonly Item[], chains: Chains): void {
  for (const record of records) {
    assert.equal(text(record, "input_hash"), leafOf(record, chains).core.input_hash, "an Idempotency-Key");
  }
  assert.equal(new Set(records.map(placeOf)).size, records.length, "two Idempotency-Keys share a leaf");
}

const placeOf = (item: Item): string => `${text(item, "chain_id")} ${integer(item, "leaf_index")}`;

function leafOf(item: Item, chains: Chains): { core: ReceiptCore; hash: Uint8Array } {
  const [chain, index] = [chains.get(text(item, "chain_id")), integer(item, "leaf_index")];
  const [core, hash] = [chain?.cores[index], chain?.hashes[index]];
  assert(core !== undefined && hash !== undefined, `no leaf at ${placeOf(item)}`);
  return { core, hash };
}
