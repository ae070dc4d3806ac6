// The seal that a receipt was recorded after bounds its time from below: a token can't be known before its authority made
// it, so a receipt that commits to a token is younger than it.
import type { CrossTenantProof } from "../formats/compliance-receipt.ts";
import { hashSeal, type ListedSeal, type Seal, sealIn } from "../formats/metachain.ts";
import { type RecordedAfter, receiptCoreSchema, type ShownReceipt } from "../formats/receipt.ts";
import { MAX_ISSUED_BEFORE_MS } from "../timestamps/clock-difference.ts";
import type { ProvenTime } from "../timestamps/proven-time.ts";
import { TimestampVerifier, type TrustAnchors } from "../timestamps/timestamp-verifier.ts";
import { type Finding, fail, holds, unchecked, withoutSeal } from "./check.ts";
import { verifyTokensOf } from "./verify-renewal.ts";
import { describeTime } from "./verify-timestamp.ts";

/** The seal that a receipt names, as far as a reader has it. */
export interface SealBefore {
  /** As it came with the receipt; null or undefined where it did not. */
  readonly carried?: Seal | null | undefined;
  readonly published?: ListedSeal | undefined;
}

/**
 * A certificate that has run out since is no fault: the receipt's own timestamp, or what renews it, covers the leaf that
 * commits to this token, and so shows that the token is older than that.
 */
export interface BoundKnowledge {
  readonly trustAnchors?: TrustAnchors | undefined;
}

/** The index of the seal that a receipt was recorded after; null where it names none, or is not as the format says. */
export const namedSealIndex = (receipt: object): number | null =>
  receiptCoreSchema.shape.recorded_after.safeParse((receipt as { recorded_after?: unknown }).recorded_after)
    .data?.seal_index ?? null;

/** The token after which the receipt was recorded, the latest of several. Throws as `verifyTokensOf`, `proof_invalid`. */
export async function proveLowerBound(
  named: RecordedAfter,
  { carried, published }: SealBefore,
  { trustAnchors = [] }: BoundKnowledge,
): Promise<ProvenTime | null> {
  const given = [carried, sealIn(published)].filter((seal) => seal !== null && seal !== undefined);
  for (const seal of given) requireNamed(named, seal);
  const [seal] = given;
  if (seal === undefined || !TimestampVerifier.of(trustAnchors).hasTrustAnchors) return null;
  const times = await verifyTokensOf(seal, { trustAnchors });
  return times.toSorted((a, b) => knownSince(b) - knownSince(a))[0] ?? null;
}

/** The check `recorded_after`. Throws `proof_invalid`, `token_invalid`, `token_open`, or `malformed` for what is no token. */
export async function checkRecordedAfter(
  { recorded_after: named, issued_at }: ShownReceipt,
  cross: CrossTenantProof | null,
  seals: SealBefore,
  knowledge: BoundKnowledge,
): Promise<Finding> {
  if (named === null) return holds("it names no seal, so that nothing bounds its time from below");
  if (cross !== null && named.seal_index >= cross.seal_index)
    fail(`it names seal ${named.seal_index}, which is not before seal ${cross.seal_index} that covers it`);
  if (seals.published === null || (seals.published === "too_new" && !seals.carried))
    return withoutSeal(seals.published, named.seal_index);
  if (!seals.published && !seals.carried)
    return unchecked("not_given", `seal ${named.seal_index} was not given`);
  const bound = await proveLowerBound(named, seals, knowledge);
  const without = "no certificate of a timestamp authority was given to check the seal's token against";
  return bound === null ? unchecked("no_anchor", without) : judgeBound(named, bound, issued_at);
}

function judgeBound({ seal_index }: RecordedAfter, bound: ProvenTime, issuedAt: string): Finding {
  if (knownSince(bound) - Date.parse(issuedAt) > MAX_ISSUED_BEFORE_MS)
    fail(
      `it says that it was issued at ${issuedAt}, before the token of seal ${seal_index}, of ${bound.genTime}`,
    );
  return holds(`recorded after the token of seal ${seal_index}, of ${describeTime(bound)}`);
}

function requireNamed({ seal_index, seal_hash }: RecordedAfter, seal: Seal): void {
  if (seal.index !== seal_index || hashSeal(seal) !== seal_hash)
    fail(`the receipt names another seal ${seal_index} than this one`);
  if (seal.tsa_timestamp.status !== "included") fail(`seal ${seal_index} has no token of its own`);
}

/** The earliest moment, in milliseconds, at which the authority can have made the token. */
const knownSince = ({ genTime, accuracy }: ProvenTime): number =>
  Date.parse(genTime) - (accuracy ?? 0) * 1_000;
