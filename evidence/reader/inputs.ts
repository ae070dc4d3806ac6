// Everything that a reader has next to the evidence. Whatever is missing leaves its checks unmade.

import type { Renewal } from "../core/formats/renewal.ts";
import type { CoseReceipt } from "../core/log/cose-receipt.ts";
import type { TlogPolicy } from "../core/log/tlog-policy.ts";
import type { TimestampVerifier, TrustAnchors } from "../core/timestamps/timestamp-verifier.ts";
import type { KnownHistory } from "../core/verify/tenant-history.ts";
import type { Checkpoints } from "./checkpoints.ts";
import type { PolicyLayers } from "./policy-layers.ts";
import type { PublishedSeals } from "./published-seals.ts";

export interface ReaderInputs {
  /** Requests, as they were sent; each is matched with the receipt that has its hash. */
  readonly requests: readonly unknown[];
  readonly published: PublishedSeals;
  /** The wording policy layers; without it, those that this program was built with. */
  readonly layers?: PolicyLayers;
  /** DER certificates of the timestamp authorities that the reader trusts, or a verifier that has them. */
  readonly trustAnchors: TrustAnchors;
  /** The reader's clock, RFC 3339: certificates run out. */
  readonly now: string;
  /** A tenant's history and a walk of the log; without it, no receipt is held against them. */
  readonly history?: KnownHistory;
  /** Checkpoints under the reader's policy; without it, no signature of a log is checked. */
  readonly checkpoints?: Checkpoints;
  /** COSE receipts, each checked with the receipt that it is of. */
  readonly coseReceipts?: CoseReceipts;
}

export interface CoseReceipts {
  readonly receipts: readonly CoseReceipt[];
  /** Null where the reader knows no log's key. */
  readonly policy: TlogPolicy | null;
}

/** The inputs that timestamps are judged by. */
export interface TimeInputs {
  /** One verifier for all evidence: many receipts share a root and its token, which is most of the work. */
  readonly trustAnchors: TimestampVerifier;
  readonly now: string;
  readonly renewals: readonly Renewal[];
}
