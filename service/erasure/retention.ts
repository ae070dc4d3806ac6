// Retention: conversations that ended before the tenant's months are removed whole. Their turns and requests go, and of each
// receipt only the leaf and the left path stay, so that every proof which somebody else holds remains whole, and a note.
// The table is walked in pieces; the place is saved, and a run that was cut off is continued by the next.
//
// For one conversation, each step is safe to repeat:
//  1. Read the newest turn. A conversation whose newest receipt is not old, not sealed, or its chain's newest is left alone.
//  2. Close the conversation, with a note of this removal.              Crash: it is closed; a repeat reads the note.
//  3. Delete each turn with the core of its receipt, the first one last: one transaction each.
//                                                                       Crash: the first turn leads the next run here.
//  4. With the first turn, the note ends.                               Crash: all is done.
import * as z from "zod";
import { canonicalize, parseJson } from "../../evidence/core/canonical-json.ts";
import { DisclosureError, isDisclosureError } from "../../evidence/core/errors.ts";
import { RECEIPT_ATTRIBUTES, removalOf, removedAttributes } from "../ledger/chain-leaf.ts";
import { type Removal, removalSchema } from "../ledger/leaf-states.ts";
import { Log, missingLeaf } from "../ledger/log.ts";
import { integerOf, textOf } from "../table/attributes.ts";
import { isEqual, itemExists } from "../table/condition.ts";
import type { Item } from "../table/item.ts";
import type { Table } from "../table/table.ts";
import type { Write } from "../table/write.ts";
import { closeConversation, leafKeyOf, readConversation, takeTurns } from "./conversation-turns.ts";
import type { RetainedChain } from "./retained-chains.ts";
import {
  type RetentionProgress,
  readRetentionProgress,
  saveRetentionProgress,
} from "./retention-progress.ts";

const noteSchema = z.object({ kind: z.literal("removal"), removal: removalSchema });
/** Every conversation has one item with this, and nothing else has. */
const FIRST_TURN = isEqual("turn", { N: "1" });

export interface RetentionOptions {
  /** The chains of the tenants with a retention, by id; see retained-chains.ts. */
  readonly chains: ReadonlyMap<string, RetainedChain>;
  /** Counts only, from the table's beginning, and writes nothing. */
  readonly isDryRun: boolean;
  /** A run for all tenants saves its place and continues an earlier one; a run for some tenants does neither. */
  readonly isResumable: boolean;
  readonly onProgress: (tally: RetentionTally) => void;
}

export interface RetentionTally {
  /** Conversations that the walk has met, those that are old enough, and what was removed (or would be). */
  seen: number;
  conversations: number;
  receipts: number;
  /** Old enough, and left alone: one that is being erased, that goes on, or whose items are damaged. */
  skipped: number;
}

export async function runRetention(table: Table, options: RetentionOptions): Promise<RetentionTally> {
  const tally: RetentionTally = { seen: 0, conversations: 0, receipts: 0, skipped: 0 };
  const saves = options.isResumable && !options.isDryRun;
  const before = saves ? await readRetentionProgress(table) : null;
  let place = before?.place ?? null;
  do {
    const { items, next } = await table.scanPiece(FIRST_TURN, place);
    // A crash leaves the place before this piece: what it has done already is not met again.
    for (const item of items) await removeIfOld(table, item, options, tally);
    place = next;
    if (before !== null) await saveProgress(table, place, before);
    options.onProgress(tally);
  } while (place !== null);
  return tally;
}

const saveProgress = (table: Table, place: Item | null, { completedAt }: RetentionProgress): Promise<void> =>
  saveRetentionProgress(table, {
    place,
    completedAt: place === null ? table.clock().toISOString() : completedAt,
  });

async function removeIfOld(
  table: Table,
  first: Item,
  { chains, isDryRun }: RetentionOptions,
  tally: RetentionTally,
): Promise<void> {
  tally.seen++;
  const chain = chains.get(first.chain_id?.S ?? "");
  if (chain === undefined || integerOf(first, "leaf_index") >= chain.end) return;
  try {
    const removed = await removeConversation(table, textOf(first, "pk"), chain, isDryRun);
    if (removed === null) return;
    tally.conversations++;
    tally.receipts += removed;
  } catch (error) {
    const isLeftAlone =
      isDisclosureError(error, "ledger_contended") || isDisclosureError(error, "ledger_corrupt");
    if (!isLeftAlone) throw error;
    tally.skipped++;
  }
}

/** The number of receipts that were removed, or would be; null where the conversation is left alone. */
async function removeConversation(
  table: Table,
  partition: string,
  chain: RetainedChain,
  isDryRun: boolean,
): Promise<number | null> {
  const conversation = await readConversation(table, partition);
  if (conversation === null) return null;
  const { leaf, core } = conversation.newest;
  // Its own time decides, too: what was removed under a shorter retention says nothing of the leaves before it.
  if (leaf.leafIndex >= chain.end || core.issued_at >= chain.cutoff) return null;
  if (conversation.note !== null && parseNote(conversation.note) === null) throw erasureBegun();
  if (isDryRun) return conversation.newestTurn;
  const ours: Removal = { removed_at: table.clock().toISOString(), months: chain.months };
  const ourNote = canonicalize({ kind: "removal", removal: ours });
  const note = await closeConversation(table, conversation, ourNote);
  const removal = parseNote(note);
  if (removal === null) throw erasureBegun();
  return takeTurns(table, conversation, note, (turn) => removed(table, turn, removal));
}

const erasureBegun = (): DisclosureError =>
  new DisclosureError(
    "ledger_contended",
    "an erasure of this conversation was begun, and must be repeated first",
  );

const parseNote = (note: string): Removal | null =>
  noteSchema.safeParse(parseJson(note)).data?.removal ?? null;

/** The write that takes a receipt's core from its leaf; none where another run took it just now. Throws `ledger_corrupt`. */
async function removed(table: Table, turn: Item, removal: Removal): Promise<Write[]> {
  const leafIndex = integerOf(turn, "leaf_index");
  const entry = (await new Log(table, textOf(turn, "chain_id")).entry(leafIndex)) ?? missingLeaf(leafIndex);
  if (removalOf(entry) !== null) return [];
  const set = removedAttributes(entry, removal);
  return [{ update: { key: leafKeyOf(turn), set, remove: RECEIPT_ATTRIBUTES, when: itemExists } }];
}
