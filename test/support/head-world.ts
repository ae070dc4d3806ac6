// Small worlds of one history, told in short: a log is a list of heads, an entry and a seal each. `c1:ab` is head 1 of chain c
// over the receipts a and b. Chains c and d are two of one tenant, o is another's. Everything follows from these words.
//
// The receipts of a tree are turns of one conversation. A capital is a turn that follows another one: B, in any chain, follows
// the a of a chain c that begins with a, and C the b of one that begins with ab. A digit is the first turn of another
// conversation.
import assert from "node:assert/strict";
import { concatBytes, utf8 } from "../../evidence/core/bytes.ts";
import { formatEventId } from "../../evidence/core/formats/event-id.ts";
import type { ReceiptEvidence } from "../../evidence/core/formats/evidence.ts";
import { type ChainHead, chainHeadEntry, PENDING_TIMESTAMP } from "../../evidence/core/formats/metachain.ts";
import {
  type Receipt,
  type ReceiptCore,
  receiptLeaf,
  withoutAuthentication,
} from "../../evidence/core/formats/receipt.ts";
import { chainIdOf } from "../../evidence/core/formats/tenant-anchor.ts";
import { formatNode } from "../../evidence/core/merkle/hash.ts";
import { evidenceFor, forgeReceipts, linkTo } from "./lying-service.ts";
import { leafHash, PATH, PROOF, treeOf } from "./rfc9162.ts";
import { readEvidence } from "./vector-files.ts";
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
  /** A letter or a digit for each receipt. */
  readonly tree: string;
}

/** `c1:ab` */
export function headOf(word: string): Head {
  const [, chain, index, tree = ""] = /^([cdo])(\d+):([a-zB-Z1-9]+)$/.exec(word) ?? assert.fail(word);
  return { chain: chain as ChainName, index: Number(index), tree };
}

/** The receipts of a tree: two letters at one place are two receipts. */
function receiptsOf({ chain, tree }: Pick<Head, "chain" | "tree">): Receipt[] {
  const [anchor, shard] = OWNERS[chain];
  const chain_id = chainIdOf(anchor, shard);
  return forgeReceipts(
    [...tree].map((letter, sequence) => ({
      chain_id,
      event_id: formatEventId(chain_id, { shard, sequence }),
      issued_at: `2026-12-01T00:00:${secondOf(letter)}.000Z`,
      ...turnOf(letter),
    })),
  );
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const secondOf = (letter: string): number => Number.parseInt(letter, 36) + (/\d/.test(letter) ? 36 : 0);

/** A small letter's turn follows from its place. */
function turnOf(letter: string): Partial<ReceiptCore> {
  if (/\d/.test(letter)) return { turn: 1, previous_turn_hash: null };
  if (letter === letter.toLowerCase()) return {};
  const before = LETTERS.slice(0, LETTERS.indexOf(letter.toLowerCase()));
  const previous = receiptsOf({ chain: "c", tree: before }).at(-1) ?? assert.fail("nothing is before a");
  return { turn: before.length + 1, previous_turn_hash: linkTo(previous) };
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

/** A turn of a bundle: the entry that it stands under, perhaps with its place in the chain, or the tree in which it is pending. */
export type ToldTurn = number | string | readonly [entry: number, place: number];

/** The bundle of a conversation; one that was erased has no requests any more. */
export function bundleOf(log: readonly string[], turns: readonly ToldTurn[], isErased: boolean): object {
  const request = readEvidence("requests/greeting.json") as { readonly interaction_id: string };
  const reports = turns.map((turn) => evidenceOfTurn(log, turn));
  const seals = new Set(reports.flatMap((one) => one.merkle_proof.cross_tenant_proof?.seal_index ?? []));
  return {
    interaction_id: isErased ? `erased:${"e".repeat(22)}` : request.interaction_id,
    receipts: reports.flatMap(({ receipts = [] }) => receipts),
    requests: turns.map(() => (isErased ? null : request)),
    proofs: turns.map((turn, i) => ({
      event_id: reports[i]?.event_id,
      evidence_chain: chainEnd(log, turn),
      merkle_proof: reports[i]?.merkle_proof,
    })),
    seals: [...seals].toSorted((a, b) => a - b).map((index) => sealAt(log, index)),
    ...(isErased && { erasures: turns.map(() => ERASURE) }),
    next_turn: null,
  };
}

const ERASURE = { erased_at: "2026-12-03T00:00:00.000Z", erased_by: "operator", ground: "request" };

function evidenceOfTurn(log: readonly string[], turn: ToldTurn): ReceiptEvidence {
  if (typeof turn === "string") return pendingIn(turn);
  const [entry, place] = typeof turn === "number" ? [turn] : turn;
  return reportAt(log, entry, place === undefined ? {} : { place });
}

function chainEnd(log: readonly string[], turn: ToldTurn): object {
  const entry = typeof turn === "number" ? turn : Number(turn[0]);
  const word = typeof turn === "string" ? turn.replace(":", "0:") : log[entry];
  const head = headOf(word ?? assert.fail(`there is no entry ${entry}`));
  const last = receiptsOf(head).at(-1) ?? assert.fail("a head has receipts");
  return { chain_id: idOf(head.chain), head_hash: linkTo(last), sequence: head.tree.length - 1 };
}

function sealAt(log: readonly string[], index: number): object {
  const { mth } = treeOver(log);
  return {
    ...{ index, merkle_root: formatNode(mth(0, index + 1)), tree_size: index + 1 },
    previous_root: index === 0 ? null : formatNode(mth(0, index)),
    previous_tree_size: index,
    consistency_path: index === 0 ? [] : PROOF(index, index + 1, mth).map(formatNode),
    ...SEALED,
  };
}

const SEALED = {
  ...{ receipt_count: 1, sealed_at: "2026-12-02T00:00:00.000Z" },
  ...{ tsa_timestamp: PENDING_TIMESTAMP, additional_timestamps: [] },
};

const json = (value: unknown): Uint8Array => utf8(`${JSON.stringify(value)}\n`);

/** As much of the log as a walk reads, as a mirror's folder has it, by path. */
export function logFiles(log: readonly string[]): Map<string, Uint8Array> {
  const tree = treeOver(log);
  const latest = {
    ...{ index: log.length - 1, merkle_root: formatNode(tree.mth(0, log.length)), tree_size: log.length },
    ...{ previous_root: null, previous_tree_size: 0, consistency_path: [] },
    ...SEALED,
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
