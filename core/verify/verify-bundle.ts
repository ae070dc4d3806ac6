// Verification of an evidence bundle: each receipt and each seal by itself, then what binds them to one conversation.
// It reads as a list of steps; the checks of a part carry its place in the bundle, such as `receipts/1/leaf_hash`.
import { DisclosureError } from "../errors.ts";
import type { BundleEvidence } from "../formats/evidence.ts";
import { ownTimestamp, type Seal, type TsaTimestamp } from "../formats/metachain.ts";
import { TimestampVerifier } from "../timestamps/timestamp-verifier.ts";
import {
  type Check,
  type Finding,
  fail,
  holds,
  runSteps,
  type Step,
  unchecked,
  type Verification,
} from "./check.ts";
import { count } from "./count.ts";
import { verifyLinks } from "./verify-links.ts";
import { type EvidenceWithRequest, verifyReceipt } from "./verify-receipt.ts";
import { verifySeal } from "./verify-seal.ts";
import type { ReaderTime } from "./verify-timestamp.ts";

export interface BundleKnowledge extends ReaderTime {
  /** The published seals by index, as the reader fetched them; null where none is published. */
  readonly published?: ReadonlyMap<number, Seal | null>;
}

interface Subject extends BundleKnowledge {
  readonly bundle: BundleEvidence;
}

/** What a seal says of itself, and a reader takes from a bundle as if it were published. */
const PUBLISHED = ["merkle_root", "tree_size", "sealed_at", "receipt_count"] as const;

const STEPS: readonly Step<Subject>[] = [
  ["interaction", checkInteraction],
  ["published_seals", checkPublishedSeals],
];

/** `bundle` is as `bundleEvidenceSchema` reads it. That it is whole to the last turn is nothing it can show. */
export async function verifyBundle(
  bundle: BundleEvidence,
  given: BundleKnowledge = {},
): Promise<Verification> {
  // The receipts of a conversation share few roots: each token is verified once.
  const knowledge = { ...given, trustAnchors: TimestampVerifier.of(given.trustAnchors ?? []) };
  const parts = [
    ...(await verifyEach("receipts", bundle.receipts, (_, i) => verifyTurn(bundle, i, knowledge))),
    ...(await verifyEach("seals", bundle.seals, (seal) => verifyBundledSeal(bundle, seal, knowledge))),
    await verifyLinks(bundle.receipts),
    await runSteps(STEPS, { ...knowledge, bundle }),
  ];
  return { valid: parts.every(({ valid }) => valid), checks: parts.flatMap(({ checks }) => checks) };
}

/** Verifies the members of a list; the name of each check begins with its place in the bundle. */
function verifyEach<T>(
  list: string,
  members: readonly T[],
  verify: (member: T, index: number) => Promise<Verification>,
): Promise<Verification[]> {
  const verifyOne = async (member: T, index: number): Promise<Verification> => {
    const { valid, checks } = await verify(member, index);
    const place = (check: Check): Check => ({ ...check, name: `${list}/${index}/${check.name}` });
    return { valid, checks: checks.map(place) };
  };
  return Promise.all(members.map(verifyOne));
}

function verifyTurn(
  bundle: BundleEvidence,
  index: number,
  knowledge: BundleKnowledge,
): Promise<Verification> {
  const [proof, receipt] = [bundle.proofs[index], bundle.receipts[index]];
  if (proof === undefined || receipt === undefined)
    throw new DisclosureError("malformed", "a receipt has no proof");
  const { cross_tenant_proof: cross } = proof.merkle_proof;
  const seal = cross === null ? null : sealAt(bundle, cross.seal_index);
  const evidence = {
    ...proof,
    receipts: [receipt],
    ...requestAt(bundle, index),
    ...(seal !== null && { tsa_timestamp: timestampOf(bundle, seal) }),
  };
  return verifyReceipt(evidence, { ...knowledge, seal });
}

/** The timestamp of the receipts under one of the bundle's seals. */
export const timestampOf = (bundle: BundleEvidence, seal: Seal): TsaTimestamp =>
  ownTimestamp(seal, laterTimestamps(bundle, seal.index));

const laterTimestamps = ({ later_timestamps = [] }: BundleEvidence, index: number): TsaTimestamp[] =>
  later_timestamps.filter(({ seal_index }) => seal_index === index).map(({ tsa_timestamp }) => tsa_timestamp);

/** The request of a receipt, where it was not erased. */
const requestAt = ({ requests }: BundleEvidence, index: number): Pick<EvidenceWithRequest, "request"> =>
  requests[index] === null ? {} : { request: requests[index] };

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

/** Every request that is still there is hashed into its receipt, and says which conversation it was of. */
function checkInteraction({ bundle }: Subject): Finding {
  const requests = bundle.requests.filter((request) => request !== null);
  const isOfAnother = (request: unknown) =>
    (request as { interaction_id?: unknown } | undefined)?.interaction_id !== bundle.interaction_id;
  if (requests.some(isOfAnother)) fail("a request is of another conversation");
  if (requests.length === 0) return unchecked("all requests were erased");
  return holds(`${count(requests.length, "request")} of this conversation`);
}

/** The seals of a bundle come from whoever handed it on; what is published is the same for every reader. */
function checkPublishedSeals({ bundle, published }: Subject): Finding {
  if (bundle.seals.length === 0) return unchecked("no root is published yet");
  if (published === undefined) return unchecked("the published roots were not given");
  for (const seal of bundle.seals) {
    const original = published.get(seal.index);
    if (PUBLISHED.some((name) => original?.[name] !== seal[name]))
      fail(`the root published under ${seal.index} is another`);
  }
  return holds(`${count(bundle.seals.length, "root")} as published`);
}
