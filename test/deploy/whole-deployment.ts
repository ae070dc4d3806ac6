// The oracle of test/support/whole-log.ts for a deployed stack, whose HMAC key only the KMS knows and whose tokens are
// real: everything that the table and the API hold, verified from scratch.
import assert from "node:assert/strict";
import type { ApiClient } from "../support/api-client.ts";
import { type Deployment, deriveDayKey, emulatedClients } from "../support/deployment.ts";
import { bytes, type Item, text } from "../support/items.ts";
import { storedKeyId } from "../support/stored-core.ts";
import { checkChain, macOf, type WholeChain } from "../support/whole-chain.ts";
import { checkIdempotency, checkTurns } from "../support/whole-conversations.ts";
import { readPartitions, readShards } from "../support/whole-log.ts";
import { checkEntries, type WholeMetachain } from "../support/whole-metachain.ts";

type Partitions = ReadonlyMap<string, readonly Item[]>;

/** Chains by id. Throws an AssertionError that names the first thing which does not hold. */
export async function checkWholeDeployment(
  stack: Deployment,
  api: ApiClient,
): Promise<Map<string, WholeChain>> {
  const { dynamoDb } = emulatedClients(stack.endpoint);
  const partitions: Partitions = await readPartitions({ dynamoDb, name: stack.tableName });
  const chains = checkChains(partitions);
  checkTurns(new Map(under(partitions, "conversation#")), chains);
  checkIdempotency(
    under(partitions, "idempotency#").flatMap(([, items]) => items),
    chains,
  );
  await checkSignatures(stack, partitions, chains);
  const spans = new Map(
    under(partitions, "sealed#").map(([pk, items]) => [pk.slice("sealed#".length), items]),
  );
  await checkPublished(checkEntries(partitions.get("chain#metachain") ?? [], spans, chains), api);
  return chains;
}

const under = (partitions: Partitions, prefix: string) =>
  [...partitions].filter(([pk]) => pk.startsWith(prefix));

const isChain = (pk: string): boolean => pk.startsWith("chain#") && pk !== "chain#metachain";

function checkChains(partitions: Partitions): Map<string, WholeChain> {
  const shards = readShards(under(partitions, "tenant#").flatMap(([, items]) => items));
  const markers = new Set((partitions.get("news") ?? []).map((item) => text(item, "sk")));
  const logs = [...partitions].filter(([pk]) => isChain(pk));
  return new Map(
    logs.map(([pk, items]) => {
      const id = pk.slice("chain#".length);
      const shard = shards.get(id) ?? assert.fail(`chain ${id} belongs to no tenant`);
      return [id, checkChain({ id, shard, items, markers, macKey: null })];
    }),
  );
}

/** Under the keys that KMS itself derives: every receipt's authentication code. */
async function checkSignatures(
  { endpoint, macKeyId }: Deployment,
  partitions: Partitions,
  chains: ReadonlyMap<string, WholeChain>,
): Promise<void> {
  const { kms } = emulatedClients(endpoint);
  const keys = new Map<string, Uint8Array>();
  for (const [id, { cores, hashes }] of chains) {
    const items = partitions.get(`chain#${id}`) ?? [];
    for (const [i, hash] of hashes.entries()) {
      const [core, item] = [cores[i] ?? assert.fail("a core is missing"), items[i] ?? {}];
      const day = core.issued_at.slice(0, 10);
      const key = keys.get(day) ?? (await deriveDayKey(kms, macKeyId, day));
      keys.set(day, key);
      assert.equal(storedKeyId(item, core), `${macKeyId}/${day}`);
      assert.equal(bytes(item, "s").toString("base64"), macOf(key, hash));
    }
  }
}

/** What is published is the metachain that the table holds, seal after seal. */
async function checkPublished({ mth, receiptsAt }: WholeMetachain, api: ApiClient): Promise<void> {
  assert.deepEqual(await api.faultsOfSeals(), []);
  for (const { tree_size, merkle_root, previous_tree_size, receipt_count } of await api.seals()) {
    assert.equal(merkle_root, `0x${Buffer.from(mth(0, tree_size)).toString("hex")}`);
    assert.equal(receipt_count, receiptsAt(tree_size) - receiptsAt(previous_tree_size));
  }
}
