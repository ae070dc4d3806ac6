// The alarms, and the topic that they go to. Each names its section of docs/operations.md.
import { Duration } from "aws-cdk-lib";
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";
import type { MetricName } from "../contract/metric-names.ts";
import { AlarmTopic } from "./alarm-topic.ts";
import { deadLetters, type MeasuredParts, ownMetric, PERIOD, serverErrors, throttles } from "./metrics.ts";
import { ROLLOUT_SECTION } from "./rollout.ts";

const RUNBOOK = "docs/operations.md";

/** Sections of the runbook, by alarm. */
export const ALARM_SECTIONS = [
  "seal-lag",
  "publication-conflict",
  "damaged-chains",
  "timestamp-failures",
  "server-errors",
  ROLLOUT_SECTION,
  "throttles",
  "lost-races",
  "dead-letters",
  "checkpoint-age",
  "checkpoint-failures",
  "missed-quorum",
  "larger-tree",
] as const;
type RunbookSection = (typeof ALARM_SECTIONS)[number];
type AlarmOptions = Partial<AlarmProps> & { readonly part?: string };

/** A seal may wait for an authority for a while, but readers wait for the seal. */
const MAX_SEAL_LAG_SECONDS = 15 * 60;
/** Seals go out without a checkpoint, so nobody waits for one; a log that stops signing is still out of order. */
const MAX_CHECKPOINT_AGE_SECONDS = 15 * 60;
/** A witness may restart: the next checkpoint covers what it missed. */
const MISSED_QUORUM_PERIOD = Duration.minutes(15);
const MAX_TIMESTAMP_FAILURES = 20;
/** Three periods are the hour for which an authority may be unreachable. */
const INCOMPLETE_SEALS_PERIOD = Duration.minutes(20);
const MAX_SERVER_ERRORS = 5;
const MAX_THROTTLES = 10;
/** One a second: from here on callers wait, and a tenant needs more chains. */
const MAX_LOST_RACES = 300;

export class Alarms extends Construct {
  readonly topic: ITopic;
  readonly #config: MeasuredParts["config"];

  constructor(scope: Construct, id: string, { config, functions, ledger, api, sealer }: MeasuredParts) {
    super(scope, id);
    this.#config = config;
    this.topic = new AlarmTopic(this, "AlarmTopic", config).topic;
    const own = (metric: MetricName) => ownMetric(config.name, metric, "Sum");
    this.#addSealLag();
    this.#add("publication-conflict", own("publicationConflicts"), 1);
    this.#addDamagedChains();
    this.#add("timestamp-failures", own("timestampFailures"), MAX_TIMESTAMP_FAILURES, {
      evaluationPeriods: 3,
    });
    this.#add("server-errors", serverErrors(api), MAX_SERVER_ERRORS);
    api.rollout?.rollBackOnErrors(this.topic);
    for (const [part, metric] of Object.entries(throttles(functions, ledger))) {
      this.#add("throttles", metric, MAX_THROTTLES, { part });
    }
    this.#addIncompleteSeals();
    this.#add("lost-races", own("lostRaces"), MAX_LOST_RACES, { evaluationPeriods: 2 });
    this.#add("dead-letters", deadLetters(sealer), 1);
    this.#addCheckpoints();
    if (config.witnessPolicyFile !== undefined) this.#addWitnesses();
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

  /** After failures an authority is asked so seldom that failures stay few; the seals that lack its tokens say more. */
  #addIncompleteSeals(): void {
    const { name } = this.#config;
    const period = this.#periodOf(INCOMPLETE_SEALS_PERIOD);
    this.#add("timestamp-failures", ownMetric(name, "incompleteSeals", "Maximum", period), 1, {
      part: "seals",
      evaluationPeriods: 3,
    });
  }

  /** `part` distinguishes several alarms of one section. */
  #add(
    section: RunbookSection,
    metric: IMetric,
    threshold: number,
    { part, ...options }: AlarmOptions = {},
  ): void {
    const id = part === undefined ? section : `${section}-${part}`;
    const alarm = new Alarm(this, id, {
      alarmName: `${this.#config.name}-${id}`,
      alarmDescription: `What it means and what to do: ${RUNBOOK}#${section}`,
      metric,
      threshold,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...options,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    alarm.addOkAction(new SnsAction(this.topic));
  }
}
