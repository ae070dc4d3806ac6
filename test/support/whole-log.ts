// The oracle: reads all that a table and a bucket hold, past the service's own code, and verifies it from scratch.
// What it knows is docs/receipt-format.md and the table's layout; every hash is node:crypto's.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type DynamoDBClient, paginateScan } from "@aws-sdk/client-dynamodb";
import { GetObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import type { Seal } from "../../evidence/core/formats/metachain.ts";
import type { ReceiptCore } from "../../evidence/core/formats/receipt.ts";
import { type Item, text } from "./items.ts";
import { digestOf } from "./plain-json.ts";
import { checkChain, type MacKey, type WholeChain } from "./whole-chain.ts";
import { checkCheckpoints } from "./whole-checkpoints.ts";
import { checkIdempotency, checkTurns } from "./whole-conversations.ts";
import { checkEntries, checkSeals, type WholeSeal } from "./whole-metachain.ts";
import { checkPolicy } from "./whole-policy.ts";
import { checkTiles } from "./whole-tiles.ts";

export interface WholeLogSource {
  readonly dynamoDb: DynamoDBClient;
  readonly s3: S3Client;
  /** Of the table and of the bucket. */
  readonly name: string;
  readonly macKey: MacKey;
}

export interface WholeLog {
  readonly chains: ReadonlyMap<string, WholeChain>;
  readonly seals: readonly WholeSeal[];
  /** Turn items by partition, in the order of their turns. */
  readonly conversations: ReadonlyMap<string, readonly Item[]>;
  readonly idempotencyRecords: readonly Item[];
  readonly receipts: number;
  /** Receipts under the newest published root. */
  readonly publishedReceipts: number;
  /** The size of the metachain's tree whose files are all published. */
  readonly tiledSize: number;
  /** The sizes of the trees with a signed checkpoint, in order. */
  readonly signedSizes: readonly number[];
}

/** Throws an AssertionError that names the first thing which does not hold. */
export async function checkWholeLog(source: WholeLogSource): Promise<WholeLog> {
  const partitions = await readPartitions(source);
  const of = (prefix: string) => [...partitions].filter(([pk]) => pk.startsWith(prefix));
  const shards = readShards(of("tenant#").flatMap(([, items]) => items));
  const markers = new Set((partitions.get("news") ?? []).map((item) => text(item, "sk")));

  const chainItems = of("chain#").map(([pk, items]) => [pk.slice("chain#".length), items] as const);
  const logs = chainItems.filter(([id]) => id !== "metachain");
  const chains = new Map(
    logs.map(([id, items]) => {
      const shard = shards.get(id);
      assert(shard !== undefined, `chain ${id} belongs to no tenant`);
      return [id, checkChain({ id, shard, items, markers, macKey: source.macKey })];
    }),
  );
  const conversations = turnsOf(of("conversation#"));
  checkTurns(conversations, chains);
  const idempotencyRecords = of("idempotency#").flatMap(([, items]) => items);
  checkIdempotency(idempotencyRecords, chains);

  const spans = new Map(of("sealed#").map(([pk, items]) => [pk.slice("sealed#".length), items]));
  const metachain = checkEntries(partitions.get("chain#metachain") ?? [], spans, chains);
  const readObject = async (key: string) => (await readBytes(source, key))?.toString() ?? null;
  const sealerItem = (sk: string) => partitions.get("sealer")?.find((item) => text(item, "sk") === sk) ?? {};
  const incomplete = sealerItem("incomplete");
  const seals = await checkSeals(partitions.get("seals") ?? [], metachain, { incomplete, readObject });
  const tiledSize = Number(sealerItem("tiles").size?.N ?? 0);
  await checkTiles({ ...metachain, size: tiledSize }, (key) => readBytes(source, key));
  const signedSizes = await checkCheckpoints({
    ...metachain,
    sizes: seals.filter(({ isPublished }) => isPublished).map(({ seal }) => seal.tree_size),
    identity: sealerItem("log"),
    progress: sealerItem("checkpoints"),
    readBytes: (path) => readBytes(source, path),
  });
  for (const { cores } of chains.values()) await checkRecordedAfter(cores, readObject);
  const sealedEntries = seals.findLast(({ isPublished }) => isPublished)?.seal.tree_size ?? 0;
  const readLayer = (key: string) => readBytes(source, key);
  await checkPolicy({ partitions, chains, spans, sealedEntries, readBytes: readLayer });
  const receipts = [...chains.values()].reduce((sum, { cores }) => sum + cores.length, 0);
  const published = seals.filter(({ isPublished }) => isPublished);
  const publishedReceipts = published.reduce((sum, { seal }) => sum + seal.receipt_count, 0);
  const sealed = { seals, receipts, publishedReceipts, tiledSize, signedSizes };
  return { chains, conversations, idempotencyRecords, ...sealed };
}

/** Without the items that closed conversations which were erased or removed: they say when they end, and lead nowhere. */
function turnsOf(conversations: readonly [string, Item[]][]): Map<string, Item[]> {
  const turns = conversations.map(([pk, items]): [string, Item[]] => {
    const closed = items.filter((item) => item.expires_at !== undefined);
    for (const item of closed) assert.deepEqual(Object.keys(item).sort(), ["expires_at", "pk", "sk"]);
    return [pk, items.filter((item) => !closed.includes(item))];
  });
  return new Map(turns.filter(([, items]) => items.length > 0));
}

/** What receipts name are published seals with a token, in their published bytes, and never an older one than before. */
async function checkRecordedAfter(
  cores: readonly ReceiptCore[],
  readObject: (key: string) => Promise<string | null>,
): Promise<void> {
  const hashes = new Map<number, string>();
  let newest = -1;
  for (const { recorded_after: named, sequence } of cores) {
    const index = named?.seal_index ?? -1;
    assert(index >= newest, `leaf ${sequence} names an older seal than one before it`);
    newest = index;
    if (named === null) continue;
    const known = hashes.get(index) ?? hashPublished(await readObject(`v1/metachain/roots/${index}`));
    hashes.set(index, known);
    assert.equal(named.seal_hash, known, `the seal that leaf ${sequence} names`);
  }
}

function hashPublished(text: string | null): string {
  const seal = JSON.parse(text ?? assert.fail("a receipt names a seal that is not published")) as Seal;
  assert.equal(seal.tsa_timestamp.status, "included", "a receipt names a seal without a token");
  return digestOf(seal);
}

/** All that the table holds, by partition, each in the order of its sort keys. */
export async function readPartitions({
  dynamoDb,
  name,
}: Pick<WholeLogSource, "dynamoDb" | "name">): Promise<Map<string, Item[]>> {
  const partitions = new Map<string, Item[]>();
  for await (const { Items = [] } of paginateScan(
    { client: dynamoDb },
    { TableName: name, ConsistentRead: true },
  )) {
    for (const item of Items)
      partitions.set(text(item, "pk"), [...(partitions.get(text(item, "pk")) ?? []), item]);
  }
  for (const [pk, items] of partitions) {
    assert.match(
      pk,
      /^(chain#|conversation#|idempotency#|sealed#|tenant#|key#|layer#|wordings#|used#|webhook#|(news|seals|sealer|retention|tenants|layers|webhooks)$)/,
      "stray item",
    );
    items.sort((a, b) => (text(a, "sk") < text(b, "sk") ? -1 : 1));
  }
  return partitions;
}

/** Chain ids with their places among the chains of their tenants. */
export const readShards = (tenants: readonly Item[]): Map<string, number> =>
  new Map(tenants.flatMap((item) => chainIdsOf(item).map((chainId, shard) => [chainId, shard])));

/** Computed from the anchor here once more, past the service's own code. */
const chainIdsOf = ({ tenant_anchor, chains }: Item): string[] =>
  Array.from({ length: Number(chains?.N ?? 0) }, (_, shard) => {
    const text = `{"shard":${shard},"tenant_anchor":"${tenant_anchor?.S}"}`;
    return createHash("sha256").update(text).digest("hex").slice(0, 32);
  });

async function readBytes({ s3, name }: WholeLogSource, Key: string): Promise<Buffer | null> {
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: name, Key }));
    return Body === undefined ? null : Buffer.from(await Body.transformToByteArray());
  } catch (error) {
    if (error instanceof Error && error.name === "NoSuchKey") return null;
    throw error;
  }
}
