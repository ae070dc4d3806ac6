// Dead letters where there are more than one listing has.
import { afterAll, expect, test } from "vitest";
import type { Table } from "../../../service/table/table.ts";
import { TenantRegistry } from "../../../service/tenants/tenant-registry.ts";
import {
  giveUp,
  listDeadLetters,
  type MessagePlace,
  markDelivered,
  readCursor,
} from "../../../service/webhooks/delivery-state.ts";
import { retryDeadLetters } from "../../../service/webhooks/operate.ts";
import { startLedgerStack } from "../../support/ledger-stack.ts";
import { WebhookWorld } from "./webhook-world.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

async function giveUpAt(table: Table, chainId: string, place: MessagePlace): Promise<void> {
  const cursor = await readCursor(table, "tenant", chainId);
  const failing = { attempts: 1, since: "", nextAt: "", lastStatus: "500" };
  await giveUp(table, cursor, { place, next: cursor.place }, { failing, now: new Date() });
}

test("letters that were taken keep none of those behind them from being listed and sent again", async () => {
  const world = await WebhookWorld.start(stack);
  await world.registry.set("tenant", world.receiver.url, ["sealed", "verdict"]);
  await world.attest(1);
  await world.seal();
  const process = world.ledger.newProcess();
  const [chainId = ""] = world.caller.chainIds;
  // More than a listing has, all of them taken, and one behind them that was not.
  for (let step = 0; step < 101; step++) await giveUpAt(process.table, chainId, { sequence: 0, step });
  for (const letter of await listDeadLetters(process.table, "tenant"))
    await markDelivered(process.table, "tenant", letter, world.ledger.clock());
  const [left, ...others] = await listDeadLetters(process.table, "tenant");
  expect([left?.step, others]).toEqual([100, []]);
  const registry = new TenantRegistry(process.table, world.ledger.clock);
  const services = { ...world.services(process), registry, webhooks: world.registryOf(process) };
  const sent: number[] = [];
  await retryDeadLetters(services, "tenant", ({ letter }) => sent.push(letter.step));
  expect(sent).toEqual([100]);
  await world.receiver.close();
});
