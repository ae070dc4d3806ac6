// The crash table of a delivery: every call that it makes, with everything that can become of a call.
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { crashTable, faultAt, type Step } from "../../support/faults.ts";
import { MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { WebhookWorld } from "./webhook-world.ts";

const stack = await startLedgerStack();
const worlds: WebhookWorld[] = [];
afterEach(async () => {
  for (const { receiver } of worlds.splice(0)) await receiver.close();
});
afterAll(stack.close);

/** Two seals over one chain: three messages each, one for the receipts and two for verdicts. */
async function newWorld() {
  const world = await WebhookWorld.start(stack);
  worlds.push(world);
  await world.registry.set("tenant", world.receiver.url, ["sealed", "verdict"]);
  const ids: string[] = [];
  for (const prefix of ["first", "second"]) {
    ids.push(...(await world.attest(1, prefix)), ...(await world.attest(1, prefix)));
    await world.seal();
  }
  return { world, ids };
}

async function stepsOfGoodRun(): Promise<Step[]> {
  const { world } = await newWorld();
  const steps: Step[] = [];
  await world.deliver((call, send) => {
    steps.push({ name: call.name, nth: call.nth });
    return send();
  });
  return steps;
}

const rows = crashTable(await stepsOfGoodRun());

describe("after a delivery in which", () => {
  test.each(rows)("$title, later ones have told all, in the order of the chain", async ({ step, mode }) => {
    const { world, ids } = await newWorld();
    const died = Promise.withResolvers<void>();
    const rival = () => world.deliver();
    const run = world.deliver(faultAt(step, mode, { rival, died: died.resolve })).catch(() => {});
    await Promise.race([run, died.promise]);
    for (let later = 0; later < 2; later++) {
      world.ledger.now += 3 * MINUTE;
      await world.deliver();
    }
    expect([world.receiver.sealedIds, world.receiver.verdictIds]).toEqual([ids, ids]);
    const texts = new Map(world.receiver.received.map(({ id, text }) => [id, text]));
    expect(texts.size).toBe(6);
    for (const { id, text } of world.receiver.received) expect(texts.get(id)).toBe(text);
    const { length } = world.receiver.received;
    await world.deliver();
    expect(world.receiver.received).toHaveLength(length);
  });
});
