// The deliverer of webhooks, run by a schedule. A run that fails is not repeated: the next one goes on where it ended.
import { Duration } from "aws-cdk-lib";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Schedule, ScheduleExpression } from "aws-cdk-lib/aws-scheduler";
import { LambdaInvoke } from "aws-cdk-lib/aws-scheduler-targets";
import { Construct } from "constructs";
import { WEBHOOKS_HANDLER } from "../../contract/routes.ts";
import type { LedgerTable } from "../evidence/ledger-table.ts";
import type { MacKey } from "../evidence/mac-key.ts";
import { acknowledge, wildcardFinding } from "../parts/acknowledge.ts";
import type { Assets } from "../parts/assets.ts";
import { HandlerFunction } from "../parts/handler.ts";
import type { Config } from "../settings/config.ts";
import type { EventBus } from "./event-bus.ts";

/** Shorter than the interval, so that a run ends before the next one begins. */
const SIZE = { memoryMiB: 512, timeoutSeconds: 55 };
const INTERVAL = Duration.minutes(1);
/** An attempt that came late would only meet the next one. */
const MAX_AGE = Duration.minutes(1);

export interface WebhooksProps {
  readonly assets: Assets;
  readonly config: Config;
  readonly ledger: LedgerTable;
  readonly macKey: MacKey;
  readonly events: EventBus;
}

export class Webhooks extends Construct {
  readonly handler: HandlerFunction;

  constructor(scope: Construct, id: string, { assets, config, ledger, macKey, events }: WebhooksProps) {
    super(scope, id);
    this.handler = new HandlerFunction(this, WEBHOOKS_HANDLER, {
      assets,
      config,
      handler: WEBHOOKS_HANDLER,
      description: "delivers the tenants' webhooks",
      size: SIZE,
      environment: { ...ledger.environment, ...macKey.environment, ...events.environment },
      options: { retryAttempts: 0, maxEventAge: MAX_AGE },
    });
    ledger.grantDeliver(this.handler);
    // The secrets of the signatures are derived from the key of the authentication codes.
    macKey.grantGenerate(this.handler);
    events.grantPut(this.handler);
    this.#schedule();
  }

  #schedule(): void {
    const role = new Role(this, "SchedulerRole", {
      assumedBy: new ServicePrincipal("scheduler.amazonaws.com"),
    });
    const schedule = new Schedule(this, "Schedule", {
      description: "runs the deliverer of webhooks",
      schedule: ScheduleExpression.rate(INTERVAL),
      target: new LambdaInvoke(this.handler.lambda, { role, retryAttempts: 0, maxEventAge: MAX_AGE }),
    });
    // It runs from the moment at which it is made, and the role is of no use before it has its policy.
    schedule.node.addDependency(role);
    acknowledge(role, {
      [wildcardFinding(this.handler.lambda, ":*")]: "The versions of the deliverer, and no other function.",
    });
  }
}
