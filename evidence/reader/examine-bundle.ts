// Examines a bundle: its receipts and its roots one by one, and the conversation as a whole.

import { hashInput } from "../core/formats/attestation-request.ts";
import type { BundleEvidence } from "../core/formats/evidence.ts";
import type { ListedSeal } from "../core/formats/metachain.ts";
import type { Check, PlacedCheck } from "../core/verify/check.ts";
import { sealBeforeOf, timestampOf, verifyBundle } from "../core/verify/verify-bundle.ts";
import { verifyLinks } from "../core/verify/verify-links.ts";
import { namedSealIndex } from "../core/verify/verify-recorded-after.ts";
import type { Examination, ExaminedTurn } from "./examination.ts";
import { inOrder } from "./in-order.ts";
import type { TimeInputs } from "./inputs.ts";
import type { PolicyLayers } from "./policy-layers.ts";
import type { PublishedSeals } from "./published-seals.ts";
import { readTokenTime, timesOf } from "./times.ts";
import { wordingOfReceipt } from "./wording.ts";

/** How many roots of one bundle are fetched at a time. */
const FETCH_WIDTH = 8;

interface BundleInputs {
  /** Null where the published roots are not to be compared. */
  readonly published: PublishedSeals | null;
  readonly layers: PolicyLayers;
  readonly requests: readonly unknown[];
}

export async function examineBundle(
  bundle: BundleEvidence,
  { published, layers, requests }: BundleInputs,
  time: TimeInputs,
): Promise<Examination> {
  const fetched = published === null ? null : await fetchSeals(bundle, published);
  const known = await layers.find(bundle.receipts, bundle.policy_layers);
  const { checks } = await verifyBundle(bundle, {
    ...time,
    layers: known,
    requests: new Map(requests.map((request) => [hashInput(request), request])),
    ...(fetched && { published: fetched }),
  });
  const sorted = sortByPlace(checks);
  const seals = bundle.seals.map(async (seal, i) => ({
    seal,
    checks: sorted.get(`seals/${i}`) ?? [],
    tokenTime: await readTokenTime(timestampOf(bundle, seal), seal.merkle_root, time),
    checkpoint: null,
  }));
  const turns = bundle.receipts.map(async (receipt, i) => ({
    ...(await examineTurn(bundle, i, sorted, time, fetched)),
    wording: wordingOfReceipt(receipt, known),
  }));
  return {
    kind: "bundle",
    turns: await Promise.all(turns),
    seals: await Promise.all(seals),
    whole: sorted.get("") ?? [],
    unavailable: null,
  };
}

/** Those that could be had. A root that is unknown is not the same as one that is not published: that is null. */
async function fetchSeals(
  { seals, receipts }: BundleEvidence,
  published: PublishedSeals,
): Promise<Map<number, ListedSeal>> {
  const fetched = new Map<number, ListedSeal>();
  const read = inOrder(seals, FETCH_WIDTH, async ({ index }) => [index, await published.get(index)] as const);
  for await (const [index, seal] of read) {
    if (seal !== undefined) fetched.set(index, seal);
  }
  // A receipt may name a seal that the bundle does not have.
  const named = new Set(receipts.map(namedSealIndex).filter((index) => index !== null));
  for (const index of named) {
    const seal = fetched.has(index) ? undefined : await published.get(index);
    if (seal !== undefined) fetched.set(index, seal);
  }
  return fetched;
}

function sortByPlace(checks: readonly PlacedCheck[]): Map<string, Check[]> {
  const sorted = new Map<string, Check[]>();
  for (const { place, ...check } of checks) sorted.set(place, [...(sorted.get(place) ?? []), check]);
  return sorted;
}

async function examineTurn(
  bundle: BundleEvidence,
  index: number,
  sorted: ReadonlyMap<string, readonly Check[]>,
  time: TimeInputs,
  published: ReadonlyMap<number, ListedSeal> | null,
): Promise<Omit<ExaminedTurn, "wording">> {
  const { [index]: receipt = {} } = bundle.receipts;
  const proof = bundle.proofs[index];
  if (proof === undefined) throw new Error("bundleEvidenceSchema lets no receipt through without its proof");
  const seal = bundle.seals.find(({ index: at }) => at === proof.merkle_proof.cross_tenant_proof?.seal_index);
  const evidence = {
    ...proof,
    receipts: [receipt],
    recorded_after_seal: sealBeforeOf(bundle, receipt),
    ...(seal && { tsa_timestamp: timestampOf(bundle, seal) }),
  };
  const checks = sorted.get(`receipts/${index}`) ?? [];
  const follows = await followsPrevious(bundle, index);
  const named = namedSealIndex(receipt);
  const sealBefore = named === null ? undefined : published?.get(named);
  return { evidence, checks, follows, checkpoint: null, ...(await timesOf(evidence, time, sealBefore)) };
}

/** Two neighbours by themselves, so that a picture can show which link of the chain is broken. */
async function followsPrevious({ receipts }: BundleEvidence, index: number): Promise<boolean | null> {
  if (index === 0) return null;
  return (await verifyLinks(receipts.slice(index - 1, index + 1))).valid;
}
