// What a timestamp says, for the reader's eye; whether to believe it is the matter of the timestamp check alone.
import { parseBase64 } from "../core/bytes.ts";
import { isDisclosureError } from "../core/errors.ts";
import type { ReceiptEvidence } from "../core/formats/evidence.ts";
import type { TsaTimestamp } from "../core/formats/metachain.ts";
import type { Renewal } from "../core/formats/renewal.ts";
import { isValidAt, type ProvenTime } from "../core/timestamps/proven-time.ts";
import { parseTimestampToken } from "../core/timestamps/timestamp-token.ts";
import type { TimestampVerifier } from "../core/timestamps/timestamp-verifier.ts";
import { proveReceiptTimes } from "../core/verify/receipt-times.ts";

export interface Stamp {
  /** RFC 3339. */
  readonly genTime: string;
  /** Who signed it, as RFC 4514 writes names; null unless the token leads to one of the reader's anchors. */
  readonly authority: string | null;
  /** `sha256:` fingerprint of that anchor. */
  readonly trustAnchor: string | null;
}

/** By what timestamps are judged. */
export interface Time {
  readonly trustAnchors: TimestampVerifier;
  readonly now: string | undefined;
  readonly renewals?: readonly Renewal[];
}

/** Null while pending, and for what can't be read. `root` is `0x` and hex. */
export async function readStamp(
  timestamp: TsaTimestamp | undefined,
  root: string,
  { trustAnchors }: Time,
): Promise<Stamp | null> {
  const token = timestamp?.timestamp_token ?? null;
  if (token === null) return null;
  return (
    (await orNull(() => readVerified(token, root, trustAnchors))) ??
    (await orNull(async () => ({
      genTime: parseTimestampToken(parseBase64(token)).tstInfo.genTime,
      authority: null,
      trustAnchor: null,
    })))
  );
}

/** Every time that is proved of a receipt, earliest first; none where a timestamp does not hold. */
export async function provenTimes(evidence: ReceiptEvidence, time: Time): Promise<readonly ProvenTime[]> {
  if (!time.trustAnchors.hasTrustAnchors) return [];
  return (await orNull(() => proveReceiptTimes(evidence, time))) ?? [];
}

/** What alone may be shown as the time: the earliest that somebody answers for at `now`, or else the earliest there is. */
export const firstStanding = (times: readonly ProvenTime[], now: string): ProvenTime | undefined =>
  times.find((time) => isValidAt(time, now)) ?? times[0];

/** The earliest as a timestamp; null where nothing is proved. */
export function stampOf([earliest]: readonly ProvenTime[]): Stamp | null {
  if (earliest === undefined) return null;
  const { genTime, authority, trustAnchor } = earliest;
  return { genTime, authority: authority.subject, trustAnchor };
}

async function readVerified(token: string, root: string, verifier: TimestampVerifier): Promise<Stamp | null> {
  if (!verifier.hasTrustAnchors) return null;
  const { genTime, authority, trustAnchor } = await verifier.verify(token, root);
  return { genTime, authority: authority.subject, trustAnchor };
}

async function orNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    return null;
  }
}
