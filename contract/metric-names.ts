// The metrics that the functions emit (CloudWatch embedded metric format) and that alarms and dashboard read.
// Dimension: `service`, the deployment's name, which the functions find in POWERTOOLS_SERVICE_NAME. Some also go out with the
// dimension `plan`. No dimension names a tenant: each would be a metric more to pay, and tell who the operator's customers are.

export const METRICS_NAMESPACE = "DisclosureReceipts";
/** The names of the dimensions. */
export const SERVICE_DIMENSION = "service";
export const PLAN_DIMENSION = "plan";

/** Each with its unit, the function that emits it, and the meaning of one value. */
export const METRIC_NAMES = {
  /** Count, attest: receipts that were written, without replays of an Idempotency-Key. */
  attestations: "Attestations",
  /** Count, attest, once a receipt: races that its transaction lost against another process before it was written. */
  lostRaces: "LostRaces",
  /** Count, attest in the web runtime: calls over the plan's rate. In the functions runtime API Gateway refuses them. */
  rateRefusals: "RateRefusals",
  /** Count, attest: calls that the plan's month had no room for. */
  quotaRefusals: "QuotaRefusals",
  /** Count, authorize: a key could not be judged, so the call was answered with 503. */
  authorizerFailures: "AuthorizerFailures",
  /** Count, attest and seal: an authority was asked and gave no valid token. */
  timestampFailures: "TimestampFailures",
  /** Count, attest: the newest seal with a token could not be looked up, so receipts name one that is older. */
  stampedSealFailures: "StampedSealFailures",
  /** Seconds, seal, once at the end of every run: the age of the oldest seal, news or receipt found not yet public, or 0. */
  sealLag: "SealLag",
  /** Count, seal, once at the end of every run: published seals that still lack tokens. */
  incompleteSeals: "IncompleteSeals",
  /** Count, seal: receipts under the seal that this run published. */
  sealedReceipts: "SealedReceipts",
  /** Count, seal: chains with new heads. */
  chainsWithNews: "ChainsWithNews",
  /** Count, seal, once in every run: chains that can't be sealed, because what is stored of them does not hold. */
  damagedChains: "DamagedChains",
  /** Count, seal: other bytes than those that were to be published are public already. Nothing is worse. */
  publicationConflicts: "PublicationConflicts",
  /** Count, seal: the metachain has an entry that no chain claims, and nothing is published before it is set aside. */
  unclaimedEntries: "UnclaimedEntries",
  /** Count, seal: a layer of the wording policy, or its index, could not be published. No seal waits for that. */
  policyFailures: "PolicyFailures",
  /** Count, bill, once in every run that has bills to make: those that failed, or are a day late. */
  billFailures: "BillFailures",
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
  /** Count, attest, seal and webhooks: an event that the bus did not take. What it told of is recorded all the same. */
  eventFailures: "EventFailures",
  /** Count, webhooks: messages that a tenant's receiver took. */
  webhookDeliveries: "WebhookDeliveries",
  /** Count, webhooks: messages that a tenant's receiver did not take; they are sent again. */
  webhookFailures: "WebhookFailures",
  /** Count, webhooks: messages that were given up. They are kept until an operator sends them again. */
  webhookDeadLetters: "WebhookDeadLetters",
  /** Count, bridge, once a report of a call that is over: a registered text was not heard to its end, or none was heard. */
  missedDisclosures: "MissedDisclosures",
} as const;

export type MetricName = keyof typeof METRIC_NAMES;

/** The bridge emits these under its own name. The deployment of a service has none of them. */
export const BRIDGE_METRICS = ["missedDisclosures"] as const satisfies readonly MetricName[];

/** These are counted twice: for the deployment, and for the plan of the tenant that called. */
export const PLAN_METRICS = [
  "attestations",
  "lostRaces",
  "rateRefusals",
  "quotaRefusals",
] as const satisfies readonly MetricName[];
export type PlanMetricName = (typeof PLAN_METRICS)[number];

/** Counts: the parts of the service call it, and their caller decides where the values go. */
export type Meter = (metric: Exclude<MetricName, PlanMetricName>, value: number) => void;
export type PlanMeter = (metric: PlanMetricName, plan: string, value: number) => void;
