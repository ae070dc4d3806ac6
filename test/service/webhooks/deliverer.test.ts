// Delivery of webhooks: what a receiver is told, in which order, and what becomes of what it does not take.
import { afterAll, afterEach, expect, test } from "vitest";
import { webhookKey } from "../../../service/table/keys.ts";
import { TenantRegistry } from "../../../service/tenants/tenant-registry.ts";
import { listDeadLetters } from "../../../service/webhooks/delivery-state.ts";
import { retryDeadLetters } from "../../../service/webhooks/operate.ts";
import { HOUR, MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { retain } from "../../support/retain.ts";
import { requestOf } from "../../support/test-process.ts";
import { isSignedUnder } from "../../support/webhook-receiver.ts";
import { WebhookWorld } from "./webhook-world.ts";

const stack = await startLedgerStack();
const worlds: WebhookWorld[] = [];
afterEach(async () => {
  for (const { receiver } of worlds.splice(0)) await receiver.close();
});
afterAll(stack.close);

async function newWorld(chains = 1): Promise<WebhookWorld> {
  const world = await WebhookWorld.start(stack, chains);
  worlds.push(world);
  await world.registry.set("tenant", world.receiver.url, ["sealed", "verdict"]);
  return world;
}

/**
 * Runs as often as it takes to tell of all: a run has its time, and a message that took too long is sent again a minute
 * later. On a busy machine there may be either.
 */
async function deliverAll(world: WebhookWorld, ids: readonly string[]): Promise<void> {
  await world.deliver();
  while (world.receiver.verdictIds.length < ids.length) {
    world.ledger.now += MINUTE;
    await world.deliver();
  }
}

test("receipts are told once their seal is published, at most a hundred a message, and the verdicts after them", async () => {
  const world = await newWorld();
  const ids = await world.attest(120);
  await world.deliver();
  expect(world.receiver.received).toEqual([]);
  await world.seal();
  await deliverAll(world, ids);
  expect(world.receiver.sealedIds.toSorted()).toEqual(ids.toSorted());
  // None of these wordings is approved.
  expect(world.receiver.verdictIds).toEqual(world.receiver.sealedIds);
  const types = new Map(world.receiver.received.map(({ id, body }) => [id, body.type]));
  const inOrder = [...types.values()];
  expect([inOrder.indexOf("receipts.sealed"), inOrder.lastIndexOf("receipts.sealed")]).toEqual([0, 101]);
  expect([inOrder.length, world.counted.webhookDeliveries]).toEqual([122, 122]);
  const before = world.receiver.received.length;
  await world.deliver();
  expect(world.receiver.received).toHaveLength(before);
});

test("each message is signed as the standard's own library demands, and tells no identifier", async () => {
  const world = await newWorld();
  await world.attest(1, "secret-conversation");
  await world.seal();
  await world.deliver();
  const secret = await world.secrets.show((await world.registry.get("tenant")).secret);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(world.receiver.received).toHaveLength(2);
  for (const received of world.receiver.received) {
    expect(isSignedUnder(secret, received)).toBe(true);
    expect(isSignedUnder(secret, { ...received, text: received.text.replace("type", "tyqe") })).toBe(false);
    expect(received.text).not.toMatch(/secret-conversation|agent\/7|tenant/);
  }
});

test("while a secret is rotated both sign, and the former one no longer after a day", async () => {
  const world = await newWorld();
  const former = await world.secrets.show((await world.registry.get("tenant")).secret);
  const secret = await world.secrets.show((await world.registry.rotate("tenant")).secret);
  expect(secret).not.toBe(former);
  await expect(world.registry.rotate("tenant")).rejects.toMatchObject({ code: "invalid_request" });
  const signedUnder = async () => {
    await world.attest(1);
    await world.seal();
    await world.deliver();
    const last = world.receiver.received.at(-1) ?? expect.fail("nothing was received");
    return [former, secret].map((each) => isSignedUnder(each, last));
  };
  expect(await signedUnder()).toEqual([true, true]);
  world.ledger.now += 24 * HOUR;
  expect(await signedUnder()).toEqual([false, true]);
});

test("a webhook begins with what is published after it was set, also after it was off", async () => {
  const world = await WebhookWorld.start(stack);
  worlds.push(world);
  await world.attest(2, "early");
  await world.seal();
  await world.registry.set("tenant", world.receiver.url, ["sealed"]);
  const ids = await world.attest(2, "late");
  await world.seal();
  await world.deliver();
  expect(world.receiver.sealedIds.toSorted()).toEqual(ids.toSorted());
  expect(world.receiver.verdictIds).toEqual([]);
  await world.registry.turnOff("tenant");
  await world.attest(1, "off");
  await world.seal();
  await world.deliver();
  await world.registry.set("tenant", world.receiver.url, ["sealed"]);
  await world.deliver();
  expect(world.receiver.sealedIds).toHaveLength(2);
});

test("a chain that came after the webhook is told from its first receipt on", async () => {
  const world = await newWorld();
  const { table } = world.ledger.newProcess();
  await new TenantRegistry(table, world.ledger.clock).raiseChains("tenant", 8);
  const requests = Array.from({ length: 8 }, (_, i) => requestOf(`call-${i}`));
  const process = world.ledger.newProcess();
  const caller = { ...world.caller, chains: 8 };
  const answers = await Promise.all(requests.map((request) => process.attest(caller, request)));
  await world.seal();
  await world.deliver();
  expect(world.receiver.sealedIds.toSorted()).toEqual(answers.map(({ event_id }) => event_id).toSorted());
  expect(new Set(answers.map(({ evidence_chain }) => evidence_chain.chain_id)).size).toBeGreaterThan(1);
});

test("deliverers side by side tell all; what one tells again has the same id and the same text", async () => {
  const world = await newWorld(3);
  const ids = await world.attest(12);
  await world.seal();
  await Promise.all([world.deliver(), world.deliver(), world.deliver()]);
  await deliverAll(world, ids);
  expect(world.receiver.sealedIds.toSorted()).toEqual(ids.toSorted());
  expect(world.receiver.verdictIds.toSorted()).toEqual(ids.toSorted());
  const texts = new Map<string, string>();
  for (const { id, text } of world.receiver.received) {
    expect(texts.get(id) ?? text).toBe(text);
    texts.set(id, text);
  }
  expect(texts.size).toBe(new Set(texts.values()).size);
});

test.each([
  ["fails", { status: 500 }],
  ["redirects", { status: 302, headers: { location: "http://127.0.0.1:9/" } }],
  ["does not answer", "hangs"],
  ["breaks off", "breaks off"],
] as const)(
  "a receiver that %s gets the message again, in its place, after a while",
  async (_what, answer) => {
    const world = await newWorld();
    const ids = await world.attest(2);
    await world.seal();
    world.receiver.answer = () => answer;
    await world.deliver();
    await world.deliver();
    expect(world.receiver.received).toHaveLength(1);
    world.receiver.answer = () => ({ status: 200, body: "x".repeat(100_000) });
    world.ledger.now += 2 * MINUTE;
    await world.deliver();
    const [first, second] = world.receiver.received;
    expect([second?.id, second?.text]).toEqual([first?.id, first?.text]);
    expect(world.receiver.verdictIds.toSorted()).toEqual(ids.toSorted());
  },
);

test("a receiver that asks to be left alone is left alone", async () => {
  const world = await newWorld();
  await world.attest(1);
  await world.seal();
  world.receiver.answer = () => ({ status: 429, headers: { "retry-after": "3600" } });
  await world.deliver();
  world.ledger.now += 59 * MINUTE;
  await world.deliver();
  expect(world.receiver.received).toHaveLength(1);
  world.ledger.now += 2 * MINUTE;
  await world.deliver();
  expect(world.receiver.received).toHaveLength(2);
});

test("a message that fails for a day becomes a dead letter, and the ones after it are told", async () => {
  const world = await newWorld();
  const ids = await world.attest(3);
  await world.seal();
  world.receiver.answer = ({ body }) => ({ status: body.type === "receipts.sealed" ? 400 : 200 });
  for (let hour = 0; hour <= 30; hour++) {
    await world.deliver();
    world.ledger.now += HOUR;
  }
  const { table } = world.ledger.newProcess();
  const [letter, ...others] = await listDeadLetters(table, "tenant");
  expect(others).toEqual([]);
  expect(letter).toMatchObject({ sequence: 0, step: 0, lastStatus: "400" });
  expect(world.receiver.verdictIds.toSorted()).toEqual(ids.toSorted());
  expect(world.counted.webhookDeadLetters).toBe(1);
});

test("dead letters are sent again on demand, under their old ids, until they are taken", async () => {
  const world = await newWorld();
  const ids = await world.attest(2);
  await world.seal();
  world.receiver.answer = () => ({ status: 400 });
  for (let hour = 0; hour <= 90; hour += 6) {
    await world.deliver();
    world.ledger.now += 6 * HOUR;
  }
  const process = world.ledger.newProcess();
  const registry = new TenantRegistry(process.table, world.ledger.clock);
  const services = { ...world.services(process), registry, webhooks: world.registryOf(process) };
  const retry = async () => {
    const statuses: unknown[] = [];
    await retryDeadLetters(services, "tenant", ({ posted }) => statuses.push(posted.status));
    return statuses;
  };
  expect(await listDeadLetters(process.table, "tenant")).toHaveLength(3);
  expect(await retry()).toEqual([400, 400, 400]);
  const before = new Set(world.receiver.received.map(({ id }) => id));
  world.receiver.received.length = 0;
  world.receiver.answer = () => ({ status: 200 });
  expect(await retry()).toEqual([200, 200, 200]);
  expect(new Set(world.receiver.received.map(({ id }) => id))).toEqual(before);
  expect([world.receiver.sealedIds, world.receiver.verdictIds]).toEqual([ids, ids]);
  expect(await retry()).toEqual([]);
});

test("a receiver that is gone is asked no more, and what waits for it stays", async () => {
  const world = await newWorld();
  const ids = await world.attest(1);
  await world.seal();
  world.receiver.answer = () => ({ status: 410 });
  await world.deliver();
  world.ledger.now += 24 * HOUR;
  await world.deliver();
  expect(world.receiver.received).toHaveLength(1);
  expect(world.counted.webhookDeadLetters).toBe(1);
  world.receiver.answer = () => ({ status: 200 });
  await world.registry.resume("tenant");
  await world.deliver();
  expect(world.receiver.verdictIds).toEqual(ids);
});

test("a late word that a receiver is gone does not stop the webhook that has another address by then", async () => {
  const world = await newWorld();
  const ids = await world.attest(1);
  await world.seal();
  const former = `${world.receiver.url}-former`;
  await world.registry.set("tenant", former, ["sealed", "verdict"]);
  world.receiver.answer = () => ({ status: 410 });
  await world.deliver(async ({ name, nth }, send) => {
    const answer = await send();
    // The operator sets the address right while the answer of the former one is on its way.
    if (name === "Post" && nth === 1)
      await world.registry.set("tenant", world.receiver.url, ["sealed", "verdict"]);
    return answer;
  });
  world.receiver.answer = () => ({ status: 200 });
  await world.deliver();
  expect(world.receiver.verdictIds).toEqual(ids);
});

test("a webhook whose secret is of a strange key is not signed, and keeps no other waiting", async () => {
  const world = await newWorld();
  const other = await world.ledger.newTenant("other");
  await world.registry.set("other", world.receiver.url, ["sealed"]);
  const { table } = world.ledger.newProcess();
  await table.update({ key: webhookKey("other"), set: { key_id: { S: "strange" } } });
  await world.ledger.newProcess().attest(other, requestOf("call"));
  const ids = await world.attest(1);
  await world.seal();
  await world.deliver();
  expect(world.receiver.sealedIds).toEqual(ids);
  expect(world.failures).toMatchObject([{ code: "ledger_corrupt" }]);
});

test("receipts that retention removed before they were told are passed over, and the ones after them are told", async () => {
  const world = await newWorld();
  const registry = new TenantRegistry(world.ledger.newProcess().table, world.ledger.clock);
  await registry.setRetention("tenant", 3);
  world.receiver.answer = () => ({ status: 500 });
  const removed = await world.attest(3, "old");
  await world.seal();
  await world.deliver();
  world.ledger.now += 150 * 24 * HOUR;
  const ids = await world.attest(2, "new");
  await world.seal();
  expect(await retain(world.ledger)).toMatchObject({ receipts: removed.length });
  const before = world.receiver.received.length;
  world.receiver.answer = () => ({ status: 200 });
  await world.deliver();
  const told = world.receiver.received.slice(before).map(({ body }) => body);
  expect(JSON.stringify(told)).not.toMatch(new RegExp(removed.join("|")));
  expect(world.receiver.verdictIds.slice(-2).toSorted()).toEqual(ids.toSorted());
  expect(world.failures).toEqual([]);
});
