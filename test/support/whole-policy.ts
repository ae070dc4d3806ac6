// The wording policy of a whole ledger: each receipt's layer is in the table under its own hash, and public once a published
// seal covers the receipt; the index lists layers that are public alone.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { Item } from "./items.ts";
import { bytes, integer, text } from "./items.ts";
import type { WholeChain } from "./whole-chain.ts";

interface PolicySource {
  readonly partitions: ReadonlyMap<string, readonly Item[]>;
  readonly chains: ReadonlyMap<string, WholeChain>;
  /** The spans of each chain. */
  readonly spans: ReadonlyMap<string, readonly Item[]>;
  /** The number of metachain entries under the newest published seal. */
  readonly sealedEntries: number;
  readonly readBytes: (key: string) => Promise<Buffer | null>;
}

export async function checkPolicy(source: PolicySource): Promise<void> {
  const { partitions, chains, spans, readBytes, sealedEntries } = source;
  const published = new Map<string, Buffer | null>();
  const readLayer = async (name: string) => {
    const known = published.get(name) ?? (await readBytes(`v1/policy/layers/${name}`));
    published.set(name, known);
    return known;
  };
  for (const [chainId, { cores }] of chains) {
    const sealed = (spans.get(chainId) ?? []).filter((span) => integer(span, "leaf_index") < sealedEntries);
    const sealedSize = Math.max(0, ...sealed.map((span) => integer(span, "tree_size")));
    for (const { policy, sequence } of cores) {
      const name = policy.digest.slice("sha256:".length);
      const [item] = partitions.get(`layer#${name}`) ?? [];
      assert(item !== undefined, `the layer of receipt ${sequence} is not in the table`);
      const stored = bytes(item, "bytes");
      assert.equal(createHash("sha256").update(stored).digest("hex"), name);
      if (sequence >= sealedSize) continue;
      const isEqual = (await readLayer(name))?.equals(stored);
      assert(isEqual, `receipt ${sequence} is under a published seal, and its layer is not public`);
    }
  }
  for (const entry of partitions.get("layers") ?? []) {
    if (entry.published_at === undefined) continue;
    assert((await readLayer(text(entry, "sk"))) !== null, "a layer counts as published, and is not");
  }
}
