// The guard of the stage: what holds evidence waits for it in every deployment, so that one without `stage=production`
// can't lift a production's protection.
import { CustomResource, Duration } from "aws-cdk-lib";
import { Construct } from "constructs";
import { STAGE_GUARD_HANDLER } from "../../contract/routes.ts";
import { STAGE_PROPERTY } from "../../contract/stages.ts";
import type { Assets } from "../parts/assets.ts";
import { HandlerFunction } from "../parts/handler.ts";
import type { Config } from "../settings/config.ts";

const SIZE = { memoryMiB: 128, timeoutSeconds: 20 };
/** Without it CloudFormation would wait an hour for a function that can't answer. */
const PATIENCE = Duration.minutes(5);

export interface StageGuardProps {
  readonly assets: Assets;
  readonly config: Config;
  /** Nothing of it is made, changed or deleted before the guard has agreed. */
  readonly evidence: readonly Construct[];
}

export class StageGuard extends Construct {
  constructor(scope: Construct, id: string, { assets, config, evidence }: StageGuardProps) {
    super(scope, id);
    const { lambda } = new HandlerFunction(this, STAGE_GUARD_HANDLER, {
      assets,
      config,
      handler: STAGE_GUARD_HANDLER,
      description: "keeps a production from becoming a trial",
      size: SIZE,
      environment: {},
    });
    new CustomResource(this, "Stage", {
      serviceToken: lambda.functionArn,
      serviceTimeout: PATIENCE,
      resourceType: "Custom::StageGuard",
      properties: { [STAGE_PROPERTY]: config.stage },
    });
    for (const part of evidence) part.node.addDependency(this);
  }
}
