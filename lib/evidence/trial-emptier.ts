// The function that empties a trial's bucket of roots when the stack is destroyed. The CDK's own emptier can't: the roots are
// locked for a day, and S3 deletes a locked version only for a caller that asks to bypass the lock, and may.
import { CustomResource, Duration } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { TRIAL_EMPTIER_HANDLER } from "../../contract/routes.ts";
import { acknowledge, wildcardFinding } from "../parts/acknowledge.ts";
import type { Assets } from "../parts/assets.ts";
import { HandlerFunction } from "../parts/handler.ts";
import type { Config } from "../settings/config.ts";

/** As long as Lambda lets a function run: a trial of months has many roots, a thousand to a call. */
const SIZE = { memoryMiB: 512, timeoutSeconds: 900 };
/** The CDK's own emptier of a bucket, which first forbids every further write. */
const WRITE_STOPPER = "AutoDeleteObjectsCustomResource";

export interface TrialEmptierProps {
  readonly assets: Assets;
  readonly config: Config;
  readonly bucket: IBucket;
}

export class TrialEmptier extends Construct {
  constructor(scope: Construct, id: string, { assets, config, bucket }: TrialEmptierProps) {
    super(scope, id);
    const handler = new HandlerFunction(this, TRIAL_EMPTIER_HANDLER, {
      assets,
      config,
      handler: TRIAL_EMPTIER_HANDLER,
      description: "empties the bucket of the trial's roots when the stack is destroyed",
      size: SIZE,
      environment: {},
    });
    const allow = (actions: string[], resource: string) =>
      handler.grantPrincipal.addToPrincipalPolicy(new PolicyStatement({ actions, resources: [resource] }));
    allow(["s3:GetBucketTagging", "s3:ListBucketVersions"], bucket.bucketArn);
    const everything = bucket.arnForObjects("*");
    allow(["s3:DeleteObject", "s3:DeleteObjectVersion", "s3:BypassGovernanceRetention"], everything);
    acknowledge(handler, {
      [wildcardFinding(bucket, "/*")]:
        "A trial ends with all that it holds; a production has no such function.",
    });
    const emptying = new CustomResource(this, "Emptying", {
      serviceToken: handler.lambda.functionArn,
      serviceTimeout: Duration.seconds(SIZE.timeoutSeconds),
      resourceType: "Custom::EmptyTrial",
      properties: { BucketName: bucket.bucketName },
    });
    // Resources are deleted in reverse order: writes end before the bucket is emptied, and the rights last until then.
    emptying.node.addDependency(handler);
    bucket.node.findChild(WRITE_STOPPER).node.addDependency(emptying);
  }
}
