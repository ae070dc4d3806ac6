// The facts that verified evidence states about the service's logs. Pieces of evidence whose facts contradict each other
// show a lie.
import { formatHex, utf8 } from "../bytes.ts";
import type { ComplianceReceipt, CrossTenantProof } from "../formats/compliance-receipt.ts";
import { type ChainHead, hashChainHead } from "../formats/metachain.ts";
import {
  hashReceiptCore,
  type ShownReceipt,
  shownReceiptSchema,
  withoutAuthentication,
} from "../formats/receipt.ts";
import { completeNodes, type InclusionProof } from "../merkle/complete-nodes.ts";
import { formatNode, hashBytes, parseDigest, parseNode } from "../merkle/hash.ts";
import type { Fact, Facts, GrowthStep, LogKind } from "./fact-types.ts";
import { sealFacts, sealHashFact, sizeStep } from "./seal-facts.ts";

/** A receipt with its proofs, or a proof alone, that was verified. */
export type ProvenReceipt = Pick<ComplianceReceipt, "merkle_proof"> & {
  readonly receipts?: readonly object[] | undefined;
  readonly evidence_chain?: ComplianceReceipt["evidence_chain"] | undefined;
};

/**
 * The facts of a receipt that verifies. Where its conversation is known, its turn is one. Conversations are named by
 * chain and id: two tenants may both have a conversation `call-1`.
 */
export function factsOfReceipt(proven: ProvenReceipt, interactionId?: string): Facts {
  const { event_inclusion_proof: event, cross_tenant_proof: cross } = proven.merkle_proof;
  const [raw = {}] = proven.receipts ?? [];
  const { data: receipt } = shownReceiptSchema.safeParse(raw);
  const leafHash =
    receipt === undefined ? event.leaf_hash : formatNode(hashReceiptCore(withoutAuthentication(raw)));
  const chainId = receipt?.chain_id ?? cross?.leaf.chain_id ?? proven.evidence_chain?.chain_id;
  const conversation = receipt && interactionId && `${receipt.chain_id}/${hashName(interactionId)}`;
  return {
    facts: [
      ...(chainId === undefined ? [] : chainFacts(chainId, leafHash, proven)),
      ...(receipt === undefined ? [] : [...linkFacts(receipt), ...sealBeforeFacts(receipt)]),
      ...(receipt && conversation ? turnFacts(conversation, receipt, leafHash) : []),
      ...(cross === null ? [] : crossFacts(cross)),
    ],
    steps: [
      ...(receipt === undefined ? [] : [timeStep(receipt), sealBeforeStep(receipt)]),
      ...(receipt && conversation ? [turnStep(conversation, receipt)] : []),
      ...(cross === null ? [] : [...headSteps(cross), sizeStep(cross.seal_index, cross.tree_size)]),
    ],
  };
}

/** The receipt of one turn of a conversation, and of the turn before it, to which it links. */
export function turnFacts(conversation: string, receipt: ShownReceipt, leafHash: string): Fact[] {
  const { chain_id, turn, previous_turn_hash } = receipt;
  const fact = (number: number, value: string): Fact => ({
    log: "chain",
    name: `turn/${conversation}/${number}`,
    what: `turn ${number} of a conversation on chain ${chain_id}`,
    value,
  });
  const own = fact(turn, leafHash);
  return previous_turn_hash === null ? [own] : [own, fact(turn - 1, nodeOf(previous_turn_hash))];
}

/** A hash in place of a name: facts end up in errors, and errors in logs. */
export const hashName = (name: string): string => formatHex(hashBytes(utf8(name)));

/** The nodes of the chain's tree that the proof shows, and the receipt that the chain is said to end with. */
function chainFacts(
  chainId: string,
  leafHash: string,
  { merkle_proof, evidence_chain }: ProvenReceipt,
): Fact[] {
  const nodes = treeFacts("chain", chainId, parseNode(leafHash), merkle_proof.event_inclusion_proof);
  if (evidence_chain === undefined) return nodes;
  return [...nodes, leafFact(chainId, evidence_chain.sequence, nodeOf(evidence_chain.head_hash))];
}

/** A link is a fact about the leaf before: what follows another than the one that was seen shows here. */
const linkFacts = ({ chain_id, sequence, previous_hash }: ShownReceipt): Fact[] =>
  sequence === 0 ? [] : [leafFact(chain_id, sequence - 1, nodeOf(previous_hash))];

/** A receipt commits to the bytes of the seal that it names. */
const sealBeforeFacts = ({ recorded_after: named }: ShownReceipt): Fact[] =>
  named === null ? [] : [sealHashFact(named.seal_index, named.seal_hash)];

const crossFacts = (cross: CrossTenantProof): Fact[] => [
  headFact(cross.leaf),
  ...treeFacts("metachain", "metachain", hashChainHead(cross.leaf), cross),
  ...sealFacts(cross.seal_index, cross.root, cross.tree_size),
];

/** The complete subtrees that a path shows, and the root. */
function treeFacts(
  log: LogKind,
  id: string,
  leafHash: Uint8Array,
  proof: InclusionProof & { readonly root: string },
): Fact[] {
  const nodes = completeNodes(leafHash, proof).map(({ level, place, hash }): Fact => {
    const width = 2 ** level;
    const range = { first: place * width, last: (place + 1) * width - 1 };
    return { log, name: `${id}/${level}/${place}`, what: rangeOf(log, id, range), value: formatNode(hash) };
  });
  const whole = rangeOf(log, id, { first: 0, last: proof.tree_size - 1 });
  return [...nodes, { log, name: `${id}/size/${proof.tree_size}`, what: whole, value: proof.root }];
}

const leafFact = (chainId: string, index: number, value: string): Fact => ({
  log: "chain",
  name: `${chainId}/0/${index}`,
  what: rangeOf("chain", chainId, { first: index, last: index }),
  value,
});

/** "receipt 3 of chain …", "entries 0 to 7 of the metachain". */
function rangeOf(log: LogKind, id: string, { first, last }: { first: number; last: number }): string {
  const [one, many, owner] =
    log === "chain" ? ["receipt", "receipts", `chain ${id}`] : ["entry", "entries", "the metachain"];
  return first === last ? `${one} ${first} of ${owner}` : `${many} ${first} to ${last} of ${owner}`;
}

/** A receipt's time is never before that of an earlier receipt of its chain. */
const timeStep = ({ chain_id, sequence, issued_at }: ShownReceipt): GrowthStep => ({
  log: "chain",
  series: `${chain_id}/issued_at`,
  at: sequence,
  value: Date.parse(issued_at),
  mustGrow: false,
  statement: `receipt ${sequence} of chain ${chain_id} was issued at ${issued_at}`,
});

/** A later receipt of a chain does not name an older seal; -1 stands for none. */
const sealBeforeStep = ({ chain_id, sequence, recorded_after }: ShownReceipt): GrowthStep => ({
  log: "chain",
  series: `${chain_id}/recorded_after`,
  at: sequence,
  value: recorded_after?.seal_index ?? -1,
  mustGrow: false,
  statement: `receipt ${sequence} of chain ${chain_id} names ${recorded_after === null ? "no seal" : `seal ${recorded_after.seal_index}`}`,
});

/** A later turn of a conversation is a later receipt of its chain. */
const turnStep = (conversation: string, { chain_id, sequence, turn }: ShownReceipt): GrowthStep => ({
  log: "chain",
  series: `turn/${conversation}`,
  at: turn,
  value: sequence,
  mustGrow: true,
  statement: `turn ${turn} is receipt ${sequence} of chain ${chain_id}`,
});

/** A chain has one sealed head of each number. */
const headFact = ({ chain_id, head_index, tree_size }: ChainHead): Fact => ({
  log: "chain",
  name: `${chain_id}/head/${head_index}`,
  what: `the size of head ${head_index} of chain ${chain_id}`,
  value: String(tree_size),
});

/**
 * A chain that grew is a later head, a later entry of the metachain, and is first published by a seal that is not
 * earlier.
 */
function headSteps({ leaf, leaf_index, seal_index }: CrossTenantProof): GrowthStep[] {
  const { chain_id, head_index, tree_size } = leaf;
  const head = `chain ${chain_id} with ${tree_size} receipts`;
  const step = { log: "chain", at: tree_size } as const;
  return [
    {
      log: "chain",
      series: `${chain_id}/head`,
      at: head_index,
      value: tree_size,
      mustGrow: true,
      statement: `head ${head_index} of chain ${chain_id} has ${tree_size} receipts`,
    },
    {
      ...step,
      series: `${chain_id}/entry`,
      value: leaf_index,
      mustGrow: true,
      statement: `${head} is entry ${leaf_index} of the metachain`,
    },
    {
      ...step,
      series: `${chain_id}/seal`,
      value: seal_index,
      mustGrow: false,
      statement: `${head} is published by seal ${seal_index}`,
    },
  ];
}

const nodeOf = (digest: string): string => formatNode(parseDigest(digest));
