// Verification of a compliance receipt, or of any part of one that holds a Merkle proof. It needs no key, trusts
// nobody, and reads as a list of steps.
import { canonicalize } from "../canonical-json.ts";
import { hashInput, withoutIdentifiers } from "../formats/attestation-request.ts";
import type { CrossTenantProof, EventInclusionProof } from "../formats/compliance-receipt.ts";
import { formatEventId, parseEventId } from "../formats/event-id.ts";
import type { ReceiptEvidence } from "../formats/evidence.ts";
import { hashChainHead, type ListedSeal, type Seal, sealIn } from "../formats/metachain.ts";
import {
  hashOutput,
  hashReceiptCore,
  NO_PREVIOUS_HASH,
  type ShownReceipt,
  shownReceiptSchema,
  withoutAuthentication,
} from "../formats/receipt.ts";
import { formatNode, parseDigest, parseNode } from "../merkle/hash.ts";
import { verifyInclusion } from "../merkle/merkle-proof.ts";
import { RECEIPT_LIMITS, TimestampVerifier } from "../timestamps/timestamp-verifier.ts";
import {
  type Finding,
  fail,
  holds,
  runSteps,
  type Step,
  unchecked,
  type Verification,
  withoutSeal,
} from "./check.ts";
import { stampedRootOf } from "./receipt-times.ts";
import { checkPolicy, type KnownLayers } from "./verify-policy.ts";
import { checkRecordedAfter } from "./verify-recorded-after.ts";
import { checkTimestamp, type ReaderTime } from "./verify-timestamp.ts";

/** The reader's inputs next to the receipt; whatever is missing leaves its checks unmade. */
export interface ReaderKnowledge extends ReaderTime {
  /** The request that the reader takes to be the receipt's. If it is another's, the receipt is not at fault. */
  readonly request?: unknown;
  /** The published seal under `seal_index`. */
  readonly seal?: ListedSeal;
  /** The published seal under the index that `recorded_after` names. */
  readonly sealBefore?: ListedSeal;
  /** The wording policy layers that the reader has, or why it does not have one that the receipt names. */
  readonly layers?: KnownLayers;
}

/** A receipt with its proof. Out of a bundle it comes with more, which is then part of the evidence. */
export type BundledEvidence = ReceiptEvidence & {
  readonly request?: unknown;
  /** The bundle's copy of the published seal; null where the bundle has none. */
  readonly sealCopy?: Seal | null;
};

interface ReceiptSubject extends ReaderKnowledge {
  readonly evidence: BundledEvidence;
  /** The receipt itself; absent where only a proof was given. */
  readonly raw: Record<string, unknown> | undefined;
  /** The same as the format says; throws `proof_invalid` where it is not. */
  readonly receipt: () => ShownReceipt;
}

const RECEIPT_STEPS: readonly Step<ReceiptSubject>[] = [
  ["receipt_format", checkFormat],
  ["event_id", checkEventId],
  ["input_hash", checkInputHash],
  ["output_hash", checkOutputHash],
  ["policy", ({ receipt, layers = new Map() }) => checkPolicy(receipt(), layers)],
  ["leaf_hash", checkLeafHash],
  ["links", checkLinks],
];

const PROOF_STEPS: readonly Step<ReceiptSubject>[] = [
  ["event_inclusion", checkEventInclusion],
  ["evidence_chain", checkEvidenceChain],
  ["merkle_root", checkMerkleRoot],
  ["published_root", checkPublishedRoot],
  ["timestamp", checkReceiptTimestamp],
];

const TIME_STEPS: readonly Step<ReceiptSubject>[] = [["recorded_after", checkLowerBound]];

/** Checks all that can be checked. `evidence` is as `evidenceSchema` reads it, receipts untouched. */
export function verifyReceipt(
  evidence: BundledEvidence,
  knowledge: ReaderKnowledge = {},
): Promise<Verification> {
  const raw = evidence.receipts?.[0];
  const steps = raw === undefined ? PROOF_STEPS : [...RECEIPT_STEPS, ...PROOF_STEPS, ...TIME_STEPS];
  const receipt = remember(() => readReceipt(raw));
  const trustAnchors = TimestampVerifier.of(knowledge.trustAnchors ?? []).forExamination(RECEIPT_LIMITS);
  return runSteps(steps, { ...knowledge, trustAnchors, evidence, raw, receipt });
}

function checkFormat({ evidence, receipt }: ReceiptSubject): Finding {
  const { event_id, receipt_format_version } = receipt();
  if (evidence.event_id !== undefined && evidence.event_id !== event_id) {
    fail("the answer and its receipt name different events");
  }
  return holds(`a receipt in format ${receipt_format_version}`);
}

function checkEventId({ receipt }: ReceiptSubject): Finding {
  const { event_id, chain_id, sequence } = receipt();
  const place = parseEventId(event_id);
  if (place === null || place.sequence !== sequence || formatEventId(chain_id, place) !== event_id) {
    fail("the event id does not name this place of this chain");
  }
  return holds("the event id names this place of this chain");
}

function checkInputHash({ evidence, receipt, ...given }: ReceiptSubject): Finding {
  const { input_hash, disclosure } = receipt();
  const request = evidence.request ?? given.request;
  if (request === undefined) return unchecked("not_given", "the request was not given");
  if (hashInput(request) !== input_hash) {
    if (evidence.request !== undefined) fail("the request is not the one that was attested");
    return unchecked("other_request", "the request that was given is not the one behind this receipt");
  }
  if (canonicalize(withoutIdentifiers(request as object)) !== canonicalize(disclosure))
    fail("the receipt shows another disclosure than the request");
  return holds("the request is the one that was attested");
}

function checkOutputHash({ raw, receipt }: ReceiptSubject): Finding {
  // The policy as it came: members of it that we don't know are hashed too, and the schema would drop them.
  const policy = raw?.policy as ShownReceipt["policy"];
  if (hashOutput({ ...receipt(), policy }) !== receipt().output_hash) fail("the outcome was changed");
  return holds("event, turn, verdict and policy are those of the outcome");
}

function checkLeafHash({ evidence, raw = {} }: ReceiptSubject): Finding {
  const { leaf_hash, leaf_index } = evidence.merkle_proof.event_inclusion_proof;
  const actual = formatNode(hashReceiptCore(withoutAuthentication(raw)));
  if (actual !== leaf_hash) fail("the receipt was changed, or the proof is another receipt's");
  if (raw.sequence !== leaf_index) fail("the proof is for another place of the chain");
  return holds("the receipt is the leaf that the proof is about");
}

/** Checks the links that one receipt shows; `verifyLinks` follows them from receipt to receipt. */
function checkLinks({ evidence, receipt }: ReceiptSubject): Finding {
  const { sequence, turn, previous_hash, previous_turn_hash } = receipt();
  if ((turn === 1) !== (previous_turn_hash === null)) fail("only the first turn has none before it");
  if ((sequence === 0) !== (previous_hash === NO_PREVIOUS_HASH))
    fail("only the first receipt has none before it");
  if (sequence === 0) return holds("the first receipt of its chain");
  if (sequence % 2 === 0) return unchecked("not_given", "the receipt before was not given");
  // The sibling of an odd leaf is the leaf before it, so the path itself says what the link must be.
  const [sibling] = evidence.merkle_proof.event_inclusion_proof.path;
  if (sibling !== formatNode(parseDigest(previous_hash)))
    fail("the receipt does not link to the one before it");
  return holds("the receipt links to the one before it in the tree");
}

function checkEventInclusion({ evidence }: ReceiptSubject): Finding {
  const proof = evidence.merkle_proof.event_inclusion_proof;
  verifyPath(parseNode(proof.leaf_hash), proof);
  return holds(`place ${proof.leaf_index} in the chain's tree of ${proof.tree_size}`);
}

function checkEvidenceChain({ evidence, raw }: ReceiptSubject): Finding {
  const { evidence_chain: chain, merkle_proof } = evidence;
  const { leaf_hash, leaf_index, tree_size } = merkle_proof.event_inclusion_proof;
  if (chain === undefined) return unchecked("not_given", "the head of the chain was not given");
  const chainId = raw?.chain_id ?? merkle_proof.cross_tenant_proof?.leaf.chain_id;
  if (chainId !== undefined && chainId !== chain.chain_id) fail("the head is another chain's");
  if (chain.sequence !== tree_size - 1) fail("the head is not the last leaf of the tree");
  if (leaf_index !== chain.sequence)
    return unchecked("not_given", `the head is receipt ${chain.sequence}, which was not given`);
  if (formatNode(parseDigest(chain.head_hash)) !== leaf_hash) fail("the head is another receipt");
  return holds("the receipt is the head of its chain");
}

function checkMerkleRoot({ evidence, raw }: ReceiptSubject): Finding {
  const {
    status,
    merkle_root,
    event_inclusion_proof: event,
    cross_tenant_proof: cross,
  } = evidence.merkle_proof;
  if ((status === "included") !== (cross !== null))
    fail(`the status is ${status}, which the proof contradicts`);
  if (cross === null) {
    if (merkle_root !== event.root) fail("the path does not lead to merkle_root");
    return holds("the path leads to the chain's own root, which was not yet published");
  }
  checkChainHead(cross, event, raw);
  verifyPath(hashChainHead(cross.leaf), cross);
  if (cross.root !== merkle_root) fail("the paths do not lead to merkle_root");
  return holds(`the paths lead to the root of seal ${cross.seal_index}`);
}

function checkChainHead(
  { leaf }: CrossTenantProof,
  event: EventInclusionProof,
  raw: ReceiptSubject["raw"],
): void {
  if (leaf.root !== event.root || leaf.tree_size !== event.tree_size) fail("the two paths do not meet");
  if (raw !== undefined && raw.chain_id !== leaf.chain_id) fail("the sealed head is another chain's");
}

function checkPublishedRoot({ evidence, seal: listed }: ReceiptSubject): Finding {
  const { cross_tenant_proof: cross, merkle_root } = evidence.merkle_proof;
  if (cross === null) return unchecked("pending", "the root was not yet published when this was made");
  const { sealCopy } = evidence;
  if (sealCopy === null) fail(`the bundle has no seal ${cross.seal_index}`);
  const isRoot = ({ index, merkle_root: root, tree_size }: Seal): boolean =>
    index === cross.seal_index && root === merkle_root && tree_size === cross.tree_size;
  if (sealCopy !== undefined && !isRoot(sealCopy))
    fail(`the bundle's seal ${cross.seal_index} has a different root`);
  const seal = sealIn(listed);
  if (seal === null && listed === undefined && sealCopy !== undefined)
    return unchecked("not_given", "compared only with the bundle's own copy of the seal");
  if (seal === null) return withoutSeal(listed, cross.seal_index);
  if (!isRoot(seal)) fail(`a different root is published under ${cross.seal_index}`);
  // When it was sealed is not said: nothing but a token proves a time.
  return holds(`the root is that of seal ${seal.index}`);
}

function checkReceiptTimestamp({ evidence, ...knowledge }: ReceiptSubject): Promise<Finding> | Finding {
  const stamped = stampedRootOf(evidence, knowledge);
  return stamped === null ? unchecked("pending", "no timestamp was given") : checkTimestamp(stamped);
}

function checkLowerBound({ evidence, receipt, sealBefore, trustAnchors }: ReceiptSubject): Promise<Finding> {
  const { cross_tenant_proof: cross } = evidence.merkle_proof;
  const seals = { carried: evidence.recorded_after_seal, published: sealBefore };
  return checkRecordedAfter(receipt(), cross, seals, { trustAnchors });
}

function verifyPath(leafHash: Uint8Array, proof: Omit<EventInclusionProof, "leaf_hash">): void {
  const path = proof.path.map(parseNode);
  verifyInclusion(leafHash, proof.leaf_index, proof.tree_size, path, parseNode(proof.root));
}

/** Reads when first asked, and not again once it was read: several steps need the receipt, and each fails for itself. */
function remember<T>(read: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= read();
    return value;
  };
}

function readReceipt(raw: unknown): ShownReceipt {
  const result = shownReceiptSchema.safeParse(raw);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  return fail(`${issue?.path.join(".") || "the receipt"} is not as the format says`);
}
