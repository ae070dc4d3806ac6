// A tenant of two chains over three months, another tenant, and the public log of both: everything that a bill is made of
// and checked against, without a service. It is the same in every run.
import { concatBytes, utf8 } from "../../evidence/core/bytes.ts";
import type { Bill } from "../../evidence/core/formats/bill.ts";
import { formatEventId } from "../../evidence/core/formats/event-id.ts";
import { PENDING_TIMESTAMP, type Seal } from "../../evidence/core/formats/metachain.ts";
import { type ReceiptCore, withoutAuthentication } from "../../evidence/core/formats/receipt.ts";
import { chainIdOf, fingerprintOf } from "../../evidence/core/formats/tenant-anchor.ts";
import { formatTreeLeaf } from "../../evidence/core/formats/tree-leaf.ts";
import type { BilledChain } from "./expected-bill.ts";
import { jcs, sha256 } from "./plain-json.ts";
import { plainLeaf } from "./receipt-leaf.ts";
import { receipt } from "./receipts.ts";
import { leafHash, type Mth, PROOF, treeOf } from "./rfc9162.ts";
import { storedLeafOf } from "./trees.ts";
import { linkTo, type WholeChain } from "./whole-chain.ts";
import { filesOf } from "./whole-tiles.ts";

export const ANCHOR = "0123456789abcdef0123456789abcdef";
export const OTHER_ANCHOR = "fedcba9876543210fedcba9876543210";
export const TENANT = { id: "acme", fingerprint: fingerprintOf(ANCHOR) };
export const MONTH = "2026-10";
/** Half an hour after the last seal of the world that the final bill knows. */
export const FINAL_AT = "2026-11-01T01:30:00.000Z";
export const OPEN_AT = "2026-10-20T12:00:30.000Z";
/** Both tiers are used by a bill of more than four receipts, so that each number of the price shows in its amount. */
export const PLAN: Bill["plan"] = {
  name: "standard",
  price: {
    currency: "EUR",
    base: 900,
    tiers: [
      { upTo: 4, perThousand: 1_000 },
      { upTo: null, perThousand: 1_500 },
    ],
  },
};

/** Receipts by their times, and the seals by theirs: each covers what was recorded before it. */
const TIMES = {
  first: [
    "09-02T10:00",
    "09-30T23:59",
    "10-01T00:00",
    "10-01T08:00",
    "10-15T09:30",
    "10-20T11:00",
    "10-31T23:59",
    "11-01T00:00",
    "11-09T07:00",
  ],
  second: ["09-14T12:00", "10-02T12:00", "10-20T11:59", "10-25T16:00", "11-03T12:00"],
  other: ["10-01T09:00", "10-12T09:00", "11-01T00:30"],
  /** Of the first chain: recorded for no call. */
  invented: ["10-31T23:59", "10-31T23:59", "10-31T23:59"],
} as const;
const SEALED = [
  "09-15T00:00",
  "10-01T00:30",
  "10-16T00:00",
  "10-20T12:00",
  "10-26T00:00",
  "11-01T01:00",
  "11-10T00:00",
];

const instant = (time: string): string => `2026-${time}:00.000Z`;

export interface World {
  readonly chains: readonly BilledChain[];
  /** The other tenant's. */
  readonly others: readonly BilledChain[];
  readonly seals: readonly Seal[];
  readonly metachain: Mth;
  readonly entryAt: (index: number) => Uint8Array;
  /** The tenant's first chain as a bill counts it that closes with the planted head. */
  readonly planted: BilledChain | null;
}

/** A head of the first chain, over receipts that it never had, which the operator puts into the log with this seal. */
export interface Planted {
  readonly seal: number;
  readonly head_index: number;
}

export function newWorld(planted: Planted | null = null): World {
  const chains = [
    newChain(ANCHOR, 0, TIMES.first),
    newChain(ANCHOR, 1, TIMES.second),
    newChain(OTHER_ANCHOR, 0, TIMES.other),
  ];
  const entries: Uint8Array[] = [];
  const heads = chains.map((): { tree_size: number; leaf_index: number }[] => []);
  const forged = newChain(ANCHOR, 0, [...TIMES.first.slice(0, 7), ...TIMES.invented, "11-01T00:00"]);
  const plants: BilledChain["heads"][number][] = [];
  const sizes = SEALED.map((time, seal) => {
    for (const [i, chain] of chains.entries()) {
      const tree_size = chain.cores.filter(({ issued_at }) => issued_at < instant(time)).length;
      if (tree_size === (heads[i]?.at(-1)?.tree_size ?? 0)) continue;
      entries.push(entryOf(chain, heads[i]?.length ?? 0, tree_size));
      heads[i]?.push({ tree_size, leaf_index: entries.length - 1 });
    }
    if (planted?.seal === seal) {
      const { head_index } = planted;
      plants.push({ tree_size: forged.cores.length, leaf_index: entries.length, head_index });
      entries.push(entryOf(forged, head_index, forged.cores.length));
    }
    return entries.length;
  });
  const entryAt = (index: number): Uint8Array => entries[index] ?? new Uint8Array();
  const metachain = treeOf((index) => leafHash(entryAt(index)));
  const billed = chains.map((chain, i) => ({ shard: i % 2, chain, heads: heads[i] ?? [] }));
  return {
    chains: billed.slice(0, 2),
    others: billed.slice(2),
    seals: sizes.map((size, index) => sealOf(index, size, sizes[index - 1] ?? 0, metachain)),
    metachain,
    entryAt,
    planted: planted && {
      shard: 0,
      chain: forged,
      heads: [...(heads[0] ?? []).filter(({ tree_size }) => tree_size === 1), ...plants],
    },
  };
}

function newChain(anchor: string, shard: number, times: readonly string[]): WholeChain {
  const id = chainIdOf(anchor, shard);
  const cores: ReceiptCore[] = [];
  const hashes: Uint8Array[] = [];
  for (const [sequence, time] of times.entries()) {
    const core = {
      ...withoutAuthentication(receipt),
      event_id: formatEventId(id, { shard, sequence }),
      chain_id: id,
      sequence,
      previous_hash: sequence === 0 ? `sha256:${"0".repeat(64)}` : linkTo(hashes[sequence - 1]),
      issued_at: instant(time),
    };
    cores.push(core);
    hashes.push(leafHash(plainLeaf(core)));
  }
  return { id, cores, hashes, mth: treeOf((index) => hashes[index] ?? new Uint8Array()) };
}

const node = (hash: Uint8Array): string => `0x${Buffer.from(hash).toString("hex")}`;

function entryOf({ id, mth }: WholeChain, head_index: number, tree_size: number): Uint8Array {
  const head = { chain_id: id, head_index, tree_size, root: node(mth(0, tree_size)) };
  return Buffer.concat([sha256(jcs({ chain_id: id, head_index })), sha256(jcs(head))]);
}

const sealOf = (index: number, size: number, previous: number, mth: Mth): Seal => ({
  index,
  merkle_root: node(mth(0, size)),
  tree_size: size,
  previous_root: previous === 0 ? null : node(mth(0, previous)),
  previous_tree_size: previous,
  consistency_path: (previous === 0 ? [] : PROOF(previous, size, mth)).map(node),
  receipt_count: 1,
  sealed_at: instant(SEALED[index] ?? ""),
  tsa_timestamp: PENDING_TIMESTAMP,
  additional_timestamps: [],
});

const json = (value: unknown): Uint8Array => utf8(`${JSON.stringify(value)}\n`);

/** The public log as a mirror's folder has it, by path. */
export function publishedFiles({ seals, metachain, entryAt }: World): Map<string, Uint8Array> {
  const head = {
    size: seals.length,
    latest: seals.at(-1) ?? null,
    roots: "/v1/metachain/roots/{index}",
    log: null,
  };
  const logs = seals.flatMap(({ tree_size: size }) => [...filesOf({ size, mth: metachain, entryAt })]);
  return new Map<string, Uint8Array>([
    ["v1/metachain/index.json", json(head)],
    ...seals.map((seal): [string, Uint8Array] => [`v1/metachain/roots/${seal.index}`, json(seal)]),
    ...logs.map(([path, bytes]): [string, Uint8Array] => [`v1/metachain/${path}`, bytes]),
  ]);
}

/** The tenant's history as `receipts history --anchor` leaves it when `seals` are published, by path below its folder. */
export function historyFiles(
  { chains, metachain }: Pick<World, "chains" | "metachain">,
  seals: readonly Seal[],
): Map<string, Uint8Array> {
  const last = seals.at(-1);
  const searched = last && formatTreeLeaf(storedLeafOf(metachain)(last.tree_size - 1));
  const ids = chains.map(({ shard, chain }) => ({ chain_id: chain.id, shard }));
  const files = chains.flatMap(({ chain, heads }): [string, Uint8Array][] => {
    const listed = heads.flatMap(({ tree_size, leaf_index }, head_index) => {
      const seal = seals.find((one) => one.tree_size > leaf_index);
      const root = node(chain.mth(0, tree_size));
      return seal === undefined ? [] : { head_index, tree_size, root, leaf_index, seal_index: seal.index };
    });
    const size = listed.at(-1)?.tree_size ?? 0;
    const leaves = chain.cores.slice(0, size).map(plainLeaf);
    return [
      [`chains/${chain.id}/heads/0.json`, json(listed)],
      [`chains/${chain.id}/entries/000.p/${size}`, concatBytes(...leaves)],
    ];
  });
  const index = { tenant_anchor: ANCHOR, chains: ids, searched: searched ?? null };
  return new Map([["history.json", json(index)], ...files]);
}
