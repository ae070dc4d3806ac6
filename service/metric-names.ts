// The metrics that the functions emit (CloudWatch embedded metric format) and that alarms and dashboard read.
// Dimension: `service`, the deployment's name, which the functions find in POWERTOOLS_SERVICE_NAME.

export const METRICS_NAMESPACE = "DisclosureReceipts";

/** Each with its unit, the function that emits it, and what one value says. */
export const METRIC_NAMES = {
  /** Count, attest: receipts that were written; a replay of an Idempotency-Key is none. */
  attestations: "Attestations",
  /** Count, attest: transactions that another process was faster than, so that they were planned again. */
  lostRaces: "LostRaces",
  /** Count, attest and seal: an authority was asked and gave no token that holds. */
  timestampFailures: "TimestampFailures",
  /** Seconds, seal, once at the end of every run: how long the oldest seal or news has waited to be public; 0 where none does. */
  sealLag: "SealLag",
  /** Count, seal, once at the end of every run: published seals that still lack tokens. */
  incompleteSeals: "IncompleteSeals",
  /** Count, seal: receipts under the seal that this run published. */
  sealedReceipts: "SealedReceipts",
  /** Count, seal: chains whose heads had news. */
  chainsWithNews: "ChainsWithNews",
  /** Count, seal: another root stands published under an index that we meant to publish. Nothing is worse. */
  publicationConflicts: "PublicationConflicts",
} as const;

export type MetricName = keyof typeof METRIC_NAMES;

/** Where the parts of the service report what they count; what becomes of it is not theirs to know. */
export type Meter = (metric: MetricName, value: number) => void;
