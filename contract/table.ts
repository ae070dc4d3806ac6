// The one table's attributes and partitions, for the service that makes the keys and the stack that grants them.

export const PARTITION_KEY = "pk";
export const SORT_KEY = "sk";
/** Seconds since the epoch; an item that has none is kept for ever, as all evidence is. */
export const TIME_TO_LIVE = "expires_at";

/** Hex digits of a chain's id; evidence/core/formats/tenant-anchor.ts says where they come from. */
const CHAIN_ID_DIGITS = 32;
/** The metachain is a log like every chain; its id can't be a chain's, which is 32 hex digits. */
export const METACHAIN_ID = "metachain";

/** The beginnings of partition keys; one without a `#` is the whole key. */
export const PARTITIONS = {
  log: "chain#",
  conversation: "conversation#",
  idempotency: "idempotency#",
  news: "news",
  sealed: "sealed#",
  seals: "seals",
  sealer: "sealer",
  retention: "retention",
  tenant: "tenant#",
  tenants: "tenants",
  apiKey: "key#",
  usedKeys: "used#",
  layer: "layer#",
  layers: "layers",
  ownWordings: "wordings#",
  webhook: "webhook#",
  webhooks: "webhooks",
} as const;

/** The partitions that functions are granted, as IAM patterns. Two functions alone list tenants: to bill them, and to look at their chains. */
export const PARTITION_PATTERNS = {
  /** Every chain, by the length of its id, and not the metachain. */
  chain: PARTITIONS.log + "?".repeat(CHAIN_ID_DIGITS),
  metachain: PARTITIONS.log + METACHAIN_ID,
  conversation: `${PARTITIONS.conversation}*`,
  idempotency: `${PARTITIONS.idempotency}*`,
  news: PARTITIONS.news,
  sealed: `${PARTITIONS.sealed}*`,
  seals: PARTITIONS.seals,
  sealer: PARTITIONS.sealer,
  retention: PARTITIONS.retention,
  tenant: `${PARTITIONS.tenant}*`,
  tenants: PARTITIONS.tenants,
  apiKey: `${PARTITIONS.apiKey}*`,
  usedKeys: `${PARTITIONS.usedKeys}*`,
  layer: `${PARTITIONS.layer}*`,
  layers: PARTITIONS.layers,
  ownWordings: `${PARTITIONS.ownWordings}*`,
  webhook: `${PARTITIONS.webhook}*`,
  webhooks: PARTITIONS.webhooks,
} as const;
