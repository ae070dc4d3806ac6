// A conversation that is erased or removed is closed first: an item in the place of its next turn refuses whoever would go
// on with it, even a process that remembers its newest turn. While the work is under way, the item holds a note of it.
// After that it stays for twenty minutes and says nothing but that: by then no process remembers the conversation
// (chain-memory.ts), AWS refuses a request that was signed before, and the id can begin a conversation anew.
import { TIME_TO_LIVE } from "../../contract/table.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { integerOf, textOf } from "../table/attributes.ts";
import { anyOf, type Condition, isAtMost, isEqual, noItemExists } from "../table/condition.ts";
import type { Item } from "../table/item.ts";
import { turnFrom, turnKey, turnOfKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";

/** Longer than a process remembers a turn, and than a signed request may wait. */
export const CLOSED_SECONDS = 20 * 60;
const NOTE = "closing";
/** DynamoDB deletes the item some time after that. */
const EXPIRES_AT = TIME_TO_LIVE;

/** A place of a turn is free where there is nothing, or what closed the conversation and has had its time. */
export const isFreePlace = (seconds: number): Condition =>
  anyOf(noItemExists, isAtMost(EXPIRES_AT, { N: String(seconds) }));

/** Says whether an item closes the conversation for the work of this note, which is under way. */
export const isUnderWay = (note: string): Condition => isEqual(NOTE, { S: note });

/** The item in the place after the newest turn, while the work is under way. */
export const closingItem = (conversation: string, turn: number, note: string): Item => ({
  ...turnKey(conversation, turn),
  [NOTE]: { S: note },
});

/** The item in the same place once the work is done. It has no note. */
export const closedItem = (conversation: string, turn: number, seconds: number): Item => ({
  ...turnKey(conversation, turn),
  [EXPIRES_AT]: { N: String(seconds + CLOSED_SECONDS) },
});

/** An item that does not close the conversation counts as a turn, be it a damaged one. */
export const isTurn = (item: Item): boolean => item[NOTE] === undefined && item[EXPIRES_AT] === undefined;

/** The note of the work that is under way; null where none is. */
export const closingNote = (item: Item): string | null => item[NOTE]?.S ?? null;

/** The newest items of a conversation: those that close it, newest first, and the turn below them. */
export interface NewestItems {
  readonly closing: readonly Item[];
  readonly turn: Item | null;
}

/** A conversation that was never closed takes one read. */
export async function readNewestItems(
  table: Pick<Table, "newest">,
  conversation: string,
  upTo?: string,
): Promise<NewestItems> {
  const closing: Item[] = [];
  let item = await table.newest(conversation, upTo);
  while (item !== null && !isTurn(item)) {
    closing.push(item);
    const turn = turnOfKey(textOf(item, "sk"));
    item = turn > 1 ? await table.newest(conversation, turnFrom(turn - 1)) : null;
  }
  return { closing, turn: item };
}

/** Says whether an item that closes a conversation still does. */
export const isInForce = (item: Item, seconds: number): boolean =>
  closingNote(item) !== null || integerOf(item, EXPIRES_AT) > seconds;

export const conversationClosed = (): DisclosureError =>
  new DisclosureError("ledger_contended", "the conversation was erased or removed just now");
