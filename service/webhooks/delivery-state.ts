// How far each chain of a tenant is delivered, and the messages that were given up. A place moves by a condition on where
// it was, so that of two deliverers one moves it.
import { randomUUID } from "node:crypto";
import { DAY_SECONDS, SECOND_MS } from "../../contract/time.ts";
import { integerOf, textOf } from "../table/attributes.ts";
import { allOf, type Condition, isEqual, noItemExists } from "../table/condition.ts";
import type { Item } from "../table/item.ts";
import { deadLetterKey, deadLettersOf, webhookCursorKey, webhookKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";

/** Dead letters that are listed at a time. */
const MAX_LISTED = 100;
const DELIVERED_AT = "delivered_at";
/** A dead letter that was delivered after all is kept so long, for the operator. */
const KEPT_DAYS = 30;

/** A place in the messages of a chain. */
export interface MessagePlace {
  /** The receipt that the next message's range begins with. */
  readonly sequence: number;
  /** The message of that range: 0 names its receipts, n tells of the verdict of the nth. */
  readonly step: number;
}

/** Tries of the message at a place that have failed. */
export interface Failing {
  readonly attempts: number;
  /** RFC 3339, as the next one. */
  readonly since: string;
  readonly nextAt: string;
  /** The HTTP status of the last try, or why there was none. */
  readonly lastStatus: string;
}

export interface Cursor {
  readonly tenantId: string;
  readonly chainId: string;
  readonly place: MessagePlace;
  readonly failing: Failing | null;
  /** False for a chain that came after the webhook: the table has no place of it yet. */
  readonly isStored: boolean;
}

export interface DeadLetter extends MessagePlace {
  readonly chainId: string;
  readonly lastStatus: string;
  readonly attempts: number;
  /** RFC 3339. */
  readonly givenUpAt: string;
}

const placeAttributes = ({ sequence, step }: MessagePlace): Item => ({
  sequence: { N: String(sequence) },
  step: { N: String(step) },
});
const FAILING = ["attempts", "failing_since", "next_at", "last_status"];

/** Puts a chain's place, whatever it was. */
export const writeCursor = (
  table: Table,
  tenantId: string,
  chainId: string,
  sequence: number,
): Promise<void> =>
  table.put({ ...webhookCursorKey(tenantId, chainId), ...placeAttributes({ sequence, step: 0 }) });

export async function readCursor(table: Table, tenantId: string, chainId: string): Promise<Cursor> {
  const item = await table.get(webhookCursorKey(tenantId, chainId));
  if (item === null)
    return { tenantId, chainId, place: { sequence: 0, step: 0 }, failing: null, isStored: false };
  const place = { sequence: integerOf(item, "sequence"), step: integerOf(item, "step") };
  return { tenantId, chainId, place, failing: readFailing(item), isStored: true };
}

const readFailing = (item: Item): Failing | null =>
  item.attempts === undefined
    ? null
    : {
        attempts: integerOf(item, "attempts"),
        since: textOf(item, "failing_since"),
        nextAt: textOf(item, "next_at"),
        lastStatus: textOf(item, "last_status"),
      };

const isAsRead = ({ isStored, place: { sequence, step } }: Cursor): Condition =>
  isStored
    ? allOf(isEqual("sequence", { N: String(sequence) }), isEqual("step", { N: String(step) }))
    : noItemExists;

/** Null where another deliverer has moved the place meanwhile. */
export async function moveCursor(table: Table, cursor: Cursor, place: MessagePlace): Promise<Cursor | null> {
  const key = webhookCursorKey(cursor.tenantId, cursor.chainId);
  const change = { key, set: placeAttributes(place), remove: FAILING, when: isAsRead(cursor) };
  return (await table.update(change)) ? { ...cursor, place, failing: null, isStored: true } : null;
}

/** Notes a try that failed. It changes nothing where another deliverer has moved the place meanwhile. */
export async function noteFailure(table: Table, cursor: Cursor, failing: Failing): Promise<void> {
  const { attempts, since, nextAt, lastStatus } = failing;
  await table.update({
    key: webhookCursorKey(cursor.tenantId, cursor.chainId),
    set: {
      ...placeAttributes(cursor.place),
      attempts: { N: String(attempts) },
      failing_since: { S: since },
      next_at: { S: nextAt },
      last_status: { S: lastStatus },
    },
    when: isAsRead(cursor),
  });
}

/** Has the next run try at once. */
export async function forgetWait(table: Table, cursor: Cursor): Promise<void> {
  if (cursor.failing === null) return;
  const key = webhookCursorKey(cursor.tenantId, cursor.chainId);
  await table.update({ key, remove: FAILING, when: isAsRead(cursor) });
}

/** Gives up the message at `place` and moves on, in one transaction. Null where another deliverer was faster. */
export async function giveUp(
  table: Table,
  cursor: Cursor,
  { place, next }: { readonly place: MessagePlace; readonly next: MessagePlace },
  { failing, now }: { readonly failing: Failing; readonly now: Date },
): Promise<Cursor | null> {
  const { tenantId, chainId } = cursor;
  const letter = {
    ...deadLetterKey(tenantId, chainId, place.sequence, place.step),
    ...placeAttributes(place),
    chain_id: { S: chainId },
    attempts: { N: String(failing.attempts) },
    last_status: { S: failing.lastStatus },
    given_up_at: { S: now.toISOString() },
  };
  const moved = { ...webhookCursorKey(tenantId, chainId), ...placeAttributes(next) };
  const writes = [{ put: letter }, { put: moved, when: isAsRead(cursor) }];
  const { kind } = await table.transact(writes, randomUUID());
  return kind === "committed" ? { ...cursor, place: next, failing: null, isStored: true } : null;
}

/** Stops a webhook whose receiver is gone for good; not one that has got another address meanwhile. */
export const stopWebhook = async (
  table: Table,
  { tenantId, url }: { readonly tenantId: string; readonly url: string },
  now: Date,
): Promise<void> => {
  const stopped = { stopped_at: { S: now.toISOString() } };
  await table.update({ key: webhookKey(tenantId), setOnce: stopped, when: isEqual("url", { S: url }) });
};

/** The messages that were given up and not taken since, chain by chain in their order. */
export async function* deadLetters(table: Table, tenantId: string): AsyncGenerator<DeadLetter> {
  for await (const page of table.pages(deadLettersOf(tenantId)))
    for (const item of page) if (item[DELIVERED_AT] === undefined) yield readDeadLetter(item);
}

/** The first of them. */
export async function listDeadLetters(table: Table, tenantId: string): Promise<DeadLetter[]> {
  const letters: DeadLetter[] = [];
  for await (const letter of deadLetters(table, tenantId)) {
    letters.push(letter);
    if (letters.length === MAX_LISTED) break;
  }
  return letters;
}

const readDeadLetter = (item: Item): DeadLetter => ({
  chainId: textOf(item, "chain_id"),
  sequence: integerOf(item, "sequence"),
  step: integerOf(item, "step"),
  attempts: integerOf(item, "attempts"),
  lastStatus: textOf(item, "last_status"),
  givenUpAt: textOf(item, "given_up_at"),
});

export async function markDelivered(
  table: Table,
  tenantId: string,
  { chainId, sequence, step }: DeadLetter,
  now: Date,
): Promise<void> {
  const end = Math.floor(now.getTime() / SECOND_MS) + KEPT_DAYS * DAY_SECONDS;
  const set = { [DELIVERED_AT]: { S: now.toISOString() }, expires_at: { N: String(end) } };
  await table.update({ key: deadLetterKey(tenantId, chainId, sequence, step), set });
}
