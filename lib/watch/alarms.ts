// The alarms, and the topic that they go to. Each names its section of docs/operations.md.
import { Duration } from "aws-cdk-lib";
import { type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";
import type { MetricName } from "../../contract/metric-names.ts";
import type { Front, GatewayFront } from "../front/front.ts";
import { type AlarmOptions, addOperatorAlarm, type RunbookSection } from "../parts/operator-alarm.ts";
import { AlarmTopic } from "./alarm-topic.ts";
import { deadLetters, type MeasuredParts, ownMetric, PERIOD, serverErrors, throttles } from "./metrics.ts";

/** A seal may wait for an authority for a while, but readers wait for the seal. */
const MAX_SEAL_LAG_SECONDS = 15 * 60;
/** Seals go out without a checkpoint, so nobody waits for one; a log that stops signing is still out of order. */
const MAX_CHECKPOINT_AGE_SECONDS = 15 * 60;
/** A witness may restart: the next checkpoint covers what it missed. */
const MISSED_QUORUM_PERIOD = Duration.minutes(15);
const BILLS_PERIOD = Duration.hours(1);
const MAX_TIMESTAMP_FAILURES = 20;
/** Three periods are the hour for which an authority may be unreachable. */
const INCOMPLETE_SEALS_PERIOD = Duration.minutes(20);
const MAX_SERVER_ERRORS = 5;
const MAX_THROTTLES = 10;
/** Calls of `attest` that ended without an answer of our code: it timed out, or its process died. */
const MAX_FUNCTION_ERRORS = 3;
const MAX_AUTHORIZER_FAILURES = 5;
/** The alarm looks at the slowest of a hundred calls. A timestamp authority may take a second and a half of it. */
const MAX_ATTEST_P99_MS = 3_000;
/** From here on each receipt costs another transaction on average, and callers wait: a tenant needs more chains. */
const MAX_LOST_RACES_PER_RECEIPT = 1;
export class Alarms extends Construct {
  readonly alarmTopic: AlarmTopic;
  readonly topic: ITopic;
  readonly #config: MeasuredParts["config"];

  constructor(
    scope: Construct,
    id: string,
    { config, front, ledger, sealer, bills, webhooks }: MeasuredParts,
  ) {
    super(scope, id);
    this.#config = config;
    this.alarmTopic = new AlarmTopic(this, "AlarmTopic", config);
    this.topic = this.alarmTopic.topic;
    const own = (metric: MetricName) => ownMetric(config.name, metric, "Sum");
    this.#addSealLag();
    this.#add("publication-conflict", own("publicationConflicts"), 1);
    this.#add("unclaimed-entry", own("unclaimedEntries"), 1);
    this.#addDamagedChains();
    this.#addPolicyFailures();
    this.#add("timestamp-failures", own("timestampFailures"), MAX_TIMESTAMP_FAILURES, {
      evaluationPeriods: 3,
    });
    this.#addServerErrors(front);
    if (front.runtime === "functions") this.#addFunctionAlarms(front);
    for (const [part, metric] of Object.entries(throttles(front, ledger))) {
      this.#add("throttles", metric, MAX_THROTTLES, { part });
    }
    this.#addIncompleteSeals();
    const lostRaces = ownMetric(config.name, "lostRaces", "Average");
    this.#add("lost-races", lostRaces, MAX_LOST_RACES_PER_RECEIPT, { evaluationPeriods: 3 });
    this.#add("dead-letters", deadLetters(sealer), 1);
    this.#addBills(bills);
    this.#add("webhook-dead-letters", own("webhookDeadLetters"), 1);
    const failedRuns = webhooks.handler.lambda.metricErrors({ period: PERIOD });
    this.#add("function-errors", failedRuns, MAX_FUNCTION_ERRORS, { part: "webhooks" });
    this.#addCheckpoints();
    if (config.witnessPolicyFile !== undefined) this.#addWitnesses();
  }

  /** API Gateway counts for all calls; each server of the web runtime counts for itself. */
  #addServerErrors(front: Front): void {
    for (const [part, metric] of Object.entries(serverErrors(front))) {
      this.#add("server-errors", metric, MAX_SERVER_ERRORS, front.runtime === "web" ? { part } : {});
    }
  }

  /** Long enough for at least one run of the sealer. */
  #periodOf(shortest: Duration): Duration {
    return Duration.minutes(Math.max(shortest.toMinutes(), 2 * this.#config.sealIntervalMinutes));
  }

  #addCheckpoints(): void {
    const { name } = this.#config;
    const period = this.#periodOf(PERIOD);
    const age = ownMetric(name, "checkpointAge", "Maximum", period);
    this.#add("checkpoint-age", age, MAX_CHECKPOINT_AGE_SECONDS, { evaluationPeriods: 2 });
    const failures = ownMetric(name, "checkpointFailures", "Sum", period);
    this.#add("checkpoint-failures", failures, 1, { evaluationPeriods: 3 });
  }

  /** The period of its failures is that of its runs, so that one which fails in each does not look as if it ended. */
  #addBills({ biller }: MeasuredParts["bills"]): void {
    const failures = ownMetric(this.#config.name, "billFailures", "Sum", BILLS_PERIOD);
    this.#add("bills", failures, 1);
    this.#add("dead-letters", deadLetters(biller), 1, { part: "bills" });
  }

  #addWitnesses(): void {
    const { name } = this.#config;
    // The least of all values is 1 where no checkpoint of this time got its quorum. A log without news asks nobody, and
    // the state stays as the last checkpoint left it.
    const missed = ownMetric(name, "missedQuorums", "Minimum", this.#periodOf(MISSED_QUORUM_PERIOD));
    this.#add("missed-quorum", missed, 1, { treatMissingData: TreatMissingData.IGNORE });
    this.#add("larger-tree", ownMetric(name, "largerTrees", "Sum"), 1);
  }

  /** A sealer that doesn't run emits no value, and that is the worst lag. */
  #addSealLag(): void {
    const { name } = this.#config;
    const period = this.#periodOf(PERIOD);
    this.#add("seal-lag", ownMetric(name, "sealLag", "Maximum", period), MAX_SEAL_LAG_SECONDS, {
      evaluationPeriods: 2,
      treatMissingData: TreatMissingData.BREACHING,
    });
  }

  /** A chain that is damaged stays so until somebody has repaired it. */
  #addDamagedChains(): void {
    const { name } = this.#config;
    const period = this.#periodOf(PERIOD);
    this.#add("damaged-chains", ownMetric(name, "damagedChains", "Maximum", period), 1);
  }

  /** The next run tries again, so one failure is none to wake somebody for. */
  #addPolicyFailures(): void {
    const { name } = this.#config;
    const failures = ownMetric(name, "policyFailures", "Sum", this.#periodOf(PERIOD));
    this.#add("policy-failures", failures, 1, { evaluationPeriods: 3 });
  }

  /** After failures an authority is asked so seldom that failures stay few; the seals that lack its tokens say more. */
  #addIncompleteSeals(): void {
    const { name } = this.#config;
    const period = this.#periodOf(INCOMPLETE_SEALS_PERIOD);
    this.#add("timestamp-failures", ownMetric(name, "incompleteSeals", "Maximum", period), 1, {
      part: "seals",
      evaluationPeriods: 3,
    });
  }

  #addFunctionAlarms(front: GatewayFront): void {
    this.#addFunctionErrors(front);
    this.#addSlowAnswers(front);
    front.api.rollout?.rollBackOnErrors(this.topic);
  }

  /** Unknown keys are errors of the authorizer's to Lambda, too: what counts is where it could not judge. */
  #addFunctionErrors({ functions: { api } }: GatewayFront): void {
    const errors = api.attest.lambda.metricErrors({ period: PERIOD });
    this.#add("function-errors", errors, MAX_FUNCTION_ERRORS, { part: "attest" });
    const failures = ownMetric(this.#config.name, "authorizerFailures", "Sum");
    this.#add("function-errors", failures, MAX_AUTHORIZER_FAILURES, { part: "authorize" });
  }

  #addSlowAnswers({ functions: { api } }: GatewayFront): void {
    const duration = api.attest.lambda.metricDuration({ statistic: "p99", period: PERIOD });
    this.#add("slow-answers", duration, MAX_ATTEST_P99_MS, {
      evaluationPeriods: 3,
      // The slowest of a few calls may be a cold start.
      evaluateLowSampleCountPercentile: "ignore",
    });
  }

  #add(section: RunbookSection, metric: IMetric, threshold: number, options: AlarmOptions = {}): void {
    const { name } = this.#config;
    addOperatorAlarm(this, { name, topic: this.topic, section, metric, threshold, options });
  }
}
