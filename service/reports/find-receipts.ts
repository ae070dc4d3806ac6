// Receipts as an operator looks them up: by an event id, whichever tenant has it, or by a conversation. Nothing of a request
// is read, and nothing is written.
import { DisclosureError } from "../../evidence/core/errors.ts";
import type { Erasure } from "../../evidence/core/formats/erasure.ts";
import { formatEventId, parseEventId } from "../../evidence/core/formats/event-id.ts";
import { chainIdOf } from "../../evidence/core/formats/tenant-anchor.ts";
import { type ChainLeaf, removalOf } from "../ledger/chain-leaf.ts";
import { isTurn } from "../ledger/closed-conversation.ts";
import type { Removal } from "../ledger/leaf-states.ts";
import { Log } from "../ledger/log.ts";
import { checkRemoval, readNotedLeaf } from "../ledger/plausible-notes.ts";
import { SealRecords } from "../seals/seal-records.ts";
import { readSpanOver } from "../seals/span.ts";
import { integerOf, textOf } from "../table/attributes.ts";
import { mapInGroups } from "../table/in-groups.ts";
import { conversationPartition } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import type { TenantRegistry } from "../tenants/tenant-registry.ts";

/** Receipts of a conversation that are read at the same time. */
const READ_CONCURRENCY = 16;

export interface FoundReceipt {
  readonly tenantId: string;
  readonly chainId: string;
  readonly sequence: number;
  /** Null where retention removed the receipt. */
  readonly receipt: {
    readonly eventId: string;
    readonly issuedAt: string;
    readonly turn: number;
    readonly verdict: string;
    readonly findings: readonly string[];
    readonly wordingId: string | null;
  } | null;
  /** The first seal over it; null while there is none. */
  readonly seal: { readonly index: number; readonly isPublished: boolean } | null;
  /** Null where its conversation was not erased. */
  readonly erasure: Erasure | null;
  readonly removal: Removal | null;
}

export interface FindServices {
  readonly table: Table;
  readonly registry: TenantRegistry;
}

interface TenantLeaf {
  readonly tenantId: string;
  readonly chainId: string;
  readonly sequence: number;
}

/**
 * The receipt of an event. Its id names shard and sequence, and a check value over the chain's id tells whose it is: each
 * tenant's anchor is tried. Throws `not_found`, `ledger_corrupt`.
 */
export async function findByEventId(services: FindServices, eventId: string): Promise<FoundReceipt> {
  const id = eventId.toLowerCase();
  const place = parseEventId(id);
  if (place === null) throw new DisclosureError("not_found", `${eventId} is no event id of this service`);
  for (const [tenantId, { tenantAnchor }] of await services.registry.tenantChains()) {
    const chainId = chainIdOf(tenantAnchor, place.shard);
    if (formatEventId(chainId, place) !== id) continue;
    return readReceipt(services.table, { tenantId, chainId, sequence: place.sequence });
  }
  throw new DisclosureError("not_found", `no tenant has a chain for the event ${eventId}`);
}

/** The receipts of a conversation in the order of their turns. Throws `not_found`. */
export async function findByInteraction(
  { table, registry }: FindServices,
  tenantId: string,
  interactionId: string,
): Promise<FoundReceipt[]> {
  await registry.get(tenantId);
  const items = await table.query({ partition: conversationPartition(tenantId, interactionId) });
  const turns = items.filter(isTurn);
  if (turns.length === 0)
    throw new DisclosureError("not_found", `${tenantId} has no receipt of this conversation`);
  return mapInGroups(turns, READ_CONCURRENCY, (turn) =>
    readReceipt(table, {
      tenantId,
      chainId: textOf(turn, "chain_id"),
      sequence: integerOf(turn, "leaf_index"),
    }),
  );
}

async function readReceipt(table: Table, place: TenantLeaf): Promise<FoundReceipt> {
  const { chainId, sequence } = place;
  const log = new Log(table, chainId);
  const entry = await log.entry(sequence);
  if (entry === null) return noLeaf(log, sequence);
  const removal = removalOf(entry);
  await checkRemoval(table, chainId, entry);
  const noted = removal === null ? await readNotedLeaf(table, chainId, entry) : null;
  return {
    ...place,
    receipt: noted && describeReceipt(noted.receipt),
    seal: await readSeal(table, place),
    erasure: noted?.erasure ?? null,
    removal,
  };
}

function describeReceipt({ core }: ChainLeaf): FoundReceipt["receipt"] {
  const { event_id, issued_at, turn, verdict, policy } = core;
  const { findings, wording_id } = policy;
  return { eventId: event_id, issuedAt: issued_at, turn, verdict, findings, wordingId: wording_id };
}

async function readSeal(table: Table, { chainId, sequence }: TenantLeaf): Promise<FoundReceipt["seal"]> {
  const span = await readSpanOver(table, chainId, sequence);
  const record = span === null ? null : await new SealRecords(table).shownOver(span.leafIndex);
  return record && { index: record.tree.index, isPublished: record.isPublished };
}

/** A leaf that is gone from under newer ones is damage; one behind the newest never was. */
async function noLeaf(log: Log, sequence: number): Promise<never> {
  const newest = await log.newest();
  if (newest === null || newest.leaf.leafIndex < sequence)
    throw new DisclosureError("not_found", "the chain has no such receipt yet");
  throw new DisclosureError("ledger_corrupt", "a leaf is missing from the table", { leafIndex: sequence });
}
