// The calls of the deliverer of webhooks, held against its policy.
import { afterAll, expect, test } from "vitest";
import { WebhookWorld } from "../service/webhooks/webhook-world.ts";
import { MINUTE, startLedgerStack } from "../support/ledger-stack.ts";
import { Recorder } from "./recorder.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

test("webhooks may make every call that it makes: messages that are taken, that fail, and that are given up", async () => {
  const world = await WebhookWorld.start(stack);
  await world.registry.set("tenant", world.receiver.url, ["sealed", "verdict"]);
  await world.attest(1);
  await world.seal();
  const recorder = new Recorder();
  world.receiver.answer = ({ body }) => ({ status: body.type === "receipts.sealed" ? 400 : 200 });
  for (const wait of [0, 25 * 60, 1]) {
    world.ledger.now += wait * MINUTE;
    await world.deliver(recorder.intercept);
  }
  await world.receiver.close();
  expect(world.counted).toEqual({ webhookFailures: 2, webhookDeadLetters: 1, webhookDeliveries: 1 });
  expect(recorder.written()).toEqual(["webhook#", "webhook#"]);
  expect(recorder.refusedTo("webhooks")).toEqual([]);
});
