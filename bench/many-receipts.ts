// Many receipts of one chain under one sealed root, as reports show them, with a real token over that root: what the
// benchmarks of verification read. Seeded, but for the token and its authority.
import { createHash, randomUUID } from "node:crypto";
import { formatBase64, utf8 } from "../evidence/core/bytes.ts";
import { type AttestationRequest, hashInput } from "../evidence/core/formats/attestation-request.ts";
import type { CrossTenantProof } from "../evidence/core/formats/compliance-receipt.ts";
import { hashChainHead, type Seal, type TsaTimestamp } from "../evidence/core/formats/metachain.ts";
import { AUTH_MECHANISM } from "../evidence/core/formats/receipt.ts";
import { formatDigest, formatNode, hashBytes } from "../evidence/core/merkle/hash.ts";
import {
  appendLeaf,
  buildInclusionPath,
  rootAt,
  type TreeLeaf,
} from "../evidence/core/merkle/merkle-tree.ts";
import { lookupLayer, rulesOf } from "../evidence/core/policy/policy.ts";
import { parseCertificatesPem } from "../evidence/core/timestamps/x509/pem.ts";
import { policyLayers } from "../evidence/policy/index.ts";
import { createIdentity, parseIdentity } from "../host/local/timestamp-identity.ts";
import { answerTimeStampReq } from "../host/local/timestamp-response.ts";
import { type PlannedReceipt, planReceipts } from "../service/ledger/append-plan.ts";
import { formatIncluded } from "../service/reports/report-format.ts";
import {
  buildTimeStampReq,
  parseTimeStampResp,
  randomNonce,
} from "../service/timestamps/timestamp-request.ts";

export const SEED = "disclosure-receipts bench 1";
const CHAIN_ID = createHash("md5").update(SEED).digest("hex");
const TSA_URL = "http://tsa.example";

/** A published root, the way to it from the chain's head, and the timestamp that covers it. */
interface PublishedProof {
  readonly crossTenantProof: CrossTenantProof;
  readonly timestamp: TsaTimestamp;
}

export interface ManyReceipts {
  /** The receipts as JSON, as they lie in a reader's files. */
  readonly texts: readonly string[];
  /** The request behind each. */
  readonly requests: readonly AttestationRequest[];
  /** The published seal that they all lead to. */
  readonly seal: Seal;
  /** DER of the authority's root certificate. */
  readonly trustAnchors: readonly Uint8Array[];
}

/** A chain of `receipts`, sealed together with `otherChains` others. */
export function buildManyReceipts(receipts: number, otherChains: number): ManyReceipts {
  const requests = Array.from({ length: receipts }, (_, i) => requestOf(i));
  const planned = planChain(requests);
  const leaves = planned.map(({ leaf }) => leaf);
  const head = lastOf(leaves);
  const metachain = growLog(
    Array.from({ length: otherChains + 1 }, (_, i) =>
      i === otherChains ? hashChainHead(chainHeadOf(head)) : hashBytes(utf8(`${SEED} chain ${i}`)),
    ),
  );
  const { timestamp, trustAnchors } = stamp(rootAt(lastOf(metachain)));
  const publication = { crossTenantProof: proveHead(head, metachain), timestamp };
  const texts = planned.map((receipt) => formatReport(receipt, leaves, publication));
  return { texts, requests, seal: sealOf(publication, receipts), trustAnchors };
}

/** Four turns a conversation, of which most are worded as the layer wants it. */
function requestOf(index: number): AttestationRequest {
  const { wordings } = lookupLayer(policyLayers, "DE");
  return {
    interaction_id: `conversation-${Math.floor(index / 4)}`,
    modality: "voice",
    article_50_clause: "1",
    disclosure_method: "spoken_introduction",
    agent_identity: "agent/reception",
    jurisdiction: "DE",
    subject_hash: wordings[index % wordings.length]?.digest ?? formatDigest(hashBytes(utf8(SEED))),
  };
}

function planChain(requests: readonly AttestationRequest[]): PlannedReceipt[] {
  const rules = rulesOf(lookupLayer(policyLayers, "DE"));
  const submissions = requests.map((request) => {
    const { interaction_id: conversation } = request;
    return { request, inputHash: hashInput(request), rules, conversation, idempotency: null };
  });
  return planReceipts({ chainId: CHAIN_ID, shard: 0 }, submissions, {
    head: null,
    turns: new Map(),
    stampedSeal: null,
    now: new Date(),
  });
}

function growLog(leafHashes: readonly Uint8Array[]): TreeLeaf[] {
  const leaves: TreeLeaf[] = [];
  for (const leafHash of leafHashes) leaves.push(appendLeaf(leaves.at(-1) ?? null, leafHash));
  return leaves;
}

const chainHeadOf = (head: TreeLeaf) => ({
  chain_id: CHAIN_ID,
  head_index: 0,
  tree_size: head.leafIndex + 1,
  root: formatNode(rootAt(head)),
});

const proveHead = (head: TreeLeaf, metachain: readonly TreeLeaf[]): CrossTenantProof => ({
  seal_index: 0,
  leaf: chainHeadOf(head),
  leaf_index: metachain.length - 1,
  tree_size: metachain.length,
  path: pathIn(metachain, metachain.length - 1).map(formatNode),
  root: formatNode(rootAt(lastOf(metachain))),
});

function formatReport(
  { leaf, core, stampedSeal }: PlannedReceipt,
  leaves: readonly TreeLeaf[],
  { crossTenantProof, timestamp }: PublishedProof,
): string {
  // Nobody verifies the code without the key.
  const code = createHash("sha256").update(leaf.leafHash).digest("base64");
  const authentication = { auth_mechanism: AUTH_MECHANISM, key_id: randomUUID(), signature: code } as const;
  const head = lastOf(leaves);
  const proof = { leaf, path: pathIn(leaves, leaf.leafIndex), head, root: rootAt(head) };
  const report = formatIncluded(
    { leaf, core, authentication, stampedSeal },
    proof,
    crossTenantProof,
    timestamp,
  );
  return JSON.stringify({ ...report, ...authentication });
}

const pathIn = (leaves: readonly TreeLeaf[], leafIndex: number): Uint8Array[] =>
  buildInclusionPath(leafIndex, leaves.length, (index) => leaves[index] ?? lastOf(leaves));

/** The root is stamped by a development authority of this run. */
function stamp(root: Uint8Array): { timestamp: TsaTimestamp; trustAnchors: Uint8Array[] } {
  const identity = parseIdentity(createIdentity(new Date()));
  const request = buildTimeStampReq(root, randomNonce());
  const token = parseTimeStampResp(answerTimeStampReq(request, identity, new Date()));
  const timestamp_token = formatBase64(token);
  return {
    timestamp: { status: "included", timestamp_token, tsa_url: TSA_URL, covers: "merkle_root" },
    trustAnchors: parseCertificatesPem(identity.caCertificatePem),
  };
}

const sealOf = (
  { crossTenantProof: { root, tree_size }, timestamp }: PublishedProof,
  receipts: number,
): Seal => ({
  index: 0,
  merkle_root: root,
  tree_size,
  previous_root: null,
  previous_tree_size: 0,
  consistency_path: [],
  receipt_count: receipts,
  sealed_at: new Date().toISOString(),
  tsa_timestamp: timestamp,
  additional_timestamps: [],
});

function lastOf<T>(list: readonly T[]): T {
  const last = list.at(-1);
  if (last === undefined) throw new Error("the list is empty");
  return last;
}
