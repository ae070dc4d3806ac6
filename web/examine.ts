// Examines a receipt or a bundle with core's own verification, and sorts the checks by the part they are about.

import type { BundleEvidence, ReceiptEvidence } from "../core/formats/evidence.ts";
import type { Seal } from "../core/formats/metachain.ts";
import type { Renewal } from "../core/formats/renewal.ts";
import type { ProvenTime } from "../core/timestamps/proven-time.ts";
import { TimestampVerifier } from "../core/timestamps/timestamp-verifier.ts";
import type { Check } from "../core/verify/check.ts";
import { timestampOf, verifyBundle } from "../core/verify/verify-bundle.ts";
import { verifyLinks } from "../core/verify/verify-links.ts";
import { verifyReceipt } from "../core/verify/verify-receipt.ts";
import { verifySeal } from "../core/verify/verify-seal.ts";
import type { Subject } from "./documents.ts";
import { provenTimes, readStamp, type Stamp, stampOf, type Time } from "../reader/times.ts";

/** What the reader has beside the evidence. */
export interface Knowledge {
  readonly request: unknown;
  /** Published roots by index, from outside the evidence; null where none is published. */
  readonly published: ReadonlyMap<number, Seal | null>;
  readonly trustAnchors: readonly Uint8Array[];
  /** The reader's clock, RFC 3339: certificates run out. Undefined to judge tokens as of their own time alone. */
  readonly now: string | undefined;
  /** Newer timestamps that cover older roots. */
  readonly renewals?: readonly Renewal[];
}

/** One receipt of what was examined; a lone receipt is a conversation's only known turn. */
export interface Turn {
  readonly evidence: ReceiptEvidence;
  readonly checks: readonly Check[];
  /** Whether it follows the turn before; null for the first one that is there. */
  readonly follows: boolean | null;
  /** Its own timestamp, as far as it could be read, or else the one that stands in for it. */
  readonly stamp: Stamp | null;
  /** Every time that is proved of it, and by whom; none where a timestamp does not hold. */
  readonly times: readonly ProvenTime[];
}

export interface ExaminedSeal {
  readonly seal: Seal;
  readonly checks: readonly Check[];
  readonly stamp: Stamp | null;
}

/** Survives being posted between threads. */
export interface Examination {
  readonly kind: "receipt" | "proof" | "bundle" | "seal";
  readonly turns: readonly Turn[];
  /** The bundle's own copies of the published roots, or the one root that is examined. */
  readonly seals: readonly ExaminedSeal[];
  /** Checks that are about all of it. */
  readonly whole: readonly Check[];
}

export function examine(subject: Subject, knowledge: Knowledge): Promise<Examination> {
  if (subject.kind === "receipt") return examineReceipt(subject.evidence, knowledge);
  if (subject.kind === "bundle") return examineBundle(subject.bundle, knowledge);
  return examineSeal(subject.seal, knowledge);
}

/** The published roots that the evidence leads to, or follows, by index. */
export function sealIndices(subject: Subject): number[] {
  if (subject.kind === "seal") return subject.seal.index === 0 ? [] : [subject.seal.index - 1];
  if (subject.kind === "bundle") return subject.bundle.seals.map(({ index }) => index);
  const cross = subject.evidence.merkle_proof.cross_tenant_proof;
  return cross === null ? [] : [cross.seal_index];
}

/** One verifier for all: the receipts of a conversation share few roots, and each token is most of the work. */
const timeOf = ({ trustAnchors, ...rest }: Pick<Knowledge, "trustAnchors" | "now" | "renewals">): Time => ({
  ...rest,
  trustAnchors: new TimestampVerifier(trustAnchors),
});

async function examineReceipt(evidence: ReceiptEvidence, knowledge: Knowledge): Promise<Examination> {
  const { request, published, ...rest } = knowledge;
  const time = timeOf(rest);
  const seal = published.get(evidence.merkle_proof.cross_tenant_proof?.seal_index ?? -1);
  const known = { ...(request !== undefined && { request }), ...(seal !== undefined && { seal }) };
  const { checks } = await verifyReceipt(evidence, { ...known, ...time });
  const kind = evidence.receipts === undefined ? "proof" : "receipt";
  const stamped = await timesOf(evidence, time);
  return { kind, turns: [{ evidence, checks, follows: null, ...stamped }], seals: [], whole: [] };
}

async function timesOf(evidence: ReceiptEvidence, time: Time): Promise<Pick<Turn, "stamp" | "times">> {
  const own = await readStamp(evidence.tsa_timestamp, evidence.merkle_proof.merkle_root, time);
  const times = await provenTimes(evidence, time);
  return { stamp: own ?? stampOf(times), times };
}

async function examineSeal(seal: Seal, { published, ...rest }: Knowledge): Promise<Examination> {
  const time = timeOf(rest);
  const previous = published.get(seal.index - 1);
  const { checks } = await verifySeal(seal, { ...time, ...(previous && { previous }) });
  const stamp = await readStamp(seal.tsa_timestamp, seal.merkle_root, time);
  return { kind: "seal", turns: [], seals: [{ seal, checks, stamp }], whole: [] };
}

async function examineBundle(bundle: BundleEvidence, knowledge: Knowledge): Promise<Examination> {
  const { published, ...rest } = knowledge;
  const time = timeOf(rest);
  // A root that could not be fetched is unknown, which is not the same as unpublished: all of them, or none.
  const isKnown = bundle.seals.every(({ index }) => published.has(index));
  const { checks } = await verifyBundle(bundle, { ...time, ...(isKnown && { published }) });
  const sorted = sortByPlace(checks);
  const seals = bundle.seals.map(async (seal, i) => ({
    seal,
    checks: sorted.get(`seals/${i}`) ?? [],
    stamp: await readStamp(timestampOf(bundle, seal), seal.merkle_root, time),
  }));
  return {
    kind: "bundle",
    turns: await Promise.all(bundle.receipts.map((_, i) => turnOf(bundle, i, sorted, time))),
    seals: await Promise.all(seals),
    whole: sorted.get("") ?? [],
  };
}

/** `receipts/1/leaf_hash` becomes `leaf_hash` under `receipts/1`. */
function sortByPlace(checks: readonly Check[]): Map<string, Check[]> {
  const sorted = new Map<string, Check[]>();
  for (const check of checks) {
    const end = check.name.lastIndexOf("/");
    const place = check.name.slice(0, Math.max(end, 0));
    sorted.set(place, [...(sorted.get(place) ?? []), { ...check, name: check.name.slice(end + 1) }]);
  }
  return sorted;
}

async function turnOf(
  bundle: BundleEvidence,
  index: number,
  sorted: ReadonlyMap<string, readonly Check[]>,
  time: Time,
): Promise<Turn> {
  const { [index]: receipt = {} } = bundle.receipts;
  const proof = bundle.proofs[index];
  if (proof === undefined) throw new Error("bundleEvidenceSchema lets no receipt through without its proof");
  const seal = bundle.seals.find(({ index: at }) => at === proof.merkle_proof.cross_tenant_proof?.seal_index);
  const evidence = {
    ...proof,
    receipts: [receipt],
    ...(seal && { tsa_timestamp: timestampOf(bundle, seal) }),
  };
  const checks = sorted.get(`receipts/${index}`) ?? [];
  return {
    evidence,
    checks,
    follows: await followsPrevious(bundle, index),
    ...(await timesOf(evidence, time)),
  };
}

/** Two neighbours by themselves, so that the picture can show which link of the chain is broken. */
async function followsPrevious({ receipts }: BundleEvidence, index: number): Promise<boolean | null> {
  if (index === 0) return null;
  return (await verifyLinks(receipts.slice(index - 1, index + 1))).valid;
}
