// The call's report by event id, and the evidence bundle of one conversation.
import { type AttestationRequest, attestationRequestSchema } from "../core/attestation-request.ts";
import { parseJson } from "../core/canonical-json.ts";
import type { ComplianceReceipt } from "../core/compliance-receipt.ts";
import { DisclosureError } from "../core/errors.ts";
import { formatEventId, parseEventId } from "../core/event-id.ts";
import type { EvidenceBundle } from "../core/evidence-bundle.ts";
import { conversationPartition, turnFrom } from "./keys.ts";
import { integerOf, Log, textOf } from "./log.ts";
import type { Macs } from "./macs.ts";
import type { UnsignedReceipt } from "./report-format.ts";
import { ReportReader } from "./report-reader.ts";
import type { Item, Table } from "./table.ts";
import { type Caller, chainAt } from "./tenants.ts";

/** Receipts in one bundle: some 5 KB each, and a Lambda answer may have 6 MB. */
export const MAX_BUNDLE_TURNS = 500;
/** How many receipts of a bundle are read side by side. */
const READ_CONCURRENCY = 16;

export interface ReportServices {
  readonly table: Table;
  readonly macs: Macs;
}

/** The receipt of one event, with its proofs as of now. Throws `not_found` for an id that is none of the caller's. */
export async function readReport(
  { table, macs }: ReportServices,
  caller: Caller,
  eventId: string,
): Promise<ComplianceReceipt> {
  const place = parseEventId(eventId);
  const chainId = place === null ? null : chainAt(caller, place.shard);
  // The check value in the id is over the chain's own id, so another tenant's event is one that does not exist.
  if (place === null || chainId === null || formatEventId(chainId, place) !== eventId) throw noSuchEvent();
  if ((await new Log(table, chainId).entry(place.sequence)) === null) throw noSuchEvent();
  return macs.authenticateResponse(await new ReportReader(table).read(chainId, place.sequence));
}

/** Every receipt of a conversation from `fromTurn` on, at most MAX_BUNDLE_TURNS of them. Throws `not_found`. */
export async function readInteraction(
  { table, macs }: ReportServices,
  caller: Caller,
  interactionId: string,
  fromTurn: number,
): Promise<EvidenceBundle> {
  const partition = conversationPartition(caller.tenantId, interactionId);
  const items = await table.query({ partition, from: turnFrom(fromTurn), limit: MAX_BUNDLE_TURNS + 1 });
  const turns = items.slice(0, MAX_BUNDLE_TURNS);
  if (turns.length === 0) throw new DisclosureError("not_found", "there is no receipt of this interaction");
  const reader = new ReportReader(table);
  const reports = await readAll(reader, turns);
  return macs.authenticateResponse({
    interaction_id: interactionId,
    receipts: reports.flatMap(({ receipts }) => receipts),
    requests: turns.map(readRequest),
    proofs: reports.map(({ event_id, evidence_chain, merkle_proof }) => ({
      event_id,
      evidence_chain,
      merkle_proof,
    })),
    seals: reader.seals,
    next_turn: items.length > turns.length ? fromTurn + turns.length : null,
  });
}

async function readAll(reader: ReportReader, turns: readonly Item[]): Promise<UnsignedReceipt[]> {
  const reports: UnsignedReceipt[] = [];
  for (let start = 0; start < turns.length; start += READ_CONCURRENCY) {
    const group = turns.slice(start, start + READ_CONCURRENCY);
    const read = group.map((item) => reader.read(textOf(item, "chain_id"), integerOf(item, "leaf_index")));
    reports.push(...(await Promise.all(read)));
  }
  return reports;
}

/** The request as it was sent, or null where its identifiers were erased. */
function readRequest(item: Item): AttestationRequest | null {
  return item.request === undefined
    ? null
    : attestationRequestSchema.parse(parseJson(textOf(item, "request")));
}

const noSuchEvent = (): DisclosureError => new DisclosureError("not_found", "there is no such event");
