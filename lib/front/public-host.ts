// CloudFront, the one public host: roots and static files from private buckets, everything else from the API.
import { Annotations, Duration, Stack } from "aws-cdk-lib";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  type IOrigin,
  OriginRequestPolicy,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { OriginGroup, S3BucketOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { HEAD_ROUTE } from "../../contract/metachain-paths.ts";
import { POLICY_ROUTE } from "../../contract/policy-paths.ts";
import { ATTESTATION_PATH, FILE_BY_PATH, STATUS_PAGE_FILE } from "../../contract/public-paths.ts";
import type { Roots } from "../evidence/roots.ts";
import { acknowledge } from "../parts/acknowledge.ts";
import type { Config } from "../settings/config.ts";
import { type ApiOrigins, apiOrigins } from "./api-origins.ts";
import type { Front } from "./front.ts";
import { DOCUMENT_PATHS, PAGE_PATHS, pageHeaders, type Site } from "./site.ts";

/** The paths of the files in the bucket of the roots. */
const PUBLISHED_PATHS = [`${HEAD_ROUTE}*`, `${POLICY_ROUTE}*`];
/** For objects without Cache-Control. Roots and layers say a year, what moves says seconds. */
const DEFAULT_TTL = Duration.seconds(5);
const MAX_TTL = Duration.days(365);
/** S3 has no such object, or no answer. */
const ASK_API_INSTEAD = [403, 404, 500, 502, 503, 504];
/**
 * Every status of an error that CloudFront can be told about. Of its own it keeps these for ten seconds, whatever the
 * answer's Cache-Control says and under a key without the caller's: one caller's refusal would be the next one's.
 */
const ERRORS = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

export interface PublicHostProps {
  readonly config: Config;
  readonly front: Front;
  readonly roots: Roots;
  readonly site: Site;
}

export class PublicHost extends Construct {
  readonly #distribution: Distribution;
  readonly #api: ApiOrigins;
  readonly #cachePolicy: CachePolicy;
  readonly #bucketAccess: S3OriginAccessControl;

  constructor(scope: Construct, id: string, { config, front, roots, site }: PublicHostProps) {
    super(scope, id);
    this.#api = apiOrigins(front);
    // The query is not part of the cache key, so nobody can use one to bypass the cache.
    this.#cachePolicy = new CachePolicy(this, "CachePolicy", {
      minTtl: Duration.seconds(0),
      defaultTtl: DEFAULT_TTL,
      maxTtl: MAX_TTL,
      enableAcceptEncodingBrotli: true,
      enableAcceptEncodingGzip: true,
    });
    // CDK's default name lacks the region, and the account has one list of these for all its regions.
    this.#bucketAccess = new S3OriginAccessControl(this, "BucketAccess", {
      originAccessControlName: `${config.name}-${Stack.of(this).region}`,
    });
    this.#distribution = new Distribution(this, "Distribution", {
      comment: config.name,
      defaultBehavior: this.#callable(this.#api.all),
      additionalBehaviors: this.#behaviors(config, roots, site),
      // CloudFront takes no slash before it.
      defaultRootObject: STATUS_PAGE_FILE.slice(1),
      errorResponses: ERRORS.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      httpVersion: HttpVersion.HTTP2_AND_3,
      ...this.#domain(config),
    });
    site.upload(this.#distribution);
    acknowledge(this.#distribution, FINDINGS);
  }

  /** Its host name. */
  get address(): string {
    return this.#distribution.distributionDomainName;
  }

  get distributionId(): string {
    return this.#distribution.distributionId;
  }

  /** The paths that are read from a bucket, and the one that has an origin of its own. */
  #behaviors({ name }: Config, roots: Roots, site: Site): Record<string, BehaviorOptions> {
    const fromSite = this.#readable(site.bucket);
    const page = {
      ...fromSite,
      responseHeadersPolicy: pageHeaders(this, name),
      functionAssociations: [{ function: this.#pageAddress(), eventType: FunctionEventType.VIEWER_REQUEST }],
    };
    const published = this.#readable(roots.bucket);
    const { attestation } = this.#api;
    return {
      ...(attestation !== null && { [ATTESTATION_PATH]: this.#callable(attestation) }),
      ...Object.fromEntries(PUBLISHED_PATHS.map((path) => [path, published])),
      ...Object.fromEntries(DOCUMENT_PATHS.map((path) => [path, fromSite])),
      ...Object.fromEntries(PAGE_PATHS.map((path) => [path, page])),
    };
  }

  /** Plain HTTP is refused and not redirected: the caller has already sent the key in clear text, and must notice. */
  #callable(origin: IOrigin): BehaviorOptions {
    return {
      origin,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      responseHeadersPolicy: ResponseHeadersPolicy.SECURITY_HEADERS,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    };
  }

  /** From the bucket; for a missing object the API answers, with problem details instead of S3's XML. */
  #readable(bucket: IBucket): BehaviorOptions {
    return {
      origin: new OriginGroup({
        primaryOrigin: S3BucketOrigin.withOriginAccessControl(bucket, {
          originAccessControl: this.#bucketAccess,
        }),
        fallbackOrigin: this.#api.all,
        fallbackStatusCodes: ASK_API_INSTEAD,
      }),
      // A bucket without rules for other origins answers a preflight with 403, and then the API does.
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD_OPTIONS,
      cachePolicy: this.#cachePolicy,
      responseHeadersPolicy: ResponseHeadersPolicy.CORS_ALLOW_ALL_ORIGINS_AND_SECURITY_HEADERS,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
    };
  }

  /** Requests from the bucket the file of a path. */
  #pageAddress(): EdgeFunction {
    const files = JSON.stringify(FILE_BY_PATH);
    const code = `function handler(event) { var uri = event.request.uri; event.request.uri = ${files}[uri] || uri; return event.request; }`;
    return new EdgeFunction(this, "PageAddress", {
      comment: "The files of the pages",
      code: FunctionCode.fromInline(code),
      runtime: FunctionRuntime.JS_2_0,
    });
  }

  #domain({ domain, isProduction }: Config) {
    if (domain !== undefined) {
      const certificate = Certificate.fromCertificateArn(this, "Certificate", domain.certificateArn);
      return {
        domainNames: [domain.name],
        certificate,
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      };
    }
    if (isProduction) {
      Annotations.of(this).addWarningV2(
        "disclosure-receipts:no-domain",
        "CloudFront enforces TLS 1.2 only under a domain of your own: set `domain`",
      );
    }
    return {};
  }
}

const FINDINGS = {
  "AwsSolutions-CFR1": "Receipts must be open to readers everywhere.",
  "AwsSolutions-CFR2": "The firewall, if the operator chooses one (`waf`), is in front of the API.",
  "AwsSolutions-CFR3":
    "CloudFront's logs hold paths, and with them identifiers of conversations, and the addresses of readers. The API's access log has neither.",
  "AwsSolutions-CFR4":
    "Without a domain there is only CloudFront's own certificate, whose minimum TLS version can't be set; in production the synthesis warns.",
};
