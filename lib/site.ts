// The static pages and the API's description, under the paths by which the public reads them.
import { DefaultStackSynthesizer, Duration, RemovalPolicy, Stack, Token } from "aws-cdk-lib";
import type { IDistribution } from "aws-cdk-lib/aws-cloudfront";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import { BucketDeployment, CacheControl, Source } from "aws-cdk-lib/aws-s3-deployment";
import { Construct } from "constructs";
import { acknowledge, wildcardFinding } from "./acknowledge.ts";
import type { Assets } from "./assets.ts";
import type { Config } from "./config.ts";
import { privateBucket } from "./private-bucket.ts";

/** What is looked for among the static files first; where it is not, the API answers. */
export const DOCUMENT_PATHS = ["/v1/openapi.json", "/v1/problems"];
/** The verifier page: where the public finds it, and its file, whose ending tells browsers what it is. */
export const PAGE_PATH = "/verify";
export const PAGE_FILE = "/verify.html";

/** Every file comes from the bundle again, in production too. */
const IS_DISPOSABLE = true;
const CACHE = Duration.minutes(5);

export interface SiteProps {
  readonly assets: Assets;
  readonly config: Config;
  readonly accessLogs: IBucket;
}

export class Site extends Construct {
  readonly bucket: IBucket;
  readonly #props: SiteProps;

  constructor(scope: Construct, id: string, props: SiteProps) {
    super(scope, id);
    this.#props = props;
    this.bucket = privateBucket(this, IS_DISPOSABLE, {
      serverAccessLogsBucket: props.accessLogs,
      serverAccessLogsPrefix: "site/",
    });
  }

  /** Uploads the files, and has the distribution forget what it kept of them. */
  upload(distribution: IDistribution): void {
    const { assets, config } = this.#props;
    const logGroup = new LogGroup(this, "UploadLogs", {
      retention: config.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(this, "UploadRole", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
    logGroup.grantWrite(role);
    new BucketDeployment(this, "Upload", {
      sources: [Source.asset(assets.site)],
      destinationBucket: this.bucket,
      cacheControl: [CacheControl.setPublic(), CacheControl.maxAge(CACHE)],
      distribution,
      distributionPaths: [...DOCUMENT_PATHS, PAGE_PATH, PAGE_FILE],
      role,
      logGroup,
    });
    this.#acknowledge(role);
    acknowledgeUploader(Stack.of(this));
  }

  #acknowledge(role: Role): void {
    const reads = "CDK's uploader lists and reads the assets that CDK put into its own bucket.";
    const writes =
      "CDK's uploader replaces the files of this one bucket, which holds static pages and nothing else.";
    acknowledge(role, {
      "AwsSolutions-IAM5[Action::s3:GetBucket*]": reads,
      "AwsSolutions-IAM5[Action::s3:GetObject*]": reads,
      "AwsSolutions-IAM5[Action::s3:List*]": reads,
      [`AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:s3:::${assetsBucket(this)}/*]`]: reads,
      "AwsSolutions-IAM5[Action::s3:Abort*]": writes,
      "AwsSolutions-IAM5[Action::s3:DeleteObject*]": writes,
      [wildcardFinding(this.bucket, "/*")]: writes,
      "AwsSolutions-IAM5[Resource::*]":
        "CloudFront's CreateInvalidation: what it can reach is that caches forget, and CDK grants it so.",
    });
  }
}

/** CDK puts its uploader under the stack, once for all uploads. */
function acknowledgeUploader(stack: Stack): void {
  const uploader = stack.node.children.find(({ node }) => node.id.startsWith("Custom::CDKBucketDeployment"));
  if (uploader === undefined) return;
  acknowledge(uploader, {
    "AwsSolutions-L1":
      "The uploader is CDK's own, in the runtime that CDK tests it with; it runs in deployments only.",
  });
}

/** The bucket of the account's bootstrap, as cdk-nag writes it. */
function assetsBucket(scope: Construct): string {
  const { account, region, synthesizer } = Stack.of(scope);
  const known = (value: string, name: string): string =>
    Token.isUnresolved(value) ? `<AWS::${name}>` : value;
  const qualifier = synthesizer.bootstrapQualifier ?? DefaultStackSynthesizer.DEFAULT_QUALIFIER;
  return `cdk-${qualifier}-assets-${known(account, "AccountId")}-${known(region, "Region")}`;
}
