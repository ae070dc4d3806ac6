// What every bucket here has: no public access, TLS 1.2 or newer only, encryption, and an end that fits the stage.
import { Duration, RemovalPolicy } from "aws-cdk-lib";
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type IBucket,
} from "aws-cdk-lib/aws-s3";
import { S3_SERVER_ACCESS_LOGS_USE_BUCKET_POLICY } from "aws-cdk-lib/cx-api";
import { Construct } from "constructs";

const MINIMUM_TLS = 1.2;

/** `isDisposable`: the bucket goes with its stack, and what is in it too. */
export function privateBucket(scope: Construct, isDisposable: boolean, props: BucketProps): IBucket {
  const bucket = new Bucket(scope, "Bucket", { ...privacy(isDisposable), ...props });
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

export interface AccessLogsProps {
  readonly isProduction: boolean;
  readonly retentionDays: number;
}

/** Who asked S3 for what. Of the public only CloudFront shows here: no reader's address is kept. */
export class AccessLogs extends Construct {
  readonly bucket: IBucket;

  constructor(scope: Construct, id: string, { isProduction, retentionDays }: AccessLogsProps) {
    super(scope, id);
    // An app without the CDK's feature flags would let S3 in by an ACL. It lasts as long as the bucket, so logs that S3
    // writes hours late would stop a trial's teardown; the policy ends as soon as the bucket has been emptied.
    this.node.setContext(S3_SERVER_ACCESS_LOGS_USE_BUCKET_POLICY, true);
    this.bucket = privateBucket(this, !isProduction, {
      lifecycleRules: [{ expiration: Duration.days(retentionDays) }],
    });
  }
}
