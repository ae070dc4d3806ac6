// Small worlds of one history, told in short: a log is a list of heads, an entry and a seal each. `c1:ab` is head 1 of chain c
// over the receipts a and b. Chains c and d are two of one tenant, o is another's. Everything follows from these words.
import assert from "node:assert/strict";
import { concatBytes, utf8 } from "../../evidence/core/bytes.ts";
import { formatEventId } from "../../evidence/core/formats/event-id.ts";
import type { ReceiptEvidence } from "../../evidence/core/formats/evidence.ts";
import { type ChainHead, chainHeadEntry, PENDING_TIMESTAMP } from "../../evidence/core/formats/metachain.ts";
import { receiptLeaf, withoutAuthentication } from "../../evidence/core/formats/receipt.ts";
import { chainIdOf } from "../../evidence/core/formats/tenant-anchor.ts";
import { formatNode } from "../../evidence/core/merkle/hash.ts";
import { evidenceFor, forgeReceipts } from "./lying-service.ts";
import { leafHash, PATH, treeOf } from "./rfc9162.ts";
import { filesOf } from "./whole-tiles.ts";

export const ANCHOR = "0123456789abcdef0123456789abcdef";
const OTHER_ANCHOR = "fedcba9876543210fedcba9876543210";
export type ChainName = "c" | "d" | "o";
const OWNERS: Readonly<Record<ChainName, readonly [anchor: string, shard: number]>> = {
  c: [ANCHOR, 0],
  d: [ANCHOR, 1],
  o: [OTHER_ANCHOR, 0],
};

export const idOf = (chain: ChainName): string => chainIdOf(...OWNERS[chain]);

interface Head {
  readonly chain: ChainName;
  readonly index: number;
  /** A letter for each receipt. */
  readonly tree: string;
}

/** `c1:ab` */
export function headOf(word: string): Head {
  const [, chain, index, tree = ""] = /^([cdo])(\d+):([a-z]+)$/.exec(word) ?? assert.fail(word);
  return { chain: chain as ChainName, index: Number(index), tree };
}

/** The receipts of a tree: two letters at one place are two receipts. */
function receiptsOf({ chain, tree }: Pick<Head, "chain" | "tree">) {
  const [anchor, shard] = OWNERS[chain];
  const chain_id = chainIdOf(anchor, shard);
  return forgeReceipts(
    [...tree].map((letter, sequence) => ({
      chain_id,
      event_id: formatEventId(chain_id, { shard, sequence }),
      issued_at: `2026-12-01T00:00:${letter.charCodeAt(0) - 87}.000Z`,
    })),
  );
}

const evidenceIn = (head: Pick<Head, "chain" | "tree">, place: number): ReceiptEvidence =>
  evidenceFor(receiptsOf(head), place);

function chainHead({ chain, index, tree }: Head): ChainHead {
  const { event_inclusion_proof: proof } = evidenceIn({ chain, tree }, 0).merkle_proof;
  return { chain_id: idOf(chain), head_index: index, tree_size: tree.length, root: proof.root };
}

const treeOver = (log: readonly string[]) => {
  const entries = log.map((word) => chainHeadEntry(chainHead(headOf(word))));
  const entryAt = (index: number): Uint8Array => entries[index] ?? assert.fail(`there is no entry ${index}`);
  return { size: log.length, mth: treeOf((index) => leafHash(entryAt(index))), entryAt };
};

export interface ToldReceipt {
  /** Its place in the chain; the last of the tree by default. */
  readonly place?: number;
  /** The seal that its proof leads to; the first over its entry by default. */
  readonly seal?: number;
}

/** The report of a receipt under the entry `at`. */
export function reportAt(log: readonly string[], at: number, told: ToldReceipt = {}): ReceiptEvidence {
  const head = headOf(log[at] ?? assert.fail(`there is no entry ${at}`));
  const { place = head.tree.length - 1, seal = at } = told;
  const evidence = evidenceIn(head, place);
  const { mth } = treeOver(log);
  const [size, root] = [seal + 1, formatNode(mth(0, seal + 1))];
  const proof = { leaf: chainHead(head), leaf_index: at, tree_size: size, root };
  const path = PATH(at, 0, size, mth).map(formatNode);
  return {
    ...evidence,
    merkle_proof: {
      ...evidence.merkle_proof,
      status: "included",
      merkle_root: root,
      cross_tenant_proof: { seal_index: seal, ...proof, path },
    },
  };
}

/** The report of the last receipt of `c:ab` before a seal covers it. */
export const pendingIn = (word: string): ReceiptEvidence => {
  const { chain, tree } = headOf(word.replace(":", "0:"));
  return evidenceIn({ chain, tree }, tree.length - 1);
};

const json = (value: unknown): Uint8Array => utf8(`${JSON.stringify(value)}\n`);

/** As much of the log as a walk reads, as a mirror's folder has it, by path. */
export function logFiles(log: readonly string[]): Map<string, Uint8Array> {
  const tree = treeOver(log);
  const latest = {
    ...{ index: log.length - 1, merkle_root: formatNode(tree.mth(0, log.length)), tree_size: log.length },
    ...{ previous_root: null, previous_tree_size: 0, consistency_path: [], receipt_count: 1 },
    ...{ sealed_at: "2026-12-02T00:00:00.000Z", tsa_timestamp: PENDING_TIMESTAMP, additional_timestamps: [] },
  };
  const head = { size: log.length, latest, roots: "/v1/metachain/roots/{index}", log: null };
  const entries = [...filesOf(tree)].filter(([path]) => path.startsWith("tile/entries/"));
  return new Map([["v1/metachain/index.json", json(head)], ...entries.map(under("v1/metachain"))]);
}

const under =
  (folder: string) =>
  ([path, bytes]: readonly [string, Uint8Array]): [string, Uint8Array] => [`${folder}/${path}`, bytes];

/**
 * The history of chains as a folder has it, by path: `c1:ab@2` stands at entry 2, and its seal is 2 unless `c1:ab@2/7` says
 * another. A chain without a head is named alone, as `d`.
 */
export function historyFiles(told: readonly string[], hasAnchor: boolean): Map<string, Uint8Array> {
  const chains = [...new Set(told.map(([chain]) => chain as ChainName))];
  const index = {
    tenant_anchor: hasAnchor ? ANCHOR : null,
    chains: chains.map((chain) => ({ chain_id: idOf(chain), shard: OWNERS[chain][1] })),
    searched: null,
  };
  const files = chains.flatMap((chain) =>
    chainFiles(
      chain,
      told.filter((word) => word.startsWith(chain)),
    ),
  );
  return new Map([["history.json", json(index)], ...files]);
}

function chainFiles(chain: ChainName, told: readonly string[]): [string, Uint8Array][] {
  const heads = told.flatMap((word) => {
    const [, named, at, seal = at] = /^(\w+:\w+)@(\d+)(?:\/(\d+))?$/.exec(word) ?? [];
    if (named === undefined) return [];
    const { chain_id: _, ...head } = chainHead(headOf(named));
    return [{ ...head, leaf_index: Number(at), seal_index: Number(seal) }];
  });
  const newest = told.at(-1)?.split("@")[0] ?? "";
  if (heads.length === 0) return [];
  const receipts = receiptsOf(headOf(newest));
  const leaves = receipts.map((receipt) => receiptLeaf(withoutAuthentication(receipt)));
  return [
    [`chains/${idOf(chain)}/heads/0.json`, json(heads)],
    [`chains/${idOf(chain)}/entries/000.p/${leaves.length}`, concatBytes(...leaves)],
  ];
}
