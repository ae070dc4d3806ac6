// Conversations that tests erase: a ledger with one that has ended, and what must hold once it is erased.
import { expect } from "vitest";
import type { LeafErasure } from "../../../service/ledger/leaf-states.ts";
import { conversationPartition } from "../../../service/table/keys.ts";
import {
  type Ledger,
  type LedgerStack,
  MINUTE,
  SECOND,
  type TestCaller,
} from "../../support/ledger-stack.ts";
import { requestOf } from "../../support/test-process.ts";
import { readPartitions } from "../../support/whole-log.ts";

export const CALL = "call-4711-unique";
export const OTHER = "another-call";
export const AGENT = "agents/unique-receptionist";
export const ORDER = {
  tenantId: "tenant",
  interactionId: CALL,
  erased_by: "data protection officer",
  ground: "request",
} as const;

export interface World {
  readonly ledger: Ledger;
  readonly caller: TestCaller;
  readonly eventIds: readonly string[];
}

/** Three turns of one conversation, between those of another, all sealed, and half an hour of silence. */
export async function newWorld(stack: LedgerStack, turns = 3): Promise<World> {
  const ledger = await stack.newLedger({ isSigned: false });
  const caller = await ledger.newTenant("tenant");
  const process = ledger.newProcess();
  const eventIds: string[] = [];
  for (let turn = 0; turn < turns; turn++) {
    await process.attest(caller, requestOf(OTHER));
    const { event_id } = await process.attest(caller, { ...requestOf(CALL), agent_identity: AGENT });
    eventIds.push(event_id);
    ledger.now += SECOND;
  }
  await process.seal();
  ledger.now += 30 * MINUTE;
  return { ledger, caller, eventIds };
}

/** All that the table holds, as text. */
export async function dump({ clients, name }: Ledger): Promise<string> {
  return JSON.stringify([...(await readPartitions({ dynamoDb: clients.dynamoDb, name }))], (_key, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value,
  );
}

/** Nothing leads from the old id to anything, the tombstones are one, and all that is proven still is. */
export async function expectErased({ ledger, caller, eventIds }: World): Promise<LeafErasure> {
  const process = ledger.newProcess();
  await expect(process.interaction(caller, CALL)).rejects.toMatchObject({ code: "not_found" });
  const text = await dump(ledger);
  expect([text.includes(CALL), text.includes(AGENT)]).toEqual([false, false]);
  const tombstones = new Set(text.match(/"\{\\"erased_at\\":.*?\}"/g));
  expect(tombstones.size).toBe(1);
  const erasure = JSON.parse(JSON.parse([...tombstones][0] ?? "")) as LeafErasure;

  const { conversations } = await ledger.check();
  expect(conversations.has(conversationPartition("tenant", CALL))).toBe(false);
  const bundle = await process.interaction(caller, erasure.interaction_id);
  expect(bundle.receipts.map(({ event_id }) => event_id)).toEqual(eventIds);
  expect(bundle.requests).toEqual(eventIds.map(() => null));
  const { interaction_id: _id, ...shown } = erasure;
  expect(bundle.erasures).toEqual(eventIds.map(() => shown));
  const other = await process.interaction(caller, OTHER);
  expect([other.receipts.length, other.erasures]).toEqual([eventIds.length, undefined]);
  expect(other.requests).not.toContain(null);
  return erasure;
}
