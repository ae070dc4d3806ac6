// The place of a webhook, as somebody who writes the table leaves it: what comes after it is told all the same.
import { afterAll, afterEach, expect, test } from "vitest";
import { webhookCursorKey } from "../../../service/table/keys.ts";
import type { Item } from "../../support/items.ts";
import { HOUR, startLedgerStack } from "../../support/ledger-stack.ts";
import { deleteItem, readItem, writeItem } from "../../support/tamper.ts";
import { WebhookWorld } from "./webhook-world.ts";

const stack = await startLedgerStack();
const worlds: WebhookWorld[] = [];
afterEach(async () => {
  for (const { receiver } of worlds.splice(0)) await receiver.close();
});
afterAll(stack.close);

/** Two receipts that were told, and the place behind them. */
async function newWorld() {
  const world = await WebhookWorld.start(stack);
  worlds.push(world);
  await world.registry.set("tenant", world.receiver.url, ["sealed"]);
  const told = await world.attest(2);
  await world.seal();
  await world.deliver();
  expect(world.receiver.sealedIds.toSorted()).toEqual(told.toSorted());
  const { pk, sk } = webhookCursorKey("tenant", world.caller.chainIds[0] ?? "");
  const key = [pk.S, sk.S] as const;
  const edit = async (members: Item) =>
    writeItem(world.ledger, { ...(await readItem(world.ledger, key)), ...members });
  return { world, key, edit };
}

const waiting = (since: string, next: string): Item => ({
  attempts: { N: "1" },
  failing_since: { S: since },
  next_at: { S: next },
  last_status: { S: "500" },
});

test("a place behind all that is sealed is set back, which is told, and nothing after it is left out", async () => {
  const { world, edit } = await newWorld();
  await edit({ sequence: { N: "90" } });
  await world.deliver();
  expect(world.failures).toEqual([expect.objectContaining({ code: "ledger_corrupt" })]);
  const next = await world.attest(1, "next");
  await world.seal();
  await world.deliver();
  expect(world.receiver.sealedIds).toEqual(expect.arrayContaining(next));
});

test.each([
  ["longer than any wait", "2040-05-01T12:00:00.000Z", "2090-01-01T00:00:00.000Z"],
  ["of a failure still to come", "2090-01-01T00:00:00.000Z", "2040-05-01T12:30:00.000Z"],
  ["without a time", "then", "some day"],
])("a wait %s is none", async (_, since, next) => {
  const { world, edit } = await newWorld();
  await edit(waiting(since, next));
  const ids = await world.attest(1, "next");
  await world.seal();
  await world.deliver();
  expect(world.receiver.sealedIds).toEqual(expect.arrayContaining(ids));
});

test("a message that fails on under such a wait is given up a day later", async () => {
  const { world, edit } = await newWorld();
  await world.attest(1, "next");
  await world.seal();
  world.receiver.answer = () => ({ status: 500 });
  await edit(waiting("2090-01-01T00:00:00.000Z", "2090-01-01T00:00:00.000Z"));
  await world.deliver();
  world.ledger.now += 25 * HOUR;
  await world.deliver();
  expect(world.counted.webhookDeadLetters).toBe(1);
});

test("a place that is set back, or gone, has the same messages sent again, under the same ids", async () => {
  const { world, key, edit } = await newWorld();
  await edit({ sequence: { N: "0" } });
  await world.deliver();
  await deleteItem(world.ledger, key);
  await world.deliver();
  const ids = world.receiver.received.map(({ id }) => id);
  expect(new Set(ids).size).toBe(1);
  expect(ids.length).toBe(3);
});
