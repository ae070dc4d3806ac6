// The times that a timestamp says and proves. Whether to believe a token is decided by the `timestamp` check alone.
import { parseBase64 } from "../core/bytes.ts";
import { isDisclosureError } from "../core/errors.ts";
import type { ReceiptEvidence } from "../core/formats/evidence.ts";
import type { ListedSeal, TsaTimestamp } from "../core/formats/metachain.ts";
import { shownReceiptSchema } from "../core/formats/receipt.ts";
import { isValidAt, type ProvenTime } from "../core/timestamps/proven-time.ts";
import { parseTimestampToken } from "../core/timestamps/timestamp-token.ts";
import { proveReceiptTimes } from "../core/verify/receipt-times.ts";
import { proveLowerBound } from "../core/verify/verify-recorded-after.ts";
import type { TimeInputs } from "./inputs.ts";

/** The time that a token states, for display. */
export interface TokenTime {
  /** RFC 3339. */
  readonly genTime: string;
  /** The signer, as RFC 4514 writes names; null unless the token leads to one of the reader's anchors. */
  readonly authority: string | null;
  /** `sha256:` fingerprint of that anchor. */
  readonly trustAnchor: string | null;
}

/** Null while pending, and for what can't be read. `root` is `0x` and hex. */
export async function readTokenTime(
  timestamp: TsaTimestamp | undefined,
  root: string,
  inputs: TimeInputs,
): Promise<TokenTime | null> {
  const token = timestamp?.timestamp_token ?? null;
  if (token === null) return null;
  return (
    (await orNull(() => readVerified(token, root, inputs))) ?? (await orNull(() => readUnverified(token)))
  );
}

/**
 * The times of a receipt: its own token's, or else that of the one that renews it; all that are proved; and the one
 * after which it was recorded. `sealBefore` is the seal that it names, as it is published.
 */
export async function timesOf(
  evidence: ReceiptEvidence,
  inputs: TimeInputs,
  sealBefore: ListedSeal | undefined,
): Promise<{
  readonly tokenTime: TokenTime | null;
  readonly times: readonly ProvenTime[];
  readonly recordedAfter: ProvenTime | null;
}> {
  const own = await readTokenTime(evidence.tsa_timestamp, evidence.merkle_proof.merkle_root, inputs);
  const times = await provenTimes(evidence, inputs);
  const recordedAfter = await provenLowerBound(evidence, inputs, sealBefore);
  return { tokenTime: own ?? tokenTimeOf(times), times, recordedAfter };
}

/** Null where the receipt names no seal, where that is not at hand, and where its token is not proven. */
async function provenLowerBound(
  evidence: ReceiptEvidence,
  { trustAnchors }: TimeInputs,
  published: ListedSeal | undefined,
): Promise<ProvenTime | null> {
  const named = shownReceiptSchema.safeParse(evidence.receipts?.[0]).data?.recorded_after;
  if (named === null || named === undefined) return null;
  const seals = { carried: evidence.recorded_after_seal, published };
  return orNull(() => proveLowerBound(named, seals, { trustAnchors }));
}

/** The moment after which a receipt was recorded, RFC 3339: the token that it commits to is older than the receipt. */
export function provenSince({ genTime, accuracy }: Pick<ProvenTime, "genTime" | "accuracy">): string {
  if (!isWide({ accuracy })) return genTime;
  return new Date(Date.parse(genTime) - (accuracy ?? 0) * 1_000).toISOString();
}

/** Every time that is proved of a receipt, earliest first; none where a timestamp does not hold. */
export async function provenTimes(
  evidence: ReceiptEvidence,
  inputs: TimeInputs,
): Promise<readonly ProvenTime[]> {
  if (!inputs.trustAnchors.hasTrustAnchors) return [];
  return (await orNull(() => proveReceiptTimes(evidence, inputs))) ?? [];
}

/** The only time to show: the earliest under a certificate that is valid at `now`, or else the earliest there is. */
export const firstValid = (times: readonly ProvenTime[], now: string): ProvenTime | undefined =>
  times.find((time) => isValidAt(time, now)) ?? times[0];

/** Authorities that state their accuracy are mostly within a second, which no reader minds. Seconds. */
const NEGLIGIBLE_ACCURACY_S = 1;

/** The moment by which the root existed, RFC 3339: genTime may be off by the accuracy that the authority states. */
export function provenBy({ genTime, accuracy }: Pick<ProvenTime, "genTime" | "accuracy">): string {
  if (!isWide({ accuracy })) return genTime;
  return new Date(Date.parse(genTime) + (accuracy ?? 0) * 1_000).toISOString();
}

/** True if the authority states that its time may be off by more than a second. */
export const isWide = ({ accuracy }: Pick<ProvenTime, "accuracy">): boolean =>
  (accuracy ?? 0) > NEGLIGIBLE_ACCURACY_S;

/** Roots are timestamped within minutes, and authorities that are away are asked again. Milliseconds. */
export const USUAL_DELAY_MS = 60 * 60 * 1000;

/**
 * The milliseconds by which the earliest proven time is later than the one that the service states, RFC 3339. Null
 * where so many are usual, or nothing is proven; else only the service's word says that the receipt was not later.
 */
export function unusualDelay(statedAt: string, [earliest]: readonly ProvenTime[]): number | null {
  const delay = Date.parse(earliest?.genTime ?? "") - Date.parse(statedAt);
  return delay > USUAL_DELAY_MS ? delay : null;
}

/** The earliest as a token's time; null where nothing is proved. */
export function tokenTimeOf([earliest]: readonly ProvenTime[]): TokenTime | null {
  if (earliest === undefined) return null;
  const { genTime, authority, trustAnchor } = earliest;
  return { genTime, authority: authority.subject, trustAnchor };
}

async function readVerified(token: string, root: string, inputs: TimeInputs): Promise<TokenTime | null> {
  if (!inputs.trustAnchors.hasTrustAnchors) return null;
  const { genTime, authority, trustAnchor } = await inputs.trustAnchors.verify(token, root);
  return { genTime, authority: authority.subject, trustAnchor };
}

const readUnverified = async (token: string): Promise<TokenTime> => {
  const { tstInfo } = parseTimestampToken(parseBase64(token));
  return { genTime: tstInfo.genTime, authority: null, trustAnchor: null };
};

async function orNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    return null;
  }
}
