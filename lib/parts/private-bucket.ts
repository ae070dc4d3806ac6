// The defaults of every bucket: no public access, TLS 1.2 or newer only, encryption, and a lifetime by the stage.
import { CfnResource, Duration, RemovalPolicy, Stack } from "aws-cdk-lib";
import { LogGroup, type RetentionDays } from "aws-cdk-lib/aws-logs";
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type IBucket,
} from "aws-cdk-lib/aws-s3";
import { S3_SERVER_ACCESS_LOGS_USE_BUCKET_POLICY } from "aws-cdk-lib/cx-api";
import { Construct } from "constructs";
import type { Config } from "../settings/config.ts";

const MINIMUM_TLS = 1.2;
/** CDK's function that empties buckets before they are deleted, one for a stack. */
const EMPTIER = "Custom::S3AutoDeleteObjectsCustomResourceProvider";

export interface PrivateBucketProps extends BucketProps {
  readonly config: Config;
  /** True where bucket and contents are deleted with the stack. */
  readonly isDisposable: boolean;
}

export function privateBucket(
  scope: Construct,
  { config, isDisposable, ...props }: PrivateBucketProps,
): IBucket {
  const bucket = new Bucket(scope, "Bucket", { ...privacy(isDisposable), ...props });
  if (isDisposable) limitEmptierLogs(scope, config.logRetentionDays);
  // CDK declares its optional members as if `undefined` were no value for them.
  return bucket as IBucket;
}

const privacy = (isDisposable: boolean): BucketProps => ({
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  encryption: BucketEncryption.S3_MANAGED,
  enforceSSL: true,
  minimumTLSVersion: MINIMUM_TLS,
  removalPolicy: isDisposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
  autoDeleteObjects: isDisposable,
});

/**
 * Gives the emptier a log group that ends with the stack: one that Lambda made by itself would never expire, and would
 * outlive the stack. Where a stack has two services, the first one's retention is used.
 */
function limitEmptierLogs(scope: Construct, retention: RetentionDays): void {
  const provider = Stack.of(scope).node.tryFindChild(EMPTIER);
  const handler = provider?.node.tryFindChild("Handler");
  if (provider === undefined || !(handler instanceof CfnResource)) return;
  if (provider.node.tryFindChild("Logs") !== undefined) return;
  const logs = new LogGroup(provider, "Logs", { retention, removalPolicy: RemovalPolicy.DESTROY });
  handler.addPropertyOverride("LoggingConfig", { LogGroup: logs.logGroupName });
}

export interface AccessLogsProps {
  readonly config: Config;
}

/** S3's own log of requests. Public readers come through CloudFront, so no reader's address is kept. */
export class AccessLogs extends Construct {
  readonly bucket: IBucket;

  constructor(scope: Construct, id: string, { config }: AccessLogsProps) {
    super(scope, id);
    // An app without the CDK's feature flags would let S3 in by an ACL. It lasts as long as the bucket, so logs that S3
    // writes hours late would stop a trial's teardown; the policy ends as soon as the bucket has been emptied.
    this.node.setContext(S3_SERVER_ACCESS_LOGS_USE_BUCKET_POLICY, true);
    this.bucket = privateBucket(this, {
      config,
      isDisposable: !config.isProduction,
      lifecycleRules: [{ expiration: Duration.days(config.logRetentionDays) }],
    });
  }
}
