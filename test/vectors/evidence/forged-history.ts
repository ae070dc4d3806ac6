// Builds what an operator with own code could hand out: chains, metachains, seals and tokens that each hold by
// themselves, of a history that can't be. The bytes of tokens come from ../timestamps/forge.ts.
import { formatBase64 } from "../../../evidence/core/bytes.ts";
import { hashInput } from "../../../evidence/core/formats/attestation-request.ts";
import { formatEventId } from "../../../evidence/core/formats/event-id.ts";
import { type ChainHead, hashChainHead, hashSeal } from "../../../evidence/core/formats/metachain.ts";
import { hashOutput, hashReceiptCore, NO_PREVIOUS_HASH } from "../../../evidence/core/formats/receipt.ts";
import { evaluatePolicy } from "../../../evidence/core/policy/policy.ts";
import { readRules } from "../../../evidence/core/policy/policy-rules.ts";
import { formatDigest, formatNode, hashLeaf } from "../../../evidence/core/merkle/hash.ts";
import {
  appendLeaf,
  buildConsistencyPath,
  buildInclusionPath,
  rootAt,
  type TreeLeaf,
} from "../../../evidence/core/merkle/merkle-tree.ts";
import { certificatePem } from "../timestamps/certificate-pem.ts";
import { integer, octets, oid, sequence, text } from "../timestamps/der-writer.ts";
import {
  basicConstraints,
  type Identity,
  keyCertSign,
  makeIdentity,
  makeToken,
  Oid,
  tsaExtensions,
} from "../timestamps/forge.ts";
import { type Json, read, SERVICE_LAYER } from "./edit.ts";

export const CONVERSATION = "call-2026-000117";
export const CHAIN = "f".repeat(32);
const MAC = { auth_mechanism: "hmac-sha256", key_id: "mac-1", signature: `${"A".repeat(43)}=` };

const ca = makeIdentity({ name: "Authority", extensions: [basicConstraints(0), keyCertSign] });
const tsa = makeIdentity({ name: "Authority TSA", issuer: ca, extensions: tsaExtensions });
export const anchorPem = (): string => certificatePem(ca.certificate);

/** A Merkle tree of any leaves. */
export class Tree {
  readonly #leaves: TreeLeaf[] = [];

  constructor(hashes: readonly Uint8Array[]) {
    for (const hash of hashes) this.#leaves.push(appendLeaf(this.#leaves.at(-1) ?? null, hash));
  }

  #leaf = (index: number): TreeLeaf => {
    const { [index]: leaf } = this.#leaves;
    if (leaf === undefined) throw new Error(`no leaf ${index}`);
    return leaf;
  };

  root = (size: number): string => formatNode(rootAt(this.#leaf(size - 1)));
  path = (index: number, size: number): string[] => buildInclusionPath(index, size, this.#leaf).map(formatNode);
  growth = (from: number, to: number): string[] => buildConsistencyPath(from, to, this.#leaf).map(formatNode);
}

/** A receipt as a lie wants it; what is left out follows from the rest. */
export interface Lie {
  readonly place: number;
  readonly turn: number;
  readonly time: string;
  readonly before?: Told | undefined;
  readonly previousHash?: string;
  /** The seal that it names. */
  readonly after?: Named;
  /** Members of the disclosure, in place of those of an approved wording. */
  readonly disclosure?: { [name: string]: Json };
  /** The layer by which it is judged, in place of the service's own. */
  readonly layer?: Json;
  /** Told in place of the verdict that the layer gives, or of members of its policy. */
  readonly verdict?: string;
  readonly policy?: { [name: string]: Json };
}

/** A seal as a receipt names it. */
export interface Named {
  readonly seal_index: number;
  readonly seal_hash: string;
}

export interface Told {
  readonly request: { [name: string]: Json };
  readonly core: { [name: string]: Json };
  readonly hash: Uint8Array;
}

export function tell({ place, turn, time, before, previousHash, after, ...lie }: Lie): Told {
  const disclosure = {
    article_50_clause: "1",
    disclosure_method: turn === 1 ? "spoken_introduction" : "spoken_reminder",
    jurisdiction: "DE",
    modality: "voice" as const,
    subject_hash: formatDigest(hashLeaf(Uint8Array.of(turn))),
    ...lie.disclosure,
  };
  const request = { ...disclosure, interaction_id: CONVERSATION, agent_identity: "voice-agent/2.4.1" };
  const judged = evaluatePolicy(readRules(lie.layer ?? read(SERVICE_LAYER)), disclosure, time);
  const told = {
    event_id: formatEventId(CHAIN, { shard: 0, sequence: place }),
    turn,
    verdict: lie.verdict ?? judged.verdict,
    policy: { ...judged.policy, ...lie.policy },
  };
  const core = {
    ...told,
    chain_id: CHAIN,
    sequence: place,
    input_hash: hashInput(request),
    output_hash: hashOutput(told as never),
    previous_hash: previousHash ?? NO_PREVIOUS_HASH,
    previous_turn_hash: before === undefined ? null : formatDigest(before.hash),
    issued_at: time,
    recorded_after: after === undefined ? null : { ...after },
    disclosure,
    receipt_format_version: "1.0",
    verifiability: "verifiable",
  };
  return { request, core: core as never, hash: hashReceiptCore(core) };
}

/** Other people's receipts, known by their hash alone; another `history` has others. */
export const others = (count: number, history = 0): Uint8Array[] =>
  Array.from({ length: count }, (_, i) => hashLeaf(Uint8Array.of(history, i)));

/** A chain as the metachain's entry commits to it. */
export interface Head {
  readonly chain: Tree;
  /** Its number among the sealed heads of the chain. */
  readonly index: number;
  readonly size: number;
}

export const leafOf = ({ chain, index, size }: Head): ChainHead => ({
  chain_id: CHAIN,
  head_index: index,
  tree_size: size,
  root: chain.root(size),
});
export const entryOf = (head: Head): Uint8Array => hashChainHead(leafOf(head));

export interface Sealing {
  readonly index: number;
  readonly metachain: Tree;
  readonly size: number;
  readonly previousSize: number;
  readonly time: string;
}

/** A seal is made once: the signature in its token is another each time. */
const made = new WeakMap<Sealing, { [name: string]: Json }>();

export function sealOf(sealing: Sealing): { [name: string]: Json } {
  const seal = made.get(sealing) ?? makeSeal(sealing);
  made.set(sealing, seal);
  return seal;
}

export const nameOf = (sealing: Sealing): Named => ({
  seal_index: sealing.index,
  seal_hash: hashSeal(sealOf(sealing) as never),
});

function makeSeal({ index, metachain, size, previousSize, time }: Sealing): { [name: string]: Json } {
  const root = metachain.root(size);
  return {
    index,
    merkle_root: root,
    tree_size: size,
    previous_root: previousSize === 0 ? null : metachain.root(previousSize),
    previous_tree_size: previousSize,
    consistency_path: metachain.growth(previousSize, size),
    receipt_count: 1,
    sealed_at: time,
    tsa_timestamp: stamp(root, time),
    additional_timestamps: [],
  };
}

function stamp(root: string, time: string): Json {
  const imprint = sequence(sequence(oid(Oid.sha256)), octets(Buffer.from(root.slice(2), "hex")));
  const genTime = text(0x18, `${time.slice(0, 19).replace(/\D/g, "")}Z`);
  const serial = integer(Number.parseInt(root.slice(2, 8), 16));
  const der = makeToken({ tsa: tsa as Identity, tstInfo: { imprint, genTime, serial } });
  return {
    status: "included",
    timestamp_token: formatBase64(der),
    tsa_url: "https://tsa.example",
    covers: "merkle_root",
  };
}

/** One turn of the bundle, and the way from it to the seal. */
export interface Turn {
  readonly told: Told;
  readonly place: number;
  readonly head: Head;
  readonly headHash: Uint8Array;
  readonly entry: number;
  readonly sealing: Sealing;
}

/** The path from the smaller head to the larger, as the chain of the larger has it. */
function pathsBetween(turns: readonly Turn[]): Json[] {
  const heads = turns.map(({ head }) => head).sort((a, b) => a.size - b.size);
  return heads.slice(1).flatMap(({ chain, size }, i) => {
    const from = heads[i]?.size ?? size;
    return from === size ? [] : [{ chain_id: CHAIN, from_size: from, to_size: size, path: chain.growth(from, size) }];
  });
}

/** The report on one turn. */
export function reportOf(turn: Turn): Json {
  const { tsa_timestamp = null } = sealOf(turn.sealing);
  const proof = proofOf(turn) as { [name: string]: Json };
  return { ...proof, receipts: [{ ...turn.told.core, ...MAC }], tsa_timestamp, recorded_after_seal: null, ...MAC };
}

export function bundleOf(turns: readonly Turn[], { hasPaths = true } = {}): Json {
  const paths = hasPaths ? pathsBetween(turns) : [];
  const sealings = new Map(turns.map(({ sealing }) => [sealing.index, sealing]));
  return {
    interaction_id: CONVERSATION,
    receipts: turns.map(({ told }) => ({ ...told.core, ...MAC })),
    requests: turns.map(({ told }) => told.request),
    proofs: turns.map(proofOf),
    seals: [...sealings.values()].sort((a, b) => a.index - b.index).map(sealOf),
    ...(paths.length > 0 && { chain_consistency: paths }),
    next_turn: null,
    ...MAC,
  };
}

function proofOf({ told, place, head, headHash, entry, sealing }: Turn): Json {
  const { chain, size } = head;
  const { metachain, index } = sealing;
  return {
    event_id: told.core.event_id ?? null,
    evidence_chain: { chain_id: CHAIN, head_hash: formatDigest(headHash), sequence: size - 1 },
    merkle_proof: {
      status: "included",
      merkle_root: metachain.root(sealing.size),
      event_inclusion_proof: {
        leaf_hash: formatNode(told.hash),
        leaf_index: place,
        tree_size: size,
        path: chain.path(place, size),
        root: chain.root(size),
      },
      cross_tenant_proof: {
        seal_index: index,
        leaf: { ...leafOf(head) },
        leaf_index: entry,
        tree_size: sealing.size,
        path: metachain.path(entry, sealing.size),
        root: metachain.root(sealing.size),
      },
    },
  };
}
