// The facts that verified evidence states about the service's logs. Pieces of evidence whose facts contradict each other
// show a lie.
import type { ComplianceReceipt, CrossTenantProof } from "../formats/compliance-receipt.ts";
import { type ChainHead, hashChainHead } from "../formats/metachain.ts";
import {
  hashReceiptCore,
  type ShownReceipt,
  shownReceiptSchema,
  withoutAuthentication,
} from "../formats/receipt.ts";
import { completeNodes, type InclusionProof } from "../merkle/complete-nodes.ts";
import { formatNode, parseDigest, parseNode } from "../merkle/hash.ts";
import { count } from "./count.ts";
import type { Fact, Facts, GrowthStep, LogKind } from "./fact-types.ts";
import { sealFacts, sealHashFact, sizeStep } from "./seal-facts.ts";

/** A receipt with its proofs, or a proof alone, that was verified. */
export type ProvenReceipt = Pick<ComplianceReceipt, "merkle_proof"> & {
  readonly receipts?: readonly object[] | undefined;
  readonly evidence_chain?: ComplianceReceipt["evidence_chain"] | undefined;
};

/** The facts of a receipt that verifies, but for those of its conversation. */
export function factsOfReceipt(proven: ProvenReceipt): Facts {
  const { event_inclusion_proof: event, cross_tenant_proof: cross } = proven.merkle_proof;
  const receipt = shownIn(proven);
  const leafHash = receipt === null ? event.leaf_hash : leafHashOf(proven);
  const chainId = receipt?.chain_id ?? cross?.leaf.chain_id ?? proven.evidence_chain?.chain_id;
  return {
    facts: [
      ...(chainId === undefined ? [] : chainFacts(chainId, leafHash, proven)),
      ...(receipt === null ? [] : [...linkFacts(receipt), ...sealBeforeFacts(receipt)]),
      ...(cross === null ? [] : crossFacts(cross)),
    ],
    steps: [
      ...(receipt === null ? [] : [timeStep(receipt), sealBeforeStep(receipt)]),
      ...(cross === null ? [] : [...headSteps(cross), sizeStep(cross.seal_index, cross.tree_size)]),
    ],
  };
}

/**
 * One turn comes after another, which it links to: on the same chain, as a later receipt, that was not issued earlier and
 * names no older seal. A turn is known by its leaf hash and not by the conversation's id: an id that was erased may
 * begin anew.
 */
export function factsOfTurn(proven: ProvenReceipt): Facts {
  const receipt = shownIn(proven);
  if (receipt === null) return { facts: [], steps: [] };
  const { chain_id, turn, previous_turn_hash } = receipt;
  const own = leafHashOf(proven);
  const place = turnFacts(own, receipt, OWN);
  if (previous_turn_hash === null) return place;
  const previous = nodeOf(previous_turn_hash);
  const what = `turn ${turn} of a conversation on chain ${chain_id}`;
  const after: Fact = { log: "chain", name: `turn-after/${previous}`, what, value: own };
  const from = turnFacts(previous, receipt, NEXT);
  return { facts: [after, ...from.facts, ...place.facts], steps: [...from.steps, ...place.steps] };
}

/** The receipt of a proof; null where there is none, or it is not as the format says. */
const shownIn = ({ receipts = [] }: ProvenReceipt): ShownReceipt | null =>
  shownReceiptSchema.safeParse(receipts[0]).data ?? null;

const leafHashOf = ({ receipts = [] }: ProvenReceipt): string =>
  formatNode(hashReceiptCore(withoutAuthentication(receipts[0] ?? {})));

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

/** A later receipt of a chain does not name an older seal. */
const sealBeforeStep = (receipt: ShownReceipt): GrowthStep => ({
  log: "chain",
  series: `${receipt.chain_id}/recorded_after`,
  at: receipt.sequence,
  value: receipt.recorded_after?.seal_index ?? NO_SEAL,
  mustGrow: false,
  statement: `receipt ${receipt.sequence} of chain ${receipt.chain_id} names ${namedSeal(receipt)}`,
});

/** Before the index of any seal. */
const NO_SEAL = -1;

const namedSeal = ({ recorded_after }: ShownReceipt): string =>
  recorded_after === null ? "no seal" : `seal ${recorded_after.seal_index}`;

/** The later of two turns is the one that names the other. */
const [OWN, NEXT] = [0, 1];

/** The chain, number and bounds that a receipt states of the turn with this leaf hash: its own, or the one before. */
function turnFacts(leafHash: string, receipt: ShownReceipt, at: number): Facts {
  const { chain_id, sequence, turn, issued_at, recorded_after } = receipt;
  const name = `turn/${leafHash}`;
  const own = { log: "chain", at } as const;
  const place = `turn ${turn} is receipt ${sequence} of chain ${chain_id}`;
  return {
    facts: [
      {
        log: "chain",
        name: `${name}/chain`,
        what: "the chain and the number of a turn",
        value: `${turn - at} on ${chain_id}`,
      },
    ],
    steps: [
      { ...own, series: `${name}/sequence`, value: sequence, mustGrow: true, statement: place },
      {
        ...own,
        series: `${name}/issued_at`,
        value: Date.parse(issued_at),
        mustGrow: false,
        statement: `turn ${turn} was issued at ${issued_at}`,
      },
      {
        ...own,
        series: `${name}/recorded_after`,
        value: recorded_after?.seal_index ?? NO_SEAL,
        mustGrow: false,
        statement: `turn ${turn} names ${namedSeal(receipt)}`,
      },
    ],
  };
}

/** A chain has one sealed head of each number. */
const headFact = ({ chain_id, head_index, tree_size }: ChainHead): Fact => ({
  log: "chain",
  name: `${chain_id}/head/${head_index}`,
  what: `the size of head ${head_index} of chain ${chain_id}`,
  value: String(tree_size),
});

/** A chain that grew is a later head, and a later entry of the metachain. Any later seal may prove a head, too. */
function headSteps({ leaf, leaf_index }: CrossTenantProof): GrowthStep[] {
  const { chain_id, head_index, tree_size } = leaf;
  const receipts = count(tree_size, "receipt");
  return [
    {
      log: "chain",
      series: `${chain_id}/head`,
      at: head_index,
      value: tree_size,
      mustGrow: true,
      statement: `head ${head_index} of chain ${chain_id} has ${receipts}`,
    },
    {
      log: "chain",
      series: `${chain_id}/entry`,
      at: tree_size,
      value: leaf_index,
      mustGrow: true,
      statement: `chain ${chain_id} with ${receipts} is entry ${leaf_index} of the metachain`,
    },
  ];
}

const nodeOf = (digest: string): string => formatNode(parseDigest(digest));
