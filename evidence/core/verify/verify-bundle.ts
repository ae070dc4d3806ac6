// Verification of an evidence bundle: each receipt and each seal by itself, then what binds them to one conversation.
// It reads as a list of steps; the checks of a part carry its place in the bundle, such as `receipts/1`.
import { DisclosureError } from "../errors.ts";
import type { BundleEvidence } from "../formats/evidence.ts";
import { type ListedSeal, ownTimestamp, type Seal, type TsaTimestamp } from "../formats/metachain.ts";
import { BUNDLE_LIMITS, TimestampVerifier } from "../timestamps/timestamp-verifier.ts";
import {
  type Finding,
  fail,
  holds,
  type PlacedCheck,
  placed,
  runSteps,
  type Step,
  unchecked,
  type Verification,
} from "./check.ts";
import { count } from "./count.ts";
import type { Facts } from "./fact-types.ts";
import { factsOfReceipt } from "./facts.ts";
import { History } from "./history.ts";
import { factsOfSeal } from "./seal-facts.ts";
import { checkChainConsistency } from "./verify-chain-consistency.ts";
import { verifyLinks } from "./verify-links.ts";
import { type KnownLayers, layersByDigest } from "./verify-policy.ts";
import { type BundledEvidence, verifyReceipt } from "./verify-receipt.ts";
import { namedSealIndex } from "./verify-recorded-after.ts";
import { verifySeal } from "./verify-seal.ts";
import type { ReaderTime } from "./verify-timestamp.ts";

export interface BundleKnowledge extends ReaderTime {
  /** The published seals that the reader has, by index. */
  readonly published?: ReadonlyMap<number, ListedSeal>;
  /** The wording policy layers that the reader has next to the bundle's own. */
  readonly layers?: KnownLayers;
  /** The requests that the reader kept, by their hash: each stands for its own where the bundle's was erased. */
  readonly requests?: ReadonlyMap<string, unknown>;
}

interface BundleSubject extends BundleKnowledge {
  readonly bundle: BundleEvidence;
  /** The facts of the receipts and seals that hold by themselves. */
  readonly facts: readonly Facts[];
}

/** The members of a seal that a reader takes from a bundle as if they were published. */
const PUBLISHED = ["merkle_root", "tree_size", "sealed_at", "receipt_count"] as const;

const STEPS: readonly Step<BundleSubject>[] = [
  ["one_history", checkHistory],
  ["chain_consistency", ({ bundle }) => checkChainConsistency(bundle)],
  ["interaction", checkInteraction],
  ["published_seals", checkPublishedSeals],
];

/** `bundle` is as `bundleEvidenceSchema` reads it. It can't show that no later turns exist. */
export async function verifyBundle(
  bundle: BundleEvidence,
  given: BundleKnowledge = {},
): Promise<Verification<PlacedCheck>> {
  // The receipts of a conversation share few roots: each token is verified once.
  const knowledge = {
    ...given,
    trustAnchors: TimestampVerifier.of(given.trustAnchors ?? []).forExamination(BUNDLE_LIMITS),
    layers: new Map([...(given.layers ?? []), ...layersByDigest(bundle.policy_layers ?? [])]),
  };
  const turns = await verifyEach("receipts", bundle.receipts, (_, i) => verifyTurn(bundle, i, knowledge));
  const seals = await verifyEach("seals", bundle.seals, (seal) => verifyBundledSeal(bundle, seal, knowledge));
  const facts = factsOfBundle(bundle, turns, seals);
  const parts = [
    ...turns,
    ...seals,
    placed("", await verifyLinks(bundle.receipts)),
    placed("", await runSteps(STEPS, { ...knowledge, bundle, facts })),
  ];
  return { valid: parts.every(({ valid }) => valid), checks: parts.flatMap(({ checks }) => checks) };
}

const verifyEach = <T>(
  list: string,
  members: readonly T[],
  verify: (member: T, index: number) => Promise<Verification>,
): Promise<Verification<PlacedCheck>[]> =>
  Promise.all(members.map(async (member, i) => placed(`${list}/${i}`, await verify(member, i))));

function verifyTurn(
  bundle: BundleEvidence,
  index: number,
  knowledge: BundleKnowledge,
): Promise<Verification> {
  const [proof, receipt] = [bundle.proofs[index], bundle.receipts[index]];
  if (proof === undefined || receipt === undefined)
    throw new DisclosureError("malformed", "a receipt has no proof");
  const { cross_tenant_proof: cross } = proof.merkle_proof;
  const sealCopy = cross === null ? null : sealAt(bundle, cross.seal_index);
  const seal = cross === null ? undefined : knowledge.published?.get(cross.seal_index);
  const namedIndex = namedSealIndex(receipt);
  const sealBefore = namedIndex === null ? undefined : knowledge.published?.get(namedIndex);
  const evidence = {
    ...proof,
    receipts: [receipt],
    ...requestAt(bundle, index),
    sealCopy,
    recorded_after_seal: sealBeforeOf(bundle, receipt),
    ...(sealCopy !== null && { tsa_timestamp: timestampOf(bundle, sealCopy) }),
  };
  const published = { ...(seal !== undefined && { seal }), ...(sealBefore !== undefined && { sealBefore }) };
  return verifyReceipt(evidence, { ...knowledge, ...published, ...keptRequest(bundle, index, knowledge) });
}

/** The bundle's copy of the seal that a receipt was recorded after; null where the bundle has none. */
export function sealBeforeOf(bundle: BundleEvidence, receipt: object): Seal | null {
  const index = namedSealIndex(receipt);
  return index === null ? null : sealAt(bundle, index);
}

/** The timestamp of the receipts under one of the bundle's seals. */
export const timestampOf = (bundle: BundleEvidence, seal: Seal): TsaTimestamp =>
  ownTimestamp(seal, laterTimestamps(bundle, seal.index));

const laterTimestamps = ({ later_timestamps = [] }: BundleEvidence, index: number): TsaTimestamp[] =>
  later_timestamps.filter(({ seal_index }) => seal_index === index).map(({ tsa_timestamp }) => tsa_timestamp);

/** The request of a receipt, where it was not erased. */
const requestAt = ({ requests }: BundleEvidence, index: number): Pick<BundledEvidence, "request"> =>
  requests[index] === null ? {} : { request: requests[index] };

/** Another request than the one that was erased says nothing here, and so is none. */
function keptRequest(
  { requests, receipts }: BundleEvidence,
  index: number,
  { requests: kept }: BundleKnowledge,
): { readonly request?: unknown } {
  const hash = receipts[index]?.input_hash;
  const request = requests[index] === null && typeof hash === "string" ? kept?.get(hash) : undefined;
  return request === undefined ? {} : { request };
}

function verifyBundledSeal(
  bundle: BundleEvidence,
  seal: Seal,
  knowledge: BundleKnowledge,
): Promise<Verification> {
  const previous = sealAt(bundle, seal.index - 1);
  // They are over the same root, and must hold like those that it was published with.
  const additional_timestamps = [...seal.additional_timestamps, ...laterTimestamps(bundle, seal.index)];
  const knownBefore = { ...knowledge, ...(previous !== null && { previous }) };
  return verifySeal({ ...seal, additional_timestamps }, knownBefore);
}

const sealAt = ({ seals }: BundleEvidence, index: number): Seal | null =>
  seals.find((seal) => seal.index === index) ?? null;

/** A part that does not hold by itself is left out: nobody knows where it came from. */
function factsOfBundle(
  { receipts, proofs, seals }: BundleEvidence,
  turnResults: readonly Pick<Verification, "valid">[],
  sealResults: readonly Pick<Verification, "valid">[],
): Facts[] {
  const isSound = (results: readonly Pick<Verification, "valid">[]) => (_: unknown, i: number) =>
    results[i]?.valid === true;
  const turns = receipts.flatMap((receipt, i) => {
    const { [i]: proof } = proofs;
    return proof === undefined ? [] : [{ ...proof, receipts: [receipt] }];
  });
  return [
    ...turns.filter(isSound(turnResults)).map(factsOfReceipt),
    ...seals.filter(isSound(sealResults)).map(factsOfSeal),
  ];
}

/** Proofs that hold each by itself may be of two histories, or of an order that can't be. */
function checkHistory({ facts }: BundleSubject): Finding {
  const history = new History();
  for (const each of facts) {
    const contradiction = history.add(each);
    if (contradiction !== null) fail(contradiction.sentence);
  }
  return holds("no two parts contradict each other");
}

/** Every request that is still there is hashed into its receipt, and says which conversation it was of. */
function checkInteraction({ bundle }: BundleSubject): Finding {
  const requests = bundle.requests.filter((request) => request !== null);
  const isOfAnother = (request: unknown) =>
    (request as { interaction_id?: unknown } | undefined)?.interaction_id !== bundle.interaction_id;
  if (requests.some(isOfAnother)) fail("a request is of another conversation");
  if (requests.length === 0) return unchecked("nothing_to_check", "all requests were erased");
  return holds(`${count(requests.length, "request")} of this conversation`);
}

/** The seals of a bundle come from whoever handed it on; what is published is the same for every reader. */
function checkPublishedSeals({ bundle, published }: BundleSubject): Finding {
  if (bundle.seals.length === 0) return unchecked("pending", "no root is published yet");
  if (published === undefined || bundle.seals.some(({ index }) => !published.has(index)))
    return unchecked("not_given", "not all of the published roots were given");
  for (const seal of bundle.seals) {
    const original = published.get(seal.index);
    if (original === "too_new") continue;
    if (original === null) fail(`no root is published under ${seal.index}`);
    if (PUBLISHED.some((name) => original?.[name] !== seal[name]))
      fail(`a different root is published under ${seal.index}`);
  }
  if (bundle.seals.some(({ index }) => published.get(index) === "too_new"))
    return unchecked("too_new", "the list of published roots at hand ends before some of these");
  return holds(`${count(bundle.seals.length, "root")} as published`);
}
