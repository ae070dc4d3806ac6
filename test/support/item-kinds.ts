// The kinds of items in the table, from the functions that make their keys: the type of `KINDS` has a member for each of
// these, so that tsc refuses a new kind which this list lacks, and random writes reach every kind.
import { METACHAIN_ID } from "../../contract/table.ts";
import * as keys from "../../service/table/keys.ts";
import { type Item, text } from "./items.ts";

/** The exports of keys.ts that are the key of an item, or make one. */
type KeyMaker = {
  [K in keyof typeof keys]: (typeof keys)[K] extends keys.ItemKey | ((...from: never[]) => keys.ItemKey)
    ? K
    : never;
}[keyof typeof keys];

/** A part of a key that may be anything. */
const ANY = "ANY";
const DIGEST = `sha256:${"0".repeat(64)}`;

/** By whoever makes the keys, a key of each kind. What is more special comes first. No item is ever under `NO_ITEM_KEY`. */
const KINDS: Readonly<Record<Exclude<KeyMaker, "NO_ITEM_KEY">, Readonly<Record<string, keys.ItemKey>>>> = {
  leafKey: { entry: keys.leafKey(METACHAIN_ID, 0), leaf: keys.leafKey(ANY, 0) },
  turnKey: { turn: keys.turnKey(keys.conversationPartition("", ""), 0) },
  idempotencyKey: { idempotency: keys.idempotencyKey("", "") },
  newsKey: { news: keys.newsKey(0, ANY) },
  spanKey: {
    seal: keys.spanKey(keys.SEALS_PARTITION, 0),
    span: keys.spanKey(keys.sealedPartition(ANY), 0),
  },
  tenantKey: { tenant: keys.tenantKey(ANY) },
  apiKeyKey: { apiKey: keys.apiKeyKey(ANY) },
  keyUseKey: { keyUse: keys.keyUseKey(ANY) },
  tenantIndexKey: { tenantIndex: keys.tenantIndexKey(ANY) },
  apiKeyIndexKey: { apiKeyIndex: keys.apiKeyIndexKey(ANY, ANY) },
  layerKey: { layer: keys.layerKey(DIGEST) },
  ownWordingsKey: { ownWordings: keys.ownWordingsKey(DIGEST) },
  layerEntryKey: { layerEntry: keys.layerEntryKey(DIGEST) },
  webhookKey: { webhook: keys.webhookKey(ANY) },
  webhookCursorKey: { webhookCursor: keys.webhookCursorKey(ANY, ANY) },
  deadLetterKey: { deadLetter: keys.deadLetterKey(ANY, ANY, 0, 0) },
  webhookIndexKey: { webhookIndex: keys.webhookIndexKey(ANY) },
  retentionKey: { retention: keys.retentionKey },
  sealerKey: { sealer: keys.sealerKey },
  damagedKey: { damaged: keys.damagedKey },
  incompleteKey: { incomplete: keys.incompleteKey },
  tilesKey: { tiles: keys.tilesKey },
  logIdentityKey: { logIdentity: keys.logIdentityKey },
  checkpointsKey: { checkpoints: keys.checkpointsKey },
};

const SAMPLES = Object.values(KINDS).flatMap((kinds) => Object.entries(kinds));
/** Each by its name. */
export const ITEM_KINDS: readonly string[] = SAMPLES.map(([kind]) => kind);

/** A key like the sample, with any id, digest and number. */
function patternOf({ pk, sk }: keys.ItemKey): RegExp {
  const parts = [pk.S, sk.S].map((part) =>
    part
      .replaceAll(/[0-9a-f]{64}/g, "[0-9a-f]{64}")
      .replaceAll(/(?<!\[)\b\d{16}\b/g, "\\d{16}")
      .replaceAll(ANY, "[^\\n]+"),
  );
  return new RegExp(`^${parts.join("\\n")}$`);
}

const PATTERNS = SAMPLES.map(([kind, key]) => ({ kind, pattern: patternOf(key) }));

/** Null for an item that no part of the service writes. */
export const kindOf = (item: Item): string | null => {
  const key = `${text(item, "pk")}\n${text(item, "sk")}`;
  return PATTERNS.find(({ pattern }) => pattern.test(key))?.kind ?? null;
};

/** A key of a kind of which there may be no item yet. */
export function sampleKey(kind: string, id: string): keys.ItemKey {
  const [, key = keys.sealerKey] = SAMPLES.find(([name]) => name === kind) ?? [];
  return { pk: { S: key.pk.S.replaceAll(ANY, id) }, sk: { S: key.sk.S.replaceAll(ANY, id) } };
}
