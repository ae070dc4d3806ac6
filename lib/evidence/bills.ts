// The private bucket of the final bills, each of which is written once, and the function that makes them every month.
import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { type IGrantable, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import { Schedule, ScheduleExpression } from "aws-cdk-lib/aws-scheduler";
import { LambdaInvoke } from "aws-cdk-lib/aws-scheduler-targets";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type * as z from "zod";
import type { billsVariables, planVariables } from "../../contract/environment-variables.ts";
import { BILLER_HANDLER } from "../../contract/routes.ts";
import { acknowledge, wildcardFinding } from "../parts/acknowledge.ts";
import type { Assets } from "../parts/assets.ts";
import { HandlerFunction } from "../parts/handler.ts";
import { type AccessLogs, privateBucket } from "../parts/private-bucket.ts";
import type { Config } from "../settings/config.ts";
import { ImmutableObjects, productionLock } from "./immutable-objects.ts";
import type { LedgerTable } from "./ledger-table.ts";

export const BILL_KEYS = "bills/*";
/** Longer than the ten minutes after which a run begins no further bill. */
const SIZE = { memoryMiB: 1_024, timeoutSeconds: 900 };
const INTERVAL = Duration.hours(1);
/** The next hour's run does what a failed one left. */
const RETRIES = 0;
const DEAD_LETTER_DAYS = 14;

export interface BillsProps {
  readonly assets: Assets;
  readonly config: Config;
  readonly accessLogs: AccessLogs;
  readonly ledger: LedgerTable;
}

export class BillStore extends Construct {
  readonly bucket: IBucket;
  readonly biller: Biller;
  readonly #config: Config;

  constructor(scope: Construct, id: string, { assets, config, accessLogs, ledger }: BillsProps) {
    super(scope, id);
    this.#config = config;
    const { isProduction } = config;
    this.bucket = privateBucket(this, {
      config,
      isDisposable: !isProduction,
      versioned: true,
      objectLockEnabled: true,
      serverAccessLogsBucket: accessLogs.bucket,
      serverAccessLogsPrefix: "bills/",
    });
    const bills = new ImmutableObjects(this.bucket, "Bills", [this.bucket.arnForObjects(BILL_KEYS)]);
    bills.denyOverwrite();
    // A trial's bills are not locked: they end with it.
    if (isProduction) {
      bills.denyUnlocked(productionLock(config));
      bills.denyDelete();
    }
    this.biller = new Biller(this, "Biller", { assets, config, ledger, bills: this });
  }

  /** For who reads bills. */
  get environment() {
    return { BILLS_BUCKET: this.bucket.bucketName } satisfies z.input<typeof billsVariables>;
  }

  /** For who stores them. */
  get writerEnvironment() {
    const { mode, days } = productionLock(this.#config);
    const lock = { BILLS_RETENTION_MODE: mode, BILLS_RETENTION_DAYS: String(days) };
    return { ...this.environment, ...(this.#config.isProduction && lock) };
  }

  grantRead(grantee: Construct & IGrantable): void {
    this.#allow(grantee, "s3:GetObject", this.bucket.arnForObjects(BILL_KEYS));
    // Without this right S3 answers 403 instead of 404 for a missing key.
    this.#allow(grantee, "s3:ListBucket", this.bucket.bucketArn);
    acknowledge(grantee, {
      [wildcardFinding(this.bucket, `/${BILL_KEYS}`)]: "One object for each tenant and month.",
    });
  }

  /** One that is there already is read and compared. */
  grantStore(grantee: Construct & IGrantable): void {
    this.grantRead(grantee);
    for (const action of ["s3:PutObject", "s3:PutObjectRetention"])
      this.#allow(grantee, action, this.bucket.arnForObjects(BILL_KEYS));
  }

  #allow(grantee: IGrantable, action: string, resource: string): void {
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({ actions: [action], resources: [resource] }),
    );
  }
}

interface BillerProps {
  readonly assets: Assets;
  readonly config: Config;
  readonly ledger: LedgerTable;
  readonly bills: BillStore;
}

/** The function, run every hour: it does nothing where the bills of the month before are all stored. */
class Biller extends Construct {
  readonly handler: HandlerFunction;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { assets, config, ledger, bills }: BillerProps) {
    super(scope, id);
    this.deadLetters = new Queue(this, "DeadLetters", {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(DEAD_LETTER_DAYS),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const plans = { PLANS: JSON.stringify(config.plans) } satisfies z.input<typeof planVariables>;
    this.handler = new HandlerFunction(this, BILLER_HANDLER, {
      assets,
      config,
      handler: BILLER_HANDLER,
      description: "makes the final bills of the month before",
      size: SIZE,
      environment: { ...ledger.environment, ...bills.writerEnvironment, ...plans },
      options: { deadLetterQueue: this.deadLetters, retryAttempts: RETRIES, maxEventAge: INTERVAL },
    });
    ledger.grantBill(this.handler);
    ledger.grantListTenants(this.handler);
    bills.grantStore(this.handler);
    this.#schedule();
  }

  #schedule(): void {
    const role = new Role(this, "SchedulerRole", {
      assumedBy: new ServicePrincipal("scheduler.amazonaws.com"),
    });
    const schedule = new Schedule(this, "Schedule", {
      description: "runs the bills",
      schedule: ScheduleExpression.rate(INTERVAL),
      target: new LambdaInvoke(this.handler.lambda, {
        role,
        deadLetterQueue: this.deadLetters,
        retryAttempts: RETRIES,
        maxEventAge: INTERVAL,
      }),
    });
    // It runs from the moment at which it is made, and the role is of no use before it has its policy.
    schedule.node.addDependency(role);
    acknowledge(role, {
      [wildcardFinding(this.handler.lambda, ":*")]: "The versions of this function, and no other.",
    });
  }
}
