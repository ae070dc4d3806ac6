// How new code that attests comes into use: with `rollout: "canary"` one call in ten goes to it for five minutes, and all
// calls after that, or none any more if calls fail meanwhile. CodeDeploy then fails the deployment, and CloudFormation
// takes back the rest of it.
import { Duration } from "aws-cdk-lib";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from "aws-cdk-lib/aws-codedeploy";
import { Alias, type IFunction, type IVersion } from "aws-cdk-lib/aws-lambda";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";
import { ATTESTATION_PATH } from "../../contract/public-paths.ts";
import { acknowledge } from "../parts/acknowledge.ts";
import type { HandlerFunction } from "../parts/handler.ts";
import { addOperatorAlarm } from "../parts/operator-alarm.ts";
import type { Config } from "../settings/config.ts";

const MAX_FAILURES = 5;
const PERIOD = Duration.minutes(1);

/** A trial's deployments are over at once, unless the operator asks for more. */
export const isGradual = ({ rollout, isProduction }: Config): boolean =>
  (rollout ?? (isProduction ? "canary" : "at-once")) === "canary";

export interface RolloutProps {
  readonly config: Config;
  readonly handler: HandlerFunction;
  /** The name of the API's stage: the stage itself can't exist before the alias does. */
  readonly stageName: string;
}

export class Rollout extends Construct {
  /** Callers are sent to this: a version of the function, with code and settings that belong together. */
  readonly alias: IFunction;
  readonly #group: LambdaDeploymentGroup;
  readonly #name: string;
  readonly #stageName: string;

  constructor(scope: Construct, id: string, { config, handler, stageName }: RolloutProps) {
    super(scope, id);
    this.#name = config.name;
    this.#stageName = stageName;
    // CDK declares its optional members as if `undefined` were no value for them.
    const version = handler.lambda.currentVersion as IVersion;
    const alias = new Alias(this, "Alias", { aliasName: "live", version });
    this.alias = alias as IFunction;
    this.#group = new LambdaDeploymentGroup(this, "Group", {
      application: new LambdaApplication(this, "Application"),
      alias,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
    });
    acknowledge(this.#group, FINDINGS);
  }

  /** `topic` gets the alarm as it gets all others. */
  rollBackOnErrors(topic: ITopic): void {
    const alarm = addOperatorAlarm(this, {
      name: this.#name,
      topic,
      section: "rollout",
      // The metric is of the new code alone: other methods fail for other reasons, and anybody can flood them.
      metric: new Metric({
        namespace: "AWS/ApiGateway",
        metricName: "5XXError",
        dimensionsMap: {
          ApiName: this.#name,
          Stage: this.#stageName,
          Method: "POST",
          Resource: ATTESTATION_PATH,
        },
        statistic: "Sum",
        period: PERIOD,
      }),
      threshold: MAX_FAILURES,
    });
    this.#group.addAlarm(alarm);
  }
}

const FINDINGS = {
  "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]":
    "CodeDeploy's own role, as AWS gives it out for moving aliases.",
};
