// Erases the identifiers of one conversation, and leaves every receipt and proof as it is. Its turns move, without their
// requests, to a random id that nobody else knows. Each of the steps is safe to repeat, and a repeat finishes the work.
//
//  1. Read the newest turn. A conversation that may go on is refused.   Crash: nothing is written.
//  2. Close the conversation, with a note of the tombstone and the new id.
//                                                                       Crash: it is closed; a repeat reads the note.
//  3. Move each turn, the first one last: one transaction writes the turn under the new id without its request, deletes
//     the old one and writes the tombstone to the leaf.                 Crash: a repeat moves the others.
//  4. With the first turn, the note ends.                               Crash: all is done; nothing is left under the old id.
//  5. Verify every receipt from its leaf to the chain's newest root.    Crash: the same.
import { randomBytes } from "node:crypto";
import * as z from "zod";
import { MINUTE_MS } from "../../contract/time.ts";
import { canonicalize, parseJson } from "../../evidence/core/canonical-json.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { ERASED_ID_PREFIX, type Erasure } from "../../evidence/core/formats/erasure.ts";
import { readChainLeaf } from "../ledger/chain-leaf.ts";
import { isTurn } from "../ledger/closed-conversation.ts";
import { erasureAttribute, type LeafErasure, leafErasureSchema, readErasure } from "../ledger/leaf-states.ts";
import { Log } from "../ledger/log.ts";
import { integerOf, textOf } from "../table/attributes.ts";
import { itemExists } from "../table/condition.ts";
import type { Item } from "../table/item.ts";
import { conversationPartition, turnKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import type { Write } from "../table/write.ts";
import {
  type Conversation,
  closeConversation,
  leafKeyOf,
  readConversation,
  takeTurns,
} from "./conversation-turns.ts";

/** A conversation with a younger receipt may go on. */
export const QUIET_MINUTES = 20;
/** RFC 4648 base32 in lower case: five bits a character, 130 in all. */
const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";
const ID_LENGTH = 26;

const noteSchema = z.object({ kind: z.literal("erasure"), erasure: leafErasureSchema });

export interface ErasureOrder extends Pick<Erasure, "erased_by" | "ground"> {
  readonly tenantId: string;
  readonly interactionId: string;
  /** Somebody who makes the calls knows that no further turn comes, however young the last one is. */
  readonly hasEnded?: boolean;
}

/** The conversation as it is before. */
export interface ErasureOutlook {
  /** Turns that are still under its id. */
  readonly turns: number;
  /** When the newest of them was issued. */
  readonly lastIssuedAt: string;
  /** The tombstone of a run that was cut off; a repeat completes it. */
  readonly begun: LeafErasure | null;
}

export interface ErasureResult {
  readonly erasure: LeafErasure;
  /** Receipts of the conversation, all verified after the erasure. */
  readonly receipts: number;
}

/**
 * Reads what an erasure would meet, and writes nothing. Throws `not_found` where there is nothing under the id, and
 * `invalid_request` where the conversation may go on, was erased already, or is being removed.
 */
export async function foreseeErasure(table: Table, order: ErasureOrder): Promise<ErasureOutlook> {
  const conversation = await find(table, order);
  let turns = 0;
  for await (const page of table.pages({ partition: conversation.partition }))
    turns += page.filter(isTurn).length;
  return { turns, lastIssuedAt: conversation.newest.core.issued_at, begun: begunIn(conversation) };
}

/** Throws what `foreseeErasure` throws, `ledger_contended` where a receipt comes meanwhile, and `ledger_corrupt`. */
export async function erase(
  table: Table,
  order: ErasureOrder,
  onTurn: () => void = () => {},
): Promise<ErasureResult> {
  const conversation = await find(table, order);
  const ours: LeafErasure = {
    erased_at: table.clock().toISOString(),
    erased_by: order.erased_by,
    ground: order.ground,
    interaction_id: newId(),
  };
  const note = await closeConversation(table, conversation, canonicalize({ kind: "erasure", erasure: ours }));
  const erasure = parseNote(note) ?? isBeingRemoved();
  const partition = conversationPartition(order.tenantId, erasure.interaction_id);
  await takeTurns(table, conversation, note, (turn) => moved(turn, partition, erasure), onTurn);
  return { erasure, receipts: await verify(table, partition) };
}

async function find(
  table: Table,
  { tenantId, interactionId, hasEnded = false }: ErasureOrder,
): Promise<Conversation> {
  const partition = conversationPartition(tenantId, interactionId);
  const conversation = await readConversation(table, partition);
  if (conversation === null) {
    const message = `nothing of ${tenantId} is recorded under this id: it never was, or it is erased or removed already`;
    throw new DisclosureError("not_found", message);
  }
  if (conversation.note !== null) {
    if (begunIn(conversation) === null) isBeingRemoved();
    return conversation;
  }
  requireUnerased(conversation, interactionId);
  if (!hasEnded) requireQuiet(table, conversation);
  return conversation;
}

/** An erasure leaves nothing under the id: a note of one to another id was put there by hand, and the true one replaces it. */
function requireUnerased({ newest: { erasure } }: Conversation, interactionId: string): void {
  if (erasure === null || erasure.interaction_id !== interactionId) return;
  const message = `it was erased on ${erasure.erased_at} by ${erasure.erased_by} already`;
  throw new DisclosureError("invalid_request", message);
}

function requireQuiet(table: Table, { newest }: Conversation): void {
  const ageMs = table.clock().getTime() - Date.parse(newest.core.issued_at);
  if (ageMs < QUIET_MINUTES * MINUTE_MS) {
    const message = `the conversation has a receipt of the last ${QUIET_MINUTES} minutes and may go on: repeat this after ${QUIET_MINUTES} minutes without one`;
    throw new DisclosureError("invalid_request", message);
  }
}

const begunIn = ({ note }: Conversation): LeafErasure | null => (note === null ? null : parseNote(note));

/** Null for the note of another kind of work. */
const parseNote = (note: string): LeafErasure | null =>
  noteSchema.safeParse(parseJson(note)).data?.erasure ?? null;

function isBeingRemoved(): never {
  throw new DisclosureError(
    "invalid_request",
    "the conversation is being removed under retention: run admin retention again",
  );
}

const newId = (): string =>
  ERASED_ID_PREFIX + [...randomBytes(ID_LENGTH)].map((byte) => BASE32[byte % BASE32.length]).join("");

/** The writes that move one turn to the new id, without the request, and put the tombstone on its leaf. */
function moved(turn: Item, partition: string, erasure: LeafErasure): Write[] {
  const { request: _request, ...rest } = turn;
  return [
    { insert: { ...rest, ...turnKey(partition, integerOf(turn, "turn")) } },
    { update: { key: leafKeyOf(turn), set: erasureAttribute(erasure), when: itemExists } },
  ];
}

/** How many receipts of the conversation lead to their chain's newest root. Throws `ledger_corrupt` for one that does not. */
async function verify(table: Table, partition: string): Promise<number> {
  let receipts = 0;
  for await (const page of table.pages({ partition })) {
    for (const turn of page.filter(isTurn)) {
      await verifyTurn(table, turn);
      receipts++;
    }
  }
  return receipts;
}

async function verifyTurn(table: Table, turn: Item): Promise<void> {
  const log = new Log(table, textOf(turn, "chain_id"));
  const newest = await log.newest();
  const size = newest === null ? 0 : newest.leaf.leafIndex + 1;
  const { entry } = await log.inclusionProof(integerOf(turn, "leaf_index"), size);
  readChainLeaf(entry);
  if (readErasure(entry.item) === null)
    throw new DisclosureError("ledger_corrupt", "a receipt that was moved has no tombstone");
}
