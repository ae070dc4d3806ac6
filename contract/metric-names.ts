// The metrics that the functions emit (CloudWatch embedded metric format) and that alarms and dashboard read.
// Dimension: `service`, the deployment's name, which the functions find in POWERTOOLS_SERVICE_NAME.

export const METRICS_NAMESPACE = "DisclosureReceipts";

/** Each with its unit, the function that emits it, and the meaning of one value. */
export const METRIC_NAMES = {
  /** Count, attest: receipts that were written, without replays of an Idempotency-Key. */
  attestations: "Attestations",
  /** Count, attest, once a receipt: races that its transaction lost against another process before it was written. */
  lostRaces: "LostRaces",
  /** Count, authorize: a key could not be judged, so the call was answered with 503. */
  authorizerFailures: "AuthorizerFailures",
  /** Count, attest and seal: an authority was asked and gave no valid token. */
  timestampFailures: "TimestampFailures",
  /** Count, attest: the newest seal with a token could not be looked up, so receipts name one that is older. */
  stampedSealFailures: "StampedSealFailures",
  /** Seconds, seal, once at the end of every run: the age of the oldest seal or news that is not yet public, or 0. */
  sealLag: "SealLag",
  /** Count, seal, once at the end of every run: published seals that still lack tokens. */
  incompleteSeals: "IncompleteSeals",
  /** Count, seal: receipts under the seal that this run published. */
  sealedReceipts: "SealedReceipts",
  /** Count, seal: chains with new heads. */
  chainsWithNews: "ChainsWithNews",
  /** Count, seal, once in every run: chains that can't be sealed, because what is stored of them does not hold. */
  damagedChains: "DamagedChains",
  /** Count, seal: a different root is published already under an index that was to be published. Nothing is worse. */
  publicationConflicts: "PublicationConflicts",
  /** Seconds, seal, once at the end of every run: the age of the oldest published seal without a checkpoint, or 0. */
  checkpointAge: "CheckpointAge",
  /** Count, seal: a checkpoint could not be signed or published. */
  checkpointFailures: "CheckpointFailures",
  /** Count, seal, once for every checkpoint that witnesses were asked for: those that cosigned it. */
  cosignatures: "Cosignatures",
  /** Count, seal, once for every checkpoint that witnesses were asked for: 1 where they are not the quorum, or 0. */
  missedQuorums: "MissedQuorums",
  /** Count, seal: a witness has cosigned a larger tree of this log than there is. Nothing is worse. */
  largerTrees: "LargerTrees",
} as const;

export type MetricName = keyof typeof METRIC_NAMES;

/** Counts: the parts of the service call it, and their caller decides where the values go. */
export type Meter = (metric: MetricName, value: number) => void;
