// The sealer, run by a schedule. A run that fails is repeated, and the next one finishes its work in any case.
import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Schedule, ScheduleExpression } from "aws-cdk-lib/aws-scheduler";
import { LambdaInvoke } from "aws-cdk-lib/aws-scheduler-targets";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { SEAL_RUN_SECONDS, SEALER_SECONDS } from "../../contract/limits.ts";
import { SEALER_HANDLER } from "../../contract/routes.ts";
import type { DeployedPolicy } from "../evidence/deployed-policy.ts";
import type { LedgerTable } from "../evidence/ledger-table.ts";
import type { LogKey } from "../evidence/log-key.ts";
import type { MacKey } from "../evidence/mac-key.ts";
import type { Roots } from "../evidence/roots.ts";
import type { TimestampTrust } from "../evidence/timestamp-trust.ts";
import type { WitnessPolicy } from "../evidence/witness-policy.ts";
import { acknowledge, wildcardFinding } from "../parts/acknowledge.ts";
import type { Assets } from "../parts/assets.ts";
import { HandlerFunction } from "../parts/handler.ts";
import type { Config } from "../settings/config.ts";
import type { EventBus } from "./event-bus.ts";

const MEMORY_MIB = 1_024;
/** Lambda waits one minute, then two: after three failures an invocation becomes a dead letter. */
const RETRIES = 2;
/**
 * In a production a call waits while one before it is at work. The news of very many chains takes several
 * calls, behind which none may become a dead letter.
 */
const MAX_AGE = Duration.hours(1);
const DEAD_LETTER_DAYS = 14;

/**
 * A production's calls never overlap. A trial's end before the next begins: runs that append at once hinder each other.
 */
const sizeOf = ({ isProduction }: Config) => ({
  memoryMiB: MEMORY_MIB,
  timeoutSeconds: isProduction ? SEALER_SECONDS : SEAL_RUN_SECONDS,
});

export interface SealerProps {
  readonly assets: Assets;
  readonly config: Config;
  readonly policy: DeployedPolicy;
  readonly trust: TimestampTrust;
  readonly ledger: LedgerTable;
  readonly roots: Roots;
  readonly macKey: MacKey;
  readonly logKey: LogKey;
  readonly witnesses: WitnessPolicy;
  readonly events: EventBus;
}

export class Sealer extends Construct {
  readonly handler: HandlerFunction;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: SealerProps) {
    super(scope, id);
    const { assets, config, policy, trust, ledger, roots, macKey, logKey, witnesses, events } = props;
    this.deadLetters = new Queue(this, "DeadLetters", {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(DEAD_LETTER_DAYS),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.handler = new HandlerFunction(this, SEALER_HANDLER, {
      assets,
      config,
      handler: SEALER_HANDLER,
      description: "seals and publishes the metachain, and publishes the wording policy",
      size: sizeOf(config),
      environment: {
        ...ledger.environment,
        ...roots.writerEnvironment,
        ...trust.sealEnvironment,
        ...macKey.environment,
        ...logKey.environment,
        ...witnesses.environment,
        ...policy.environment,
        ...events.environment,
      },
      files: { ...trust.files, ...witnesses.files, ...policy.files },
      options: {
        // A new account may run ten functions at once and can't reserve any of them. Overlapping runs do no harm, so a
        // trial reserves none.
        ...(config.isProduction && { reservedConcurrentExecutions: 1 }),
        deadLetterQueue: this.deadLetters,
        retryAttempts: RETRIES,
        maxEventAge: MAX_AGE,
      },
    });
    ledger.grantSeal(this.handler);
    roots.grantPublish(this.handler);
    // It seals a receipt only where its code is true.
    macKey.grantGenerate(this.handler);
    logKey.grantSign(this.handler);
    events.grantPut(this.handler);
    this.#schedule(config.sealIntervalMinutes);
  }

  #schedule(minutes: number): void {
    const role = new Role(this, "SchedulerRole", {
      assumedBy: new ServicePrincipal("scheduler.amazonaws.com"),
    });
    const schedule = new Schedule(this, "Schedule", {
      description: "runs the sealer",
      schedule: ScheduleExpression.rate(Duration.minutes(minutes)),
      target: new LambdaInvoke(this.handler.lambda, {
        role,
        deadLetterQueue: this.deadLetters,
        retryAttempts: RETRIES,
        maxEventAge: MAX_AGE,
      }),
    });
    // It runs from the moment at which it is made, and the role is of no use before it has its policy.
    schedule.node.addDependency(role);
    acknowledge(role, {
      [wildcardFinding(this.handler.lambda, ":*")]: "The versions of the sealer, and no other function.",
    });
  }
}
