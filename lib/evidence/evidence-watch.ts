// Tells the alarm topic when somebody changes the settings that protect evidence: keys, recovery, the buckets of
// roots and bills.
// EventBridge sees such calls through CloudTrail, so the account needs a trail that records management events.
import { Rule } from "aws-cdk-lib/aws-events";
import { SnsTopic } from "aws-cdk-lib/aws-events-targets";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";
import { runbookOf } from "../parts/operator-alarm.ts";
import type { BillStore } from "./bills.ts";
import type { LedgerTable } from "./ledger-table.ts";
import type { LogKey } from "./log-key.ts";
import type { MacKey } from "./mac-key.ts";
import type { Roots } from "./roots.ts";

export interface EvidenceWatchProps {
  readonly topic: ITopic;
  readonly ledger: LedgerTable;
  readonly macKey: MacKey;
  readonly logKey: LogKey;
  readonly roots: Roots;
  readonly bills: BillStore;
}

interface Watched {
  /** The event source of EventBridge, such as aws.kms. */
  readonly source: string;
  readonly eventNames: readonly string[];
  /** The member of the call's parameters that names the resource, and the values that mean ours. */
  readonly parameter: string;
  readonly values: readonly string[];
}

/** A grant lets somebody else use a key, and a replica in another Region has a policy of its own. */
const KEY_CALLS = ["DisableKey", "ScheduleKeyDeletion", "PutKeyPolicy", "CreateGrant", "ReplicateKey"];
/** A policy of the table can let other accounts write. Its call names the table by another parameter. */
const TABLE_POLICY_CALLS = ["PutResourcePolicy"];
const TABLE_CALLS = ["DeleteTable", "UpdateTable", "UpdateContinuousBackups", "UpdateTimeToLive"];
const BUCKET_CALLS = [
  "DeleteBucket",
  "DeleteBucketPolicy",
  "PutBucketPolicy",
  "PutBucketVersioning",
  "PutBucketLifecycle",
  "PutBucketObjectLockConfiguration",
  "PutObjectLockConfiguration",
  "PutBucketPublicAccessBlock",
  "DeleteBucketPublicAccessBlock",
];
/** Without a trail nobody would be told of anything again. */
const TRAIL_CALLS = ["StopLogging", "DeleteTrail", "UpdateTrail", "PutEventSelectors"];

export class EvidenceWatch extends Construct {
  readonly #topic: ITopic;

  constructor(
    scope: Construct,
    id: string,
    { topic, ledger, macKey, logKey, roots, bills }: EvidenceWatchProps,
  ) {
    super(scope, id);
    this.#topic = topic;
    // A caller names a key by its id or by its ARN.
    const keys = [macKey.key, logKey.key].flatMap(({ keyId, keyArn }) => [keyId, keyArn]);
    const { tableName, tableArn } = ledger.table;
    this.#watch("Keys", {
      source: "aws.kms",
      eventNames: KEY_CALLS,
      parameter: "keyId",
      values: keys,
    });
    this.#watch("Table", {
      source: "aws.dynamodb",
      eventNames: TABLE_CALLS,
      parameter: "tableName",
      values: [tableName, tableArn],
    });
    this.#watch("TablePolicy", {
      source: "aws.dynamodb",
      eventNames: TABLE_POLICY_CALLS,
      parameter: "resourceArn",
      values: [tableArn],
    });
    this.#watch("Bucket", {
      source: "aws.s3",
      eventNames: BUCKET_CALLS,
      parameter: "bucketName",
      values: [roots, bills].map(({ bucket }) => bucket.bucketName),
    });
    this.#rule("Trail", { source: ["aws.cloudtrail"], detail: { eventName: TRAIL_CALLS } });
  }

  #watch(id: string, { source, eventNames, parameter, values }: Watched): void {
    const detail = { eventName: [...eventNames], requestParameters: { [parameter]: [...values] } };
    this.#rule(id, { source: [source], detail });
  }

  #rule(id: string, { source, detail }: { source: string[]; detail: Record<string, unknown> }): void {
    new Rule(this, id, {
      description: runbookOf("evidence-settings"),
      eventPattern: { source, detailType: ["AWS API Call via CloudTrail"], detail },
      targets: [new SnsTopic(this.#topic)],
    });
  }
}
