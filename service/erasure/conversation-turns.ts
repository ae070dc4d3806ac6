// The turns of one conversation that is erased or removed: closed first, then taken one by one, the first turn last, with
// the end of the work in its own transaction. So a conversation that was begun is found by its first turn until it is done.
//
// A run may be frozen, and wake when another one has ended the work and the id has begun anew. So it closes a conversation
// only while the newest turn is the one that it read, and takes a turn only while its note stands.
import { randomUUID } from "node:crypto";
import { SECOND_MS } from "../../contract/time.ts";
import { DisclosureError, isDisclosureError } from "../../evidence/core/errors.ts";
import { type ChainLeaf, readChainLeaf } from "../ledger/chain-leaf.ts";
import {
  closedItem,
  closingItem,
  closingNote,
  isFreePlace,
  isTurn,
  isUnderWay,
  readNewestItems,
} from "../ledger/closed-conversation.ts";
import { type LeafErasure, readLeafErasure } from "../ledger/leaf-states.ts";
import { Log } from "../ledger/log.ts";
import { integerOf, textOf } from "../table/attributes.ts";
import { backoff } from "../table/backoff.ts";
import { allOf, type Condition, isEqual } from "../table/condition.ts";
import type { Item } from "../table/item.ts";
import { type ItemKey, leafKey, turnFrom, turnKey, turnOfKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import type { Write } from "../table/write.ts";

/** The most tries of one transaction that other processes are in the way of. */
const MAX_TRIES = 8;
const FIRST_TURN = 1;

/** A conversation, and what its last turn says. */
export interface Conversation {
  readonly partition: string;
  readonly newestTurn: number;
  /** Its newest receipt, and the note of an erasure that its leaf has. */
  readonly newest: ChainLeaf & { readonly erasure: LeafErasure | null };
  /** The note of work that was begun; null where none was. */
  readonly note: string | null;
}

/** Null where there is no turn, or none any more. Throws `ledger_corrupt`. */
export async function readConversation(table: Table, partition: string): Promise<Conversation | null> {
  try {
    return await readOnce(table, partition);
  } catch (error) {
    if (!isDisclosureError(error, "receipt_removed")) throw error;
    // A turn and its receipt are removed together, by another run just now: in that case neither is there any more.
    return readOnce(table, partition);
  }
}

async function readOnce(table: Table, partition: string): Promise<Conversation | null> {
  const { closing, turn } = await readNewestItems(table, partition);
  if (turn === null) return null;
  const entry = await new Log(table, textOf(turn, "chain_id")).entry(integerOf(turn, "leaf_index"));
  if (entry === null) throw new DisclosureError("ledger_corrupt", "a turn leads to no leaf");
  const note = closing.map(closingNote).find((text) => text !== null) ?? null;
  const newest = { ...readChainLeaf(entry), erasure: readLeafErasure(entry.item) };
  return { partition, newestTurn: turnOfKey(textOf(turn, "sk")), newest, note };
}

/**
 * Closes the conversation after its newest turn, and returns the note that counts: that of work which was begun before, by
 * a run that died or is under way, or ours. Throws `ledger_contended` where a receipt came in between, or that turn was taken.
 */
export async function closeConversation(
  table: Table,
  { partition, newestTurn, newest, note }: Conversation,
  ours: string,
): Promise<string> {
  if (note !== null) return note;
  const seconds = secondsOf(table);
  const writes: Write[] = [
    { check: turnKey(partition, newestTurn), when: leadsTo(newest) },
    { put: closingItem(partition, newestTurn + 1, ours), when: isFreePlace(seconds) },
  ];
  const outcome = await table.transact(writes, randomUUID());
  if (outcome.kind === "committed") return ours;
  const there = await readConversation(table, partition);
  if (there?.newestTurn === newestTurn && there.note !== null) return there.note;
  throw new DisclosureError("ledger_contended", "the conversation goes on, or the table is too busy");
}

/** Turns of a page; each takes a transaction of its own. */
const PAGE_TURNS = 100;

/**
 * Takes every turn with the writes that `take` gives for its item, the first turn last. Each turn is deleted with that, and
 * with the last one the conversation's note. Safe to repeat, and to run twice at a time. Returns how many it took itself.
 */
export async function takeTurns(
  table: Table,
  { partition }: Conversation,
  note: string,
  take: (turn: Item) => readonly Write[] | Promise<readonly Write[]>,
  onTurn: () => void = () => {},
): Promise<number> {
  const closing = await readClosing(table, partition, note);
  if (closing === null) return 0;
  let taken = 0;
  const takeOne = async (item: Item, underWay: Write) => {
    const writes = [...(await take(item)), { remove: keyOf(item) }, underWay];
    if (!(await transactOnce(table, keyOf(item), closing, writes))) return;
    taken++;
    onTurn();
  };
  for (let from = FIRST_TURN + 1; ; ) {
    const items = await table.query({ partition, from: turnFrom(from), limit: PAGE_TURNS });
    for (const item of items.filter((other) => isTurnBelow(other, closing)))
      await takeOne(item, { check: closing.key, when: isUnderWay(note) });
    const last = items.at(-1);
    if (last === undefined || items.length < PAGE_TURNS) break;
    from = turnOfKey(textOf(last, "sk")) + 1;
  }
  const first = await table.get(turnKey(partition, FIRST_TURN));
  if (first !== null && isTurn(first)) await takeOne(first, endOf(table, closing));
  else await table.transact([endOf(table, closing)], randomUUID());
  return taken;
}

/** The item that closes the conversation while the work is under way, and its note. */
interface Closing {
  readonly key: ItemKey;
  readonly note: string;
}

/** Null where the work has ended. */
async function readClosing(table: Table, partition: string, note: string): Promise<Closing | null> {
  const { closing } = await readNewestItems(table, partition);
  const item = closing.find((other) => closingNote(other) === note);
  return item === undefined ? null : { key: keyOf(item), note };
}

/** A turn in the place of the closing item, or after it, is of a conversation that began since. */
const isTurnBelow = (item: Item, { key }: Closing): boolean => isTurn(item) && textOf(item, "sk") < key.sk.S;

const endOf = (table: Table, { key: { pk, sk }, note }: Closing): Write => ({
  put: closedItem(pk.S, turnOfKey(sk.S), secondsOf(table)),
  when: isUnderWay(note),
});

/** False where another run has taken the turn, or ended the work. Throws `ledger_contended`, `ledger_unavailable`. */
async function transactOnce(
  table: Table,
  turn: ItemKey,
  { key, note }: Closing,
  writes: readonly Write[],
): Promise<boolean> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const outcome = await table.transact(writes, randomUUID());
    if (outcome.kind === "committed") return true;
    const [there, closing] = await Promise.all([table.get(turn), table.get(key)]);
    if (there === null || closing === null || closingNote(closing) !== note) return false;
    await backoff(tries);
  }
  throw new DisclosureError("ledger_contended", "the turn could not be taken: repeat the command");
}

/** Says whether a turn's item leads to this receipt. */
const leadsTo = ({ core, leaf }: ChainLeaf): Condition =>
  allOf(isEqual("chain_id", { S: core.chain_id }), isEqual("leaf_index", { N: String(leaf.leafIndex) }));

const keyOf = (item: Item): ItemKey => ({
  pk: { S: textOf(item, "pk") },
  sk: { S: textOf(item, "sk") },
});

/** The key of the leaf that a turn leads to. */
export const leafKeyOf = (turn: Item): ItemKey =>
  leafKey(textOf(turn, "chain_id"), integerOf(turn, "leaf_index"));

const secondsOf = ({ clock }: Pick<Table, "clock">): number => Math.floor(clock().getTime() / SECOND_MS);
