// The keys of all items of the one table. ACCESS.md lists the questions that they answer.
import { layerNameOf } from "../../contract/policy-paths.ts";
import { PARTITIONS } from "../../contract/table.ts";
import { MINUTE_MS } from "../../contract/time.ts";
import { formatHex, utf8 } from "../../evidence/core/bytes.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { hashBytes } from "../../evidence/core/merkle/hash.ts";

/** A primary key as DynamoDB takes it. */
export type ItemKey = { readonly pk: { readonly S: string }; readonly sk: { readonly S: string } };

/** Wide enough for every safe integer, so that text order is number order. */
const INDEX_DIGITS = 16;
/** A partition key with one item under it. */
const ONLY = "-";

const key = (pk: string, sk: string): ItemKey => ({ pk: { S: pk }, sk: { S: sk } });
const padIndex = (index: number): string => index.toString().padStart(INDEX_DIGITS, "0");
const hashText = (text: string): string => formatHex(hashBytes(utf8(text)));

export const logPartition = (logId: string): string => PARTITIONS.log + logId;
/** The id of the log whose partition this is. */
export const logIdOf = (partition: string): string => partition.slice(PARTITIONS.log.length);
const LEAF = "leaf#";
export const leafKey = (logId: string, leafIndex: number): ItemKey =>
  key(logPartition(logId), LEAF + padIndex(leafIndex));
/** The index in a leaf's sort key. Throws `ledger_corrupt` for any other key. */
export function leafIndexOf(sortKey: string): number {
  const leafIndex = Number(sortKey.slice(LEAF.length));
  if (sortKey === LEAF + padIndex(leafIndex)) return leafIndex;
  throw new DisclosureError("ledger_corrupt", "an item in the leaf range is not a leaf");
}

/** Identifiers are hashed so that no key, metric or access log shows one. */
export const conversationPartition = (tenantId: string, interactionId: string): string =>
  PARTITIONS.conversation + hashText(`${tenantId}\n${interactionId}`);
const TURN = "turn#";
export const turnFrom = (turn: number): string => TURN + padIndex(turn);
/** The turn in a sort key. Throws `ledger_corrupt` for any other key. */
export function turnOfKey(sortKey: string): number {
  const turn = Number(sortKey.slice(TURN.length));
  if (sortKey === turnFrom(turn)) return turn;
  throw new DisclosureError("ledger_corrupt", "an item of a conversation is not in a turn's place");
}
export const turnKey = (conversation: string, turn: number): ItemKey => key(conversation, turnFrom(turn));

export const idempotencyKey = (tenantId: string, header: string): ItemKey =>
  key(PARTITIONS.idempotency + hashText(`${tenantId}\n${header}`), ONLY);

/** Minutes since the epoch. */
export const minuteOf = (now: Date): number => Math.floor(now.getTime() / MINUTE_MS);
/** One marker for each chain and minute, in the order of the minutes, which are counted since the epoch. */
export const NEWS_PARTITION = PARTITIONS.news;
export const newsFrom = (minute: number): string => `${padIndex(minute)}#`;
export const newsKey = (minute: number, chainId: string): ItemKey =>
  key(NEWS_PARTITION, newsFrom(minute) + chainId);

/** A span continues at the size where the one before it ended, so the condition on its key makes it the only one. */
export const sealedPartition = (chainId: string): string => PARTITIONS.sealed + chainId;
export const SEALS_PARTITION = PARTITIONS.seals;
export const spanFrom = (fromSize: number): string => `from#${padIndex(fromSize)}`;
export const spanKey = (partition: string, fromSize: number): ItemKey => key(partition, spanFrom(fromSize));

export const tenantPartition = (tenantId: string): string => PARTITIONS.tenant + tenantId;
export const tenantKey = (tenantId: string): ItemKey => key(tenantPartition(tenantId), ONLY);
export const apiKeyKey = (keyId: string): ItemKey => key(PARTITIONS.apiKey + keyId, ONLY);

/** The last day on which a key was used. */
export const keyUseKey = (keyId: string): ItemKey => key(PARTITIONS.usedKeys + keyId, ONLY);
export const keyIdOfUse = (partition: string): string => partition.slice(PARTITIONS.usedKeys.length);

/** Written with the item that they name, so that operators' lists need no scan. */
export const TENANTS_PARTITION = PARTITIONS.tenants;
export const tenantIndexKey = (tenantId: string): ItemKey => key(TENANTS_PARTITION, tenantId);
export const API_KEYS_FROM = "key#";
export const API_KEYS_UP_TO = `${API_KEYS_FROM}~`;
export const apiKeyIndexKey = (tenantId: string, keyId: string): ItemKey =>
  key(tenantPartition(tenantId), API_KEYS_FROM + keyId);

/** A layer of the wording policy and a tenant's own wordings, each by the digest of its canonical bytes. */
export const layerKey = (digest: string): ItemKey => key(PARTITIONS.layer + layerNameOf(digest), "layer");
export const ownWordingsKey = (digest: string): ItemKey =>
  key(PARTITIONS.ownWordings + layerNameOf(digest), ONLY);
/** One small item a layer, by which the sealer finds those that are not public yet. */
export const LAYERS_PARTITION = PARTITIONS.layers;
/**
 * No item is ever here: who asks for it wants the date of the answer alone. Who dates receipts and seals may read this
 * partition; to others AWS refuses it, and dates the refusal.
 */
export const NO_ITEM_KEY = key(LAYERS_PARTITION, ONLY);
export const layerEntryKey = (digest: string): ItemKey => key(LAYERS_PARTITION, layerNameOf(digest));

const webhookPartition = (tenantId: string): string => PARTITIONS.webhook + tenantId;
/** A tenant's webhook, how far each of its chains is delivered, and the messages that were given up. */
export const webhookKey = (tenantId: string): ItemKey => key(webhookPartition(tenantId), ONLY);
export const webhookCursorKey = (tenantId: string, chainId: string): ItemKey =>
  key(webhookPartition(tenantId), `chain#${chainId}`);
const DEAD_LETTER = "dead#";
export const deadLetterKey = (tenantId: string, chainId: string, sequence: number, step: number): ItemKey =>
  key(webhookPartition(tenantId), `${DEAD_LETTER}${chainId}#${padIndex(sequence)}#${padIndex(step)}`);
/** All dead letters of a tenant, as bounds of a query. */
export const deadLettersOf = (tenantId: string) => ({
  partition: webhookPartition(tenantId),
  from: DEAD_LETTER,
  upTo: `${DEAD_LETTER}~`,
});
/** One small item for each tenant that ever had a webhook, by which the deliverer finds them. */
export const WEBHOOKS_PARTITION = PARTITIONS.webhooks;
export const webhookIndexKey = (tenantId: string): ItemKey => key(WEBHOOKS_PARTITION, tenantId);

/** Where the walk of retention goes on. */
export const retentionKey: ItemKey = key(PARTITIONS.retention, ONLY);

export const sealerKey: ItemKey = key(PARTITIONS.sealer, ONLY);
/** The chains that could not be sealed. */
export const damagedKey: ItemKey = key(PARTITIONS.sealer, "damaged");
/** The seals that lack tokens. */
export const incompleteKey: ItemKey = key(PARTITIONS.sealer, "incomplete");
/** How far the metachain is published as tiles. */
export const tilesKey: ItemKey = key(PARTITIONS.sealer, "tiles");
/** The log's origin and key, which never change. */
export const logIdentityKey: ItemKey = key(PARTITIONS.sealer, "log");
/** How far the log's checkpoints have come. */
export const checkpointsKey: ItemKey = key(PARTITIONS.sealer, "checkpoints");
