// Readers with a tenant's key: reports, bundles and lists, each verified as our client does it.
import { DisclosureClient } from "../../../clients/client/disclosure-client.ts";
import { isClientError } from "../../../clients/client/errors.ts";
import { indexIn } from "../../throughput/random.ts";
import type { LoadTenant } from "../world/tenants.ts";
import type { HadConversation } from "./conversations.ts";
import { type ReaderParts, readOn } from "./reading.ts";

/** A reader waits longer than a machine under faults takes to serve again. */
const PATIENCE = { attempts: 20, timeoutMs: 15_000, deadlineMs: 60_000 };
const NOT_FOUND = 404;
/** Rows of a list that are read at a time. */
const MAX_ROWS = 300;
const LIST_OF_MS = 30_000;

/** One reader of each kind for all tenants. */
export function readEvidence(reading: ReaderParts): Promise<unknown> {
  const clients = new Map(reading.tenants.map((tenant) => [tenant, openClient(reading, tenant)]));
  const clientOf = (tenant: LoadTenant): DisclosureClient =>
    clients.get(tenant) ?? openClient(reading, tenant);
  return Promise.all([
    readOn(reading, "report", () => readReport(reading, clientOf)),
    readOn(reading, "bundle", () => readBundle(reading, clientOf)),
    readOn(reading, "list", () => readList(reading, clientOf)),
  ]);
}

const openClient = ({ url, trustAnchorsPem }: ReaderParts, { apiKey }: LoadTenant): DisclosureClient =>
  new DisclosureClient({
    baseUrl: url,
    apiKey,
    trustAnchors: trustAnchorsPem,
    ...PATIENCE,
    onWarning: () => {},
  });

type ClientOf = (tenant: LoadTenant) => DisclosureClient;

async function readReport({ conversations, random }: ReaderParts, clientOf: ClientOf): Promise<boolean> {
  const had = conversations.any(random);
  const eventId = had?.eventIds[indexIn(random, had.eventIds.length)];
  if (had === null || eventId === undefined) return false;
  await clientOf(had.tenant).report(eventId);
  return true;
}

async function readBundle(reading: ReaderParts, clientOf: ClientOf): Promise<boolean> {
  const { conversations, random } = reading;
  const had = conversations.any(random);
  if (had === null || conversations.isErased(had)) return false;
  try {
    const { receipts } = await clientOf(had.tenant).interaction(had.interactionId);
    requireTurns(had, new Set(receipts.map(({ event_id }) => event_id)));
  } catch (error) {
    // It may have been erased while it was read.
    if (conversations.isErased(had) && !isClientError(error, "receipt_invalid")) return false;
    throw error;
  }
  return true;
}

function requireTurns({ eventIds }: HadConversation, found: ReadonlySet<string>): void {
  const missing = eventIds.filter((eventId) => !found.has(eventId));
  if (missing.length > 0) throw new Error(`a bundle lacks ${missing.length} of ${eventIds.length} receipts`);
}

/** The receipts of the last half minute: a row of each report that can be had. */
async function readList({ tenants, random, over }: ReaderParts, clientOf: ClientOf): Promise<boolean> {
  const tenant = tenants[indexIn(random, tenants.length)];
  if (tenant === undefined) return false;
  const from = new Date(Date.now() - LIST_OF_MS).toISOString();
  let [rows, last] = [0, ""];
  for await (const { event_id } of clientOf(tenant).receipts({ from, signal: over })) {
    last = event_id;
    if (++rows === MAX_ROWS) break;
  }
  if (last === "") return false;
  await clientOf(tenant)
    .report(last)
    .catch((error: unknown) => {
      if (isClientError(error) && error.status === NOT_FOUND)
        throw new Error("a listed receipt has no report");
      throw error;
    });
  return true;
}
