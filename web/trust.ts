// Which certificates the timestamps are checked against: the reader's own if there are any, else the known public
// authorities that come with this page, else what the service names for itself.

import { parseBase64 } from "../core/bytes.ts";
import { type DisclosureError, isDisclosureError } from "../core/errors.ts";
import type { TsaTimestamp } from "../core/formats/metachain.ts";
import type { Renewal } from "../core/formats/renewal.ts";
import { formatDigest, hashBytes, parseNode } from "../core/merkle/hash.ts";
import { trustAnchorsOf } from "../core/timestamps/authorities.ts";
import { knownAuthorities } from "../core/timestamps/known-authorities.ts";
import { verifyTimestampToken } from "../core/timestamps/timestamp-token.ts";
import type { Subject } from "./documents.ts";
import { newestRoot } from "./newest-root.ts";

/** `name` is the reader's file, null for pasted text. */
export type AnchorSource =
  | { readonly kind: "service" | "known" }
  | { readonly kind: "reader"; readonly name: string | null };

/** DER certificates and where they come from. */
export interface Anchors {
  readonly source: AnchorSource;
  readonly der: readonly Uint8Array[];
}

/** What there is to choose from; `service` is empty where the page's origin names no certificate. */
export interface AnchorChoice {
  readonly reader: Anchors | null;
  readonly service: readonly Uint8Array[];
  /** Newer timestamps over later roots: where the evidence has none of its own, they decide. */
  readonly renewals?: readonly Renewal[];
}

const KNOWN = trustAnchorsOf(knownAuthorities);

/**
 * Null where nothing at hand could vouch for the newest timestamp: then it is open, not wrong. `known` are the roots
 * of the public authorities.
 */
export async function chooseAnchors(
  subject: Subject,
  { reader, service, renewals = [] }: AnchorChoice,
  known: readonly Uint8Array[] = KNOWN,
): Promise<Anchors | null> {
  if (reader !== null) return reader;
  const der = [...known, ...service];
  for (const stamped of decisiveTokens(subject, renewals)) {
    const kind = await findVoucher(stamped, known, der);
    if (kind !== null) return { source: { kind }, der };
  }
  return service.length === 0 ? null : { source: { kind: "service" }, der: service };
}

/** All that there is to check a timestamp with, before it is known who issued it. */
export const anyAnchors = ({ reader, service }: AnchorChoice): readonly Uint8Array[] =>
  reader?.der ?? [...KNOWN, ...service];

interface Stamped {
  readonly root: string;
  readonly timestamp: TsaTimestamp | undefined;
}

/** The newest of its own; only where there is none, those of renewals, the one that came with the receipt among them. */
function decisiveTokens(subject: Subject, renewals: readonly Renewal[]): Stamped[] {
  const newest = newestRoot(subject);
  if (newest?.timestamp?.timestamp_token != null) return [newest];
  const carried = subject.kind === "receipt" ? subject.evidence.renewal : undefined;
  return [...(carried === undefined ? [] : [carried]), ...renewals].flatMap(tokensOfRenewal);
}

const tokensOfRenewal = ({ seal }: Renewal): Stamped[] =>
  [seal.tsa_timestamp, ...seal.additional_timestamps].map((timestamp) => ({
    root: seal.merkle_root,
    timestamp,
  }));

/** Whose certificate a token leads to; null where no authority here issued it. */
async function findVoucher(
  { root, timestamp }: Stamped,
  known: readonly Uint8Array[],
  der: readonly Uint8Array[],
): Promise<"service" | "known" | null> {
  const token = timestamp?.timestamp_token ?? null;
  if (token === null) return null;
  try {
    const { trustAnchor } = await verifyTimestampToken(parseBase64(token), parseNode(root), der);
    return known.some((root) => formatDigest(hashBytes(root)) === trustAnchor) ? "known" : "service";
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    // A token of a known authority that is wrong in any other way must be found wrong.
    return isUnanchored(error) ? null : "known";
  }
}

const isUnanchored = ({ evidence }: DisclosureError): boolean => evidence.check === "trust_anchor";
