// CloudFront, the one public host: roots and static pages from private buckets, everything else from the API.
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
import { OriginGroup, RestApiOrigin, S3BucketOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { acknowledge } from "./acknowledge.ts";
import type { Api } from "./api.ts";
import type { Config } from "./config.ts";
import { pageHeaders } from "./page-headers.ts";
import type { Roots } from "./roots.ts";
import { DOCUMENT_PATHS, PAGE_FILE, PAGE_PATH, type Site } from "./site.ts";

const ROOT_PATHS = "/v1/metachain*";
/** Of an object that doesn't say how long it may be kept. Roots say a year, the head says seconds. */
const UNSAID_TTL = Duration.seconds(5);
const MAX_TTL = Duration.days(365);
/** S3 has no such object, or no answer. */
const ASK_API_INSTEAD = [403, 404, 500, 502, 503, 504];

export interface PublicHostProps {
  readonly config: Config;
  readonly api: Api;
  readonly roots: Roots;
  readonly site: Site;
}

export class PublicHost extends Construct {
  readonly distribution: Distribution;
  readonly #api: IOrigin;
  readonly #cachePolicy: CachePolicy;
  readonly #bucketAccess: S3OriginAccessControl;

  constructor(scope: Construct, id: string, { config, api, roots, site }: PublicHostProps) {
    super(scope, id);
    this.#api = new RestApiOrigin(api.rest);
    // No query is part of the key, so nobody can ask past the cache.
    this.#cachePolicy = new CachePolicy(this, "CachePolicy", {
      minTtl: Duration.seconds(0),
      defaultTtl: UNSAID_TTL,
      maxTtl: MAX_TTL,
      enableAcceptEncodingBrotli: true,
      enableAcceptEncodingGzip: true,
    });
    // CDK's own name for it lacks the region, and the account has one list for all of them.
    this.#bucketAccess = new S3OriginAccessControl(this, "BucketAccess", {
      originAccessControlName: `${config.name}-${Stack.of(this).region}`,
    });
    const fromSite = this.#readable(site.bucket);
    const documents = Object.fromEntries(DOCUMENT_PATHS.map((path) => [path, fromSite]));
    const page = {
      ...fromSite,
      responseHeadersPolicy: pageHeaders(this, config.name),
      functionAssociations: [{ function: this.#pageAddress(), eventType: FunctionEventType.VIEWER_REQUEST }],
    };
    this.distribution = new Distribution(this, "Distribution", {
      comment: config.name,
      defaultBehavior: this.#callable(),
      additionalBehaviors: {
        [ROOT_PATHS]: this.#readable(roots.bucket),
        ...documents,
        [PAGE_PATH]: page,
        [PAGE_FILE]: page,
      },
      httpVersion: HttpVersion.HTTP2_AND_3,
      ...this.#domain(config),
    });
    site.upload(this.distribution);
    acknowledge(this.distribution, FINDINGS);
  }

  /** Never redirected: whoever calls by plain HTTP has sent the key already, and must notice. */
  #callable(): BehaviorOptions {
    return {
      origin: this.#api,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      responseHeadersPolicy: ResponseHeadersPolicy.SECURITY_HEADERS,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    };
  }

  /** From the bucket; what is not there the API answers, with problem details instead of S3's XML. */
  #readable(bucket: IBucket): BehaviorOptions {
    return {
      origin: new OriginGroup({
        primaryOrigin: S3BucketOrigin.withOriginAccessControl(bucket, {
          originAccessControl: this.#bucketAccess,
        }),
        fallbackOrigin: this.#api,
        fallbackStatusCodes: ASK_API_INSTEAD,
      }),
      cachePolicy: this.#cachePolicy,
      responseHeadersPolicy: ResponseHeadersPolicy.CORS_ALLOW_ALL_ORIGINS_AND_SECURITY_HEADERS,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
    };
  }

  /** Asks the bucket for the page's file, under whichever of its addresses it is wanted. */
  #pageAddress(): EdgeFunction {
    const code = `function handler(event) { event.request.uri = "${PAGE_FILE}"; return event.request; }`;
    return new EdgeFunction(this, "PageAddress", {
      comment: "The verifier page",
      code: FunctionCode.fromInline(code),
      runtime: FunctionRuntime.JS_2_0,
    });
  }

  #domain({ domain, stage }: Config) {
    if (domain !== undefined) {
      const certificate = Certificate.fromCertificateArn(this, "Certificate", domain.certificateArn);
      return {
        domainNames: [domain.name],
        certificate,
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      };
    }
    if (stage === "production") {
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
  "AwsSolutions-CFR2": "The firewall, where the operator wants one (`waf`), stands before the API.",
  "AwsSolutions-CFR3":
    "CloudFront's logs hold paths, and with them identifiers of conversations, and the addresses of readers. The API's access log has neither.",
  "AwsSolutions-CFR4":
    "Without a domain of the operator's own there is only CloudFront's certificate, whose minimum TLS can't be set; in production the synthesis warns.",
};
