// What a timestamp says, for the reader's eye; whether to believe it is the matter of the timestamp check alone.
import { parseBase64 } from "../core/bytes.ts";
import { isDisclosureError } from "../core/errors.ts";
import { parseNode } from "../core/hash.ts";
import type { TsaTimestamp } from "../core/metachain.ts";
import { parseTimestampToken, verifyTimestampToken } from "../core/timestamp-token.ts";

export interface Stamp {
  /** RFC 3339. */
  readonly genTime: string;
  /** Who signed it, as RFC 4514 writes names; null unless the token leads to one of the reader's anchors. */
  readonly authority: string | null;
  /** `sha256:` fingerprint of that anchor. */
  readonly trustAnchor: string | null;
}

/** Null while pending, and for what can't be read. `root` is `0x` and hex. */
export async function readStamp(
  timestamp: TsaTimestamp | undefined,
  root: string,
  trustAnchors: readonly Uint8Array[],
): Promise<Stamp | null> {
  const token = timestamp?.timestamp_token ?? null;
  if (token === null) return null;
  return (
    (await orNull(() => readVerified(parseBase64(token), root, trustAnchors))) ??
    (await orNull(async () => ({
      genTime: parseTimestampToken(parseBase64(token)).tstInfo.genTime,
      authority: null,
      trustAnchor: null,
    })))
  );
}

async function readVerified(der: Uint8Array, root: string, anchors: readonly Uint8Array[]): Promise<Stamp> {
  const { genTime, authority, trustAnchor } = await verifyTimestampToken(der, parseNode(root), anchors);
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
