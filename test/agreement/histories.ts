// The history of a chain and a mirror of the public log, as files that a test can change: six receipts, a chain of 300
// leaves under four heads, and a log of 300 entries in which these heads stand.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { concatBytes } from "../../evidence/core/bytes.ts";
import type { SealedHead } from "../../evidence/core/formats/chain-history.ts";
import { formatEventId } from "../../evidence/core/formats/event-id.ts";
import type { ReceiptEvidence } from "../../evidence/core/formats/evidence.ts";
import { chainHeadEntry, type Seal } from "../../evidence/core/formats/metachain.ts";
import { receiptLeaf, withoutAuthentication } from "../../evidence/core/formats/receipt.ts";
import { chainIdOf } from "../../evidence/core/formats/tenant-anchor.ts";
import { formatNode, hashLeaf } from "../../evidence/core/merkle/hash.ts";
import { evidenceFor, forgeReceipts } from "../support/lying-service.ts";
import { leafHash, PATH, treeOf } from "../support/rfc9162.ts";
import { filesOf } from "../support/whole-tiles.ts";
import { newFolder, readJson, vector } from "../tools/cli/command-line.ts";

export const ANCHOR = "5".repeat(32);
const SHARD = 3;
export const CHAIN = chainIdOf(ANCHOR, SHARD);
const LEAVES = 300;
const ENTRIES = 300;
/** Sizes of the chain at its heads, and their places in the log. */
const HEADS = [
  [2, 3],
  [5, 40],
  [280, 260],
  [300, 270],
] as const;

const receiptsOf = (chain_id: string, idOf = (id: string) => id) =>
  forgeReceipts(
    Array.from({ length: 6 }, (_, sequence) => ({
      chain_id,
      event_id: idOf(formatEventId(chain_id, { shard: SHARD, sequence })),
    })),
  );
const receipts = receiptsOf(CHAIN);

/** The fourth receipt of the chain, proven in its tree of five. */
export const EVIDENCE = evidenceFor(receipts.slice(0, 5), 3);
/** The same of a chain that no anchor gives. */
export const EVIDENCE_ELSEWHERE = evidenceFor(receiptsOf("e".repeat(32)).slice(0, 5), 3);
/** A receipt of the chain whose id is changed so. */
export const evidenceWithId = (idOf: (id: string) => string) =>
  evidenceFor(receiptsOf(CHAIN, idOf).slice(0, 5), 3);
/** A receipt that links to another than the history has before it. */
export const EVIDENCE_OF_A_FORK = evidenceFor(
  forgeReceipts([
    { turn: 9, chain_id: CHAIN },
    { chain_id: CHAIN, event_id: formatEventId(CHAIN, { shard: SHARD, sequence: 1 }) },
  ]),
  1,
);

/** The contents of the files. A test changes a copy. */
export interface Told {
  readonly index: object;
  readonly heads: readonly SealedHead[];
  readonly leaves: readonly Uint8Array[];
  /** Null for a log of which no root is published yet. */
  readonly entries: readonly Uint8Array[] | null;
  /** The members of the published root that are false. */
  readonly root: Partial<Seal>;
  /** Roots that follow and whose entries are not published. */
  readonly ahead: number;
}

const filler = (text: string): Uint8Array => hashLeaf(Buffer.from(text));
/** An entry of a log that nobody can open. */
export const strange = (index: number): Uint8Array =>
  concatBytes(filler(`label ${index}`), filler(`commitment ${index}`));

const leaves = Array.from({ length: LEAVES }, (_, i) => {
  const receipt = receipts[i];
  return receipt === undefined ? strange(i) : receiptLeaf(withoutAuthentication(receipt));
});
const rootOf = (size: number): string =>
  formatNode(treeOf((index) => leafHash(leaves[index] ?? new Uint8Array()))(0, size));

const heads: readonly SealedHead[] = HEADS.map(([tree_size, leaf_index], head_index) => ({
  head_index,
  tree_size,
  root: rootOf(tree_size),
  leaf_index,
  seal_index: 0,
}));

/** The entry of a head of the chain, or one that nobody can open. */
export const entryOf = ({ head_index, tree_size, root }: Omit<SealedHead, "leaf_index" | "seal_index">) =>
  chainHeadEntry({ chain_id: CHAIN, head_index, tree_size, root });
export const HONEST: Told = {
  index: { tenant_anchor: ANCHOR, chains: [{ chain_id: CHAIN, shard: SHARD }], searched: null },
  heads,
  leaves,
  entries: Array.from({ length: ENTRIES }, (_, index) => {
    const head = heads.find(({ leaf_index }) => leaf_index === index);
    return head === undefined ? strange(index) : entryOf(head);
  }),
  root: {},
  ahead: 0,
};

/** The fourth receipt of the chain under its second head, at entry 40. */
export const EVIDENCE_SEALED: ReceiptEvidence = sealed(EVIDENCE, heads[1]);

function sealed(evidence: ReceiptEvidence, head: SealedHead | undefined): ReceiptEvidence {
  if (head === undefined) throw new Error("there are four heads");
  const { leaf_index, seal_index, ...leaf } = head;
  const mth = treeOf((index) => leafHash(at(HONEST.entries ?? [], index)));
  const root = formatNode(mth(0, ENTRIES));
  const cross_tenant_proof = {
    ...{ seal_index, leaf_index, root, leaf: { chain_id: CHAIN, ...leaf }, tree_size: ENTRIES },
    path: PATH(leaf_index, 0, ENTRIES, mth).map(formatNode),
  };
  const proof = { ...evidence.merkle_proof, status: "included" as const, merkle_root: root };
  return { ...evidence, merkle_proof: { ...proof, cross_tenant_proof } };
}

/** These receipts of the chain in one bundle, each under the first head over it, or waiting for one. */
export function conversationOf(sequences: readonly number[], pending: readonly number[] = []): object {
  const turns = sequences.map((sequence) => ({ ...turnAt(sequence, pending.includes(sequence)) }));
  return {
    interaction_id: "call-1",
    receipts: turns.flatMap((turn) => turn.receipts),
    requests: turns.map(() => null),
    proofs: turns.map(({ event_id, evidence_chain, merkle_proof }) => ({
      event_id,
      evidence_chain,
      merkle_proof,
    })),
    seals: [],
  };
}

function turnAt(sequence: number, isPending: boolean): ReceiptEvidence {
  const head = heads.find(({ tree_size }) => tree_size > sequence);
  if (head === undefined) throw new Error("no head is over it");
  const mth = treeOf((index) => leafHash(at(leaves, index)));
  const { tree_size } = head;
  const own = evidenceFor(receipts, sequence);
  const root = rootOf(tree_size);
  const path = PATH(sequence, 0, tree_size, mth).map(formatNode);
  const event_inclusion_proof = { ...own.merkle_proof.event_inclusion_proof, tree_size, path, root };
  const head_hash = `sha256:${Buffer.from(leafHash(at(leaves, tree_size - 1))).toString("hex")}` as const;
  const evidence = {
    ...own,
    evidence_chain: { chain_id: CHAIN, head_hash, sequence: tree_size - 1 },
    merkle_proof: { ...own.merkle_proof, merkle_root: root, event_inclusion_proof },
  };
  return isPending ? evidence : sealed(evidence, head);
}

export interface Folders {
  readonly history: string;
  readonly log: string;
}

/** Writes both folders, a history as `history` leaves it and a log as `mirror` does. */
export function foldersOf(told: Told): Folders {
  return { history: historyFolder(told), log: logFolder(told) };
}

function historyFolder(told: Told): string {
  const folder = newFolder();
  for (const [path, bytes] of historyFilesOf(told)) write(join(folder, path), bytes);
  return folder;
}

/** The files of the history by their paths below its folder. */
export function historyFilesOf({ index, heads, leaves }: Told): Map<string, Uint8Array> {
  const chain = `chains/${CHAIN}`;
  return new Map([
    ["history.json", Buffer.from(JSON.stringify(index))],
    ...(heads.length > 0 ? [[`${chain}/heads/0.json`, Buffer.from(JSON.stringify(heads))] as const] : []),
    [`${chain}/entries/000`, concatBytes(...leaves.slice(0, 256))],
    [`${chain}/entries/001.p/${LEAVES - 256}`, concatBytes(...leaves.slice(256))],
  ]);
}

function logFolder({ entries, root, ahead }: Told): string {
  const folder = newFolder();
  const files = new Map<string, string | Uint8Array>();
  const seals = entries === null ? [] : sealsOver(entries, root, ahead);
  for (const seal of seals) files.set(`roots/${seal.index}`, JSON.stringify(seal));
  if (entries !== null)
    for (const [path, bytes] of filesOf({
      size: entries.length,
      mth: treeOf((index) => leafHash(at(entries, index))),
      entryAt: (index) => at(entries, index),
    }))
      files.set(path, bytes);
  const head = {
    size: seals.length,
    latest: seals.at(-1) ?? null,
    roots: "/v1/metachain/roots/{index}",
    log: null,
  };
  files.set("index.json", JSON.stringify(head));
  for (const [path, content] of files) write(join(folder, "v1/metachain", path), content);
  return folder;
}

function sealsOver(entries: readonly Uint8Array[], root: Partial<Seal>, ahead: number): Seal[] {
  const model = readJson<Seal>(vector("seals/0.json"));
  const mth = treeOf((index) => leafHash(at(entries, index)));
  const merkle_root = formatNode(mth(0, entries.length));
  return Array.from({ length: 1 + ahead }, (_, index) => ({
    ...model,
    index,
    tree_size: entries.length + index,
    merkle_root,
    ...root,
  }));
}

function at(entries: readonly Uint8Array[], index: number): Uint8Array {
  const entry = entries[index];
  if (entry === undefined) throw new Error(`there is no entry ${index}`);
  return entry;
}

function write(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
