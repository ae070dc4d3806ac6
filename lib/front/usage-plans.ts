// Rates are API Gateway's usage plans; the month's quota is held by the service itself. The authorizer names a digest of
// tenant and plan, which is the value of the API Gateway key that `admin tenant create` puts into the plan.
import { type IRestApi, UsagePlan } from "aws-cdk-lib/aws-apigateway";
import { Construct } from "constructs";
import type { Config } from "../settings/config.ts";
import type { Api } from "./api.ts";

export interface UsagePlansProps {
  readonly config: Config;
  readonly api: Api;
}

export class UsagePlans extends Construct {
  /** The id of each plan, by the plan's name. */
  readonly ids: Readonly<Record<string, string>>;

  constructor(scope: Construct, id: string, { config, api: { rest } }: UsagePlansProps) {
    super(scope, id);
    const plans = Object.entries(config.plans).map(([name, { rate, burst }]) => {
      const plan = new UsagePlan(this, name, {
        name: `${config.name}-${name}`,
        throttle: { rateLimit: rate, burstLimit: burst },
        apiStages: [{ api: rest as IRestApi, stage: rest.deploymentStage }],
      });
      return [name, plan.usagePlanId] as const;
    });
    this.ids = Object.fromEntries(plans);
  }
}
