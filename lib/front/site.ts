// The static files behind CloudFront: the pages with their headers, and the API's description.
import { DefaultStackSynthesizer, Duration, RemovalPolicy, Stack, Token } from "aws-cdk-lib";
import {
  HeadersFrameOption,
  HeadersReferrerPolicy,
  type IDistribution,
  ResponseHeadersPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import { BucketDeployment, CacheControl, Source } from "aws-cdk-lib/aws-s3-deployment";
import { Construct } from "constructs";
import { FRAMING_POLICY, OPENER_POLICY } from "../../contract/page-headers.ts";
import { FILE_BY_PATH, OPENAPI_PATH, PROBLEMS_PATH } from "../../contract/public-paths.ts";
import { acknowledge, wildcardFinding } from "../parts/acknowledge.ts";
import type { Assets } from "../parts/assets.ts";
import { type AccessLogs, privateBucket } from "../parts/private-bucket.ts";
import type { Config } from "../settings/config.ts";

/** Looked up among the static files first; the API answers for the others. */
export const DOCUMENT_PATHS = [OPENAPI_PATH, PROBLEMS_PATH];
/** Every path of the pages and of their icon. */
export const PAGE_PATHS = [...new Set([...Object.keys(FILE_BY_PATH), ...Object.values(FILE_BY_PATH)])];

const TLS_ONLY_FOR = Duration.days(2 * 365);
const CACHE = Duration.minutes(5);

export interface SiteProps {
  readonly assets: Assets;
  readonly config: Config;
  readonly accessLogs: AccessLogs;
}

export class Site extends Construct {
  readonly bucket: IBucket;
  readonly #props: SiteProps;

  constructor(scope: Construct, id: string, props: SiteProps) {
    super(scope, id);
    this.#props = props;
    this.bucket = privateBucket(this, {
      config: props.config,
      // Every file can be made again from the bundle, in production too.
      isDisposable: true,
      serverAccessLogsBucket: props.accessLogs.bucket,
      serverAccessLogsPrefix: "site/",
    });
  }

  /** Uploads the files, and clears them from the distribution's cache. */
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
      distributionPaths: [...DOCUMENT_PATHS, ...PAGE_PATHS],
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
        "CDK grants CloudFront's CreateInvalidation so; its one effect is that caches are cleared.",
    });
  }
}

/**
 * The headers of the pages. Its policy on what it loads is in each page itself, by the hashes of its own script and
 * style. `name` is the deployment's: the account has one list of these policies for all its regions.
 */
export const pageHeaders = (scope: Construct, name: string): ResponseHeadersPolicy =>
  new ResponseHeadersPolicy(scope, "PageHeaders", {
    responseHeadersPolicyName: `${name}-${Stack.of(scope).region}`,
    comment: "Disclosure receipts: the pages",
    securityHeadersBehavior: {
      contentSecurityPolicy: { contentSecurityPolicy: FRAMING_POLICY, override: true },
      frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
      contentTypeOptions: { override: true },
      referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
      strictTransportSecurity: { accessControlMaxAge: TLS_ONLY_FOR, override: true },
    },
    customHeadersBehavior: {
      customHeaders: [{ header: "Cross-Origin-Opener-Policy", value: OPENER_POLICY, override: true }],
    },
  });

/** CDK puts its uploader under the stack, once for all uploads. */
function acknowledgeUploader(stack: Stack): void {
  const uploader = stack.node.children.find(({ node }) => node.id.startsWith("Custom::CDKBucketDeployment"));
  if (uploader === undefined) return;
  acknowledge(uploader, {
    "AwsSolutions-L1":
      "The uploader is CDK's own, in the runtime that CDK tests it with; it runs in deployments only.",
  });
}

/** The bucket of the account's bootstrap, in the form of cdk-nag's findings. */
export function assetsBucket(scope: Construct): string {
  const { account, region, synthesizer } = Stack.of(scope);
  const known = (value: string, name: string): string =>
    Token.isUnresolved(value) ? `<AWS::${name}>` : value;
  const qualifier = synthesizer.bootstrapQualifier ?? DefaultStackSynthesizer.DEFAULT_QUALIFIER;
  return `cdk-${qualifier}-assets-${known(account, "AccountId")}-${known(region, "Region")}`;
}
