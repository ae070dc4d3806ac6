// Timestamps over a root that came after its seal was published: files of their own, which never change either.
import { type Seal, type TsaTimestamp, tsaTimestampSchema } from "../core/formats/metachain.ts";
import { type MetachainSource, parseAs } from "./metachain.ts";

/** More authorities than any service asks: a host that answers every number must not keep us for ever. */
export const MAX_LATER = 16;

/** The bytes of each, in order. Throws `publication_unavailable`. */
export async function readLater(source: MetachainSource, index: number): Promise<Uint8Array[]> {
  const later: Uint8Array[] = [];
  while (later.length < MAX_LATER) {
    const bytes = await source.timestamp(index, later.length);
    if (bytes === null) break;
    later.push(bytes);
  }
  return later;
}

/** Throws `malformed` for bytes that are no timestamp. */
export const parseTimestamp = (bytes: Uint8Array): TsaTimestamp =>
  parseAs(tsaTimestampSchema, bytes, "a later timestamp");

/** The seal as if it had been published with them: they cover the same root, and are as good. Throws `malformed`. */
export function withLater(seal: Seal, bytes: readonly Uint8Array[]): Seal {
  const later = bytes.map(parseTimestamp);
  const { tsa_timestamp: own, additional_timestamps: additional } = seal;
  const [first, ...rest] = own.status === "pending" ? later : [own, ...later];
  return { ...seal, tsa_timestamp: first ?? own, additional_timestamps: [...additional, ...rest] };
}
