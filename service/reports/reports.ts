// The report of one event, and the evidence bundle of one conversation, page by page.
import { DisclosureError } from "../../evidence/core/errors.ts";
import { attestationRequestSchema, hashInput } from "../../evidence/core/formats/attestation-request.ts";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import { formatEventId, parseEventId } from "../../evidence/core/formats/event-id.ts";
import type { EvidenceBundle } from "../../evidence/core/formats/evidence-bundle.ts";
import type { ChainHead, Seal, TsaTimestamp } from "../../evidence/core/formats/metachain.ts";
import type { Renewal } from "../../evidence/core/formats/renewal.ts";
import { chainIdOf } from "../../evidence/core/formats/tenant-anchor.ts";
import { formatDigest, parseNode } from "../../evidence/core/merkle/hash.ts";
import { closingNote, isTurn, readNewestItems } from "../ledger/closed-conversation.ts";
import { Log } from "../ledger/log.ts";
import type { Macs } from "../ledger/macs.ts";
import type { LayerMemory } from "../policy/layer-memory.ts";
import { integerOf, jsonOf, textOf } from "../table/attributes.ts";
import type { Item } from "../table/item.ts";
import { conversationPartition, turnFrom } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { MissingItem, untilWhole } from "../table/until-whole.ts";
import type { Caller } from "../tenants/tenants.ts";
import { BundlePage, type ConversationTurn, MAX_PAGE_TURNS } from "./bundle-page.ts";
import { headOf, readHeadPath } from "./head-paths.ts";
import type { ReadLogSignatures } from "./log-signatures.ts";
import type { UnsignedReceipt } from "./report-format.ts";
import { type ReceiptPlace, ReportReader } from "./report-reader.ts";

/** So many turns of a conversation are read together; at most as many are read in vain, behind a page that is full. */
const GROUP_TURNS = 100;

export interface BundleServices {
  readonly table: Table;
  readonly macs: Macs;
  /** The layers that bundles carry. */
  readonly layerMemory: Pick<LayerMemory, "read">;
}

/** The renewal that a receipt under this seal needs; null where it needs none, or there is none yet. */
export type FindRenewal = (seal: Seal, timestamp: TsaTimestamp) => Promise<Renewal | null>;

export interface ReportServices extends Pick<BundleServices, "table" | "macs"> {
  readonly findRenewal: FindRenewal;
  readonly readLogSignatures: ReadLogSignatures;
}

/**
 * Which published head a report leads to: the first over its receipt, under the first seal over that, so that the report
 * never changes; or the newest of the chain, under the newest seal.
 */
export type ReportedHead = "first" | "newest";

/** The receipt of one event, with its proofs as of now. Throws `not_found` for an id that is not the caller's. */
export async function readReport(
  services: ReportServices,
  caller: Caller,
  eventId: string,
  head: ReportedHead = "first",
): Promise<ComplianceReceipt> {
  // UUIDs are read in either case (RFC 9562 section 4), and there are databases that give them back in upper case.
  const id = eventId.toLowerCase();
  const place = parseEventId(id);
  if (place === null) throw noSuchEvent();
  // The caller's number of chains is no limit here: it may have grown since. A chain without receipts has no leaf.
  const chainId = chainIdOf(caller.tenantAnchor, place.shard);
  // The check value in the id is over the chain's own id, so another tenant's event is one that does not exist.
  if (formatEventId(chainId, place) !== id) throw noSuchEvent();
  const reader = new ReportReader(services);
  const report = await readHeaded(reader, { chainId, sequence: place.sequence }, head).catch(
    (error: unknown) => judgeMissing(services.table, chainId, place, error),
  );
  const seal = reader.sealOf(report)?.seal;
  if (seal === undefined) return services.macs.authenticateReport(report);
  const [renewal, signatures] = await Promise.all([
    services.findRenewal(seal, report.tsa_timestamp),
    services.readLogSignatures(seal.index),
  ]);
  return services.macs.authenticateReport({
    ...report,
    ...signatures,
    ...(renewal !== null && { renewal }),
  });
}

async function readHeaded(
  reader: ReportReader,
  place: ReceiptPlace,
  head: ReportedHead,
): Promise<UnsignedReceipt> {
  if (head === "newest") return reader.readNewest(place);
  const [report] = await reader.read([place]);
  return report ?? Promise.reject(noSuchEvent());
}

/** A leaf that is gone from under newer ones is damage, which no caller may take for an id that never was. */
async function judgeMissing(
  table: Table,
  chainId: string,
  { sequence }: { readonly sequence: number },
  error: unknown,
): Promise<never> {
  if (!(error instanceof MissingItem)) throw error;
  const newest = await new Log(table, chainId).newest();
  throw newest === null || newest.leaf.leafIndex < sequence ? noSuchEvent() : error;
}

/**
 * One page of a conversation from `fromTurn` on; `next_turn` says where the next begins. Behind the last turn it is empty.
 * Throws `not_found` for a conversation without a receipt.
 */
export async function readInteraction(
  services: BundleServices,
  caller: Caller,
  interactionId: string,
  fromTurn: number,
): Promise<EvidenceBundle> {
  const partition = conversationPartition(caller.tenantId, interactionId);
  const items = await readTurnItems(services.table, partition, fromTurn);
  const page = new BundlePage(interactionId);
  if (items.length === 0) {
    await requireConversation(services.table, partition, fromTurn);
    return services.macs.authenticateReport(page.format(null));
  }
  const reader = new ReportReader(services);
  const before = fromTurn === 1 ? null : await readHeadBefore(services.table, reader, partition, fromTurn);
  await fillPage(page, { reader, items, fromTurn, before });
  const layers = await services.layerMemory.read(page.layerDigests);
  for (const layer of layers.values()) page.addLayer(layer);
  const nextTurn = items.length > page.length ? fromTurn + page.length : null;
  return services.macs.authenticateReport(page.format(nextTurn));
}

async function requireConversation(table: Table, partition: string, fromTurn: number): Promise<void> {
  const newest = fromTurn === 1 ? null : (await readNewestItems(table, partition)).turn;
  if (newest === null) throw noSuchConversation();
}

const noSuchConversation = (): DisclosureError =>
  new DisclosureError("not_found", "there is no receipt of this interaction");

/** The head of the turn before the page: the pages of a conversation are joined, and so must their heads be. */
async function readHeadBefore(
  table: Table,
  reader: ReportReader,
  partition: string,
  fromTurn: number,
): Promise<ChainHead | null> {
  const { turn: item } = await readNewestItems(table, partition, turnFrom(fromTurn - 1));
  const [report] = await reader.read(item === null ? [] : [placeOf(item)]);
  return report === undefined ? null : headOf(report);
}

interface PageTurns {
  readonly reader: ReportReader;
  readonly items: readonly Item[];
  readonly fromTurn: number;
  /** The head of the turn before the first. */
  readonly before: ChainHead | null;
}

/** Adds turns until the page is full. */
async function fillPage(page: BundlePage, { reader, items, fromTurn, before }: PageTurns): Promise<void> {
  let previous = before;
  for (let start = 0; start < items.length; start += GROUP_TURNS) {
    const turns = await readTurns(reader, items.slice(start, start + GROUP_TURNS), fromTurn + start);
    const heads = turns.map(({ report }) => headOf(report));
    const paths = await Promise.all(
      heads.map((head, i) => readHeadPath(reader.logOf, heads[i - 1] ?? previous, head)),
    );
    for (const [i, turn] of turns.entries()) if (!page.add(turn, paths[i])) return;
    previous = heads.at(-1) ?? null;
  }
}

/**
 * The turns from one on, without a hole: those that were written together may come into sight one by one. Throws
 * `not_found` where they are just being erased or removed, one after the other, or all of them are gone by now.
 */
async function readTurnItems(table: Table, partition: string, fromTurn: number): Promise<Item[]> {
  const query = { partition, from: turnFrom(fromTurn), limit: MAX_PAGE_TURNS + 1 };
  const reading = untilWhole(async () => {
    const items = (await table.query(query)).filter(isTurn);
    for (const [i, item] of items.entries()) requireTurn(item, fromTurn + i);
    return items;
  });
  return reading.catch(async (error: unknown) => {
    const { closing, turn } = await readNewestItems(table, partition);
    const isUnderWay = closing.some((item) => closingNote(item) !== null);
    throw isUnderWay || turn === null ? noSuchConversation() : error;
  });
}

function requireTurn(item: Item, turn: number): void {
  if (textOf(item, "sk") === turnFrom(turn)) return;
  throw new MissingItem("ledger_corrupt", "a turn is missing from the table", { turn });
}

const placeOf = (item: Item): ReceiptPlace => ({
  chainId: textOf(item, "chain_id"),
  sequence: integerOf(item, "leaf_index"),
});

async function readTurns(
  reader: ReportReader,
  items: readonly Item[],
  fromTurn: number,
): Promise<ConversationTurn[]> {
  const reports = await reader.read(items.map(placeOf));
  return Promise.all(reports.map((report, i) => joinTurn(reader, report, items[i] ?? {}, fromTurn + i)));
}

/** A turn as its item has it, with the report of the receipt that it leads to. */
async function joinTurn(
  reader: ReportReader,
  report: UnsignedReceipt,
  item: Item,
  turn: number,
): Promise<ConversationTurn> {
  const leafHash = formatDigest(parseNode(report.merkle_proof.event_inclusion_proof.leaf_hash));
  const request = item.request === undefined ? null : jsonOf(item, "request", attestationRequestSchema);
  const [receipt] = report.receipts;
  // A turn that is missing, or leads to a receipt which is not its own, would put a turn into the bundle that never happened.
  const isRight =
    receipt?.turn === turn &&
    integerOf(item, "turn") === turn &&
    leafHash === textOf(item, "leaf_hash") &&
    (request === null || hashInput(request) === receipt.input_hash);
  if (!isRight) throw new DisclosureError("ledger_corrupt", "a turn and its receipt disagree", { turn });
  const published = [reader.sealOf(report), await reader.sealBefore(report)].filter((seal) => seal !== null);
  return { receipt, request, report, published };
}

const noSuchEvent = (): DisclosureError => new DisclosureError("not_found", "there is no such event");
