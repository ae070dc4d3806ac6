// The messages of a chain, made from the ledger alone: the same place always gives the same message, under the same id.

import { formatHex } from "../../evidence/core/bytes.ts";
import { canonicalBytes } from "../../evidence/core/canonical-json.ts";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import type { ReceiptCore } from "../../evidence/core/formats/receipt.ts";
import { MAX_EVENT_IDS, type WebhookBody, type WebhookEvent } from "../../evidence/core/formats/webhooks.ts";
import { hashBytes } from "../../evidence/core/merkle/hash.ts";
import { readChainLeaf } from "../ledger/chain-leaf.ts";
import { Log, type LogEntry } from "../ledger/log.ts";
import type { SealedTree } from "../seals/seal-item.ts";
import { SealRecords } from "../seals/seal-records.ts";
import { readSpanUpTo } from "../seals/span.ts";
import type { Table } from "../table/table.ts";
import type { MessagePlace } from "./delivery-state.ts";

const ID_PREFIX = "msg_";
const ID_DIGITS = 32;

/** Receipts of one chain, one after another, that one published seal covers: as many as a message may name. */
export interface SealedRange {
  readonly chainId: string;
  readonly from: number;
  readonly to: number;
  readonly seal: SealedTree;
  /** By their place in the range; null for one that was removed. */
  readonly receipts: readonly (ReceiptCore | null)[];
}

/** A message as it is sent. */
export interface WebhookMessage {
  readonly id: string;
  readonly body: string;
}

/** The end of what is sealed of a chain, where a place lies behind it. */
export interface SealedEnd {
  /** The first receipt that its newest span covers. */
  readonly newestFrom: number;
  readonly isPassed: true;
}

export const isEnd = (found: SealedRange | SealedEnd | null): found is SealedEnd =>
  found !== null && "isPassed" in found;

/**
 * The range that begins with the receipt at `sequence`; null while no published seal covers that. An end where the chain
 * is not sealed so far: no delivery has come there.
 */
export async function readSealedRange(
  table: Table,
  chainId: string,
  sequence: number,
): Promise<SealedRange | SealedEnd | null> {
  const span = await readSpanUpTo(table, chainId, sequence);
  if ((span?.treeSize ?? 0) < sequence) return { newestFrom: span?.fromSize ?? 0, isPassed: true };
  if (span === null || span.treeSize === sequence) return null;
  const seal = await new SealRecords(table).shownOver(span.leafIndex);
  if (!seal?.isPublished) return null;
  const to = Math.min(span.treeSize, sequence + MAX_EVENT_IDS);
  const indices = Array.from({ length: to - sequence }, (_, i) => sequence + i);
  const entryAt = await new Log(table, chainId).entriesByIndex(indices);
  const receipts = indices.map((index) => readReceipt(entryAt(index)));
  return { chainId, from: sequence, to, seal: seal.tree, receipts };
}

/** Null where it was removed when its tenant's retention had ended. */
function readReceipt(entry: LogEntry): ReceiptCore | null {
  try {
    return readChainLeaf(entry).core;
  } catch (error) {
    if (isDisclosureError(error, "receipt_removed")) return null;
    throw error;
  }
}

/** The first place from `step` on in a range that has a message for a webhook of these events; null behind the last. */
export function nextStep(range: SealedRange, step: number, events: readonly WebhookEvent[]): number | null {
  for (let at = step; at <= range.receipts.length; at++) if (messageAt(range, at, events) !== null) return at;
  return null;
}

/** The place after a message: the next one in its range, or the next range. */
export function placeAfter(range: SealedRange, step: number, events: readonly WebhookEvent[]): MessagePlace {
  const next = nextStep(range, step + 1, events);
  return next === null ? { sequence: range.to, step: 0 } : { sequence: range.from, step: next };
}

/** Null where there is nothing to tell at this place, or the webhook is not for it. */
export function messageAt(
  range: SealedRange,
  step: number,
  events: readonly WebhookEvent[],
): WebhookMessage | null {
  if (step === 0) return events.includes("sealed") ? sealedMessage(range) : null;
  const receipt = range.receipts[step - 1];
  if (!events.includes("verdict") || !receipt || receipt.verdict === "ALLOW") return null;
  return verdictMessage(range, receipt);
}

function sealedMessage({ chainId: chain_id, from, to, seal, receipts }: SealedRange): WebhookMessage | null {
  const event_ids = receipts.flatMap((receipt) => receipt?.event_id ?? []);
  if (event_ids.length === 0) return null;
  const data = { chain_id, seal_index: seal.index, event_ids };
  const body = { type: "receipts.sealed", timestamp: seal.sealed_at, data } as const;
  return { id: idOf({ type: body.type, chain_id, from, to }), body: textOf(body) };
}

function verdictMessage({ seal }: SealedRange, receipt: ReceiptCore): WebhookMessage {
  const { event_id, verdict, policy, issued_at, chain_id } = receipt;
  const data = { event_id, verdict, findings: policy.findings, issued_at, chain_id, seal_index: seal.index };
  const body = { type: "receipt.verdict", timestamp: seal.sealed_at, data } as const;
  return { id: idOf({ type: body.type, event_id }), body: textOf(body) };
}

/** A message that tells nothing, for a receiver to be tried with. */
export function testMessage(now: Date): WebhookMessage {
  const timestamp = now.toISOString();
  const body = { type: "webhook.test", timestamp, data: {} } as const;
  return { id: idOf({ type: body.type, timestamp }), body: textOf(body) };
}

const textOf = (body: WebhookBody): string => JSON.stringify(body);

/** A receiver knows a message that it was sent twice by this: it follows from what the message tells. */
const idOf = (what: object): string =>
  ID_PREFIX + formatHex(hashBytes(canonicalBytes(what))).slice(0, ID_DIGITS);
