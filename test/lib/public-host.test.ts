// CloudFront: what comes from where, how long it is kept, and that nothing is sent in the clear.
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { Synthesized, VARIANTS } from "./synthesis.ts";

const production = new Synthesized(VARIANTS.production);
const { DistributionConfig } = production.one("AWS::CloudFront::Distribution").Properties;

interface Behavior {
  readonly PathPattern?: string;
  readonly TargetOriginId: string;
  readonly ViewerProtocolPolicy: string;
  readonly AllowedMethods?: readonly string[];
  readonly CachePolicyId: unknown;
  readonly ResponseHeadersPolicyId: unknown;
  readonly FunctionAssociations?: readonly { readonly EventType: string }[];
}

const behaviorOf = (path: string): Behavior =>
  DistributionConfig.CacheBehaviors.find(({ PathPattern }: Behavior) => PathPattern === path);
const originOf = (id: string) => DistributionConfig.Origins.find(({ Id }: { Id: string }) => Id === id);

/** The origins of a behaviour: the first, and the one that is asked where the first has nothing. */
function originsOf({ TargetOriginId }: Behavior): { Id: string }[] {
  const group = DistributionConfig.OriginGroups.Items.find(({ Id }: { Id: string }) => Id === TargetOriginId);
  const members = group?.Members.Items ?? [{ OriginId: TargetOriginId }];
  return members.map(({ OriginId }: { OriginId: string }) => originOf(OriginId));
}

const isBucket = (name: string) => ({
  DomainName: { "Fn::GetAtt": [expect.stringContaining(name), "RegionalDomainName"] },
  OriginAccessControlId: { "Fn::GetAtt": [expect.any(String), "Id"] },
});
const isApi = {
  CustomOriginConfig: { OriginProtocolPolicy: "https-only", OriginSSLProtocols: ["TLSv1.2"] },
};

test.each([
  ["/v1/metachain*", "RootsBucket"],
  ["/v1/policy*", "RootsBucket"],
  ["/v1/openapi.json", "SiteBucket"],
  ["/v1/problems", "SiteBucket"],
  ["/verify", "SiteBucket"],
  ["/verify/", "SiteBucket"],
  ["/verify.html", "SiteBucket"],
  ["/", "SiteBucket"],
  ["/index.html", "SiteBucket"],
  ["/favicon.ico", "SiteBucket"],
  ["/favicon.svg", "SiteBucket"],
])("%s comes from %s by signed requests, and from the API where it is not there", (path, bucket) => {
  expect(originsOf(behaviorOf(path))).toEqual([
    expect.objectContaining(isBucket(bucket)),
    expect.objectContaining(isApi),
  ]);
});

test.each([
  ["/verify", "/verify.html"],
  ["/verify/", "/verify.html"],
  ["/verify.html", "/verify.html"],
  ["/", "/index.html"],
  ["/index.html", "/index.html"],
  ["/favicon.ico", "/favicon.svg"],
])("%s is answered with the file %s", (path, file) => {
  const [association] = behaviorOf(path).FunctionAssociations ?? [];
  expect(association?.EventType).toBe("viewer-request");
  const { FunctionCode } = production.one("AWS::CloudFront::Function").Properties;
  const handler = runInNewContext(`${FunctionCode}; handler`);
  expect(handler({ request: { uri: path } })).toEqual({ uri: file });
});

test("the host without a path shows the status page, whichever of its names CloudFront looks for", () => {
  expect(DistributionConfig.DefaultRootObject).toBe("index.html");
});

test("what is read from a bucket may be asked for by HEAD, and by OPTIONS first", () => {
  for (const path of ["/v1/metachain*", "/v1/policy*", "/v1/openapi.json"])
    expect(behaviorOf(path).AllowedMethods).toEqual(["GET", "HEAD", "OPTIONS"]);
});

test("a page that frames one of ours, and would lay its own words over it, gets nothing", () => {
  const policy = production.one("AWS::CloudFront::ResponseHeadersPolicy");
  for (const path of ["/", "/verify"])
    expect(behaviorOf(path).ResponseHeadersPolicyId).toEqual({ Ref: policy.id });
  expect(policy.Properties.ResponseHeadersPolicyConfig.SecurityHeadersConfig).toMatchObject({
    ContentSecurityPolicy: { ContentSecurityPolicy: "frame-ancestors 'none'" },
    FrameOptions: { FrameOption: "DENY" },
    StrictTransportSecurity: { Override: true },
  });
});

test("everything else goes to the API, with its key and its body, and is kept by nobody", () => {
  const behavior = DistributionConfig.DefaultCacheBehavior;
  expect(originsOf(behavior)).toEqual([expect.objectContaining(isApi)]);
  expect(behavior.AllowedMethods).toContain("POST");
  // AWS's own CachingDisabled and AllViewerExceptHostHeader.
  expect(behavior.CachePolicyId).toBe("4135ea2d-6df8-44a3-9df3-4b5a84be39ad");
  expect(behavior.OriginRequestPolicyId).toBe("b689b0a8-53d0-40ab-baf2-68738e2966ac");
});

test("an error is kept for no caller but the one who got it", () => {
  const kept = DistributionConfig.CustomErrorResponses;
  expect(kept).toEqual(
    [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504].map((ErrorCode) => ({
      ErrorCode,
      ErrorCachingMinTTL: 0,
    })),
  );
});

test("a root is kept as long as it says, up to a year; what says nothing, for seconds; no query gets past that", () => {
  const policy = production.one("AWS::CloudFront::CachePolicy");
  expect(behaviorOf("/v1/metachain*").CachePolicyId).toEqual({ Ref: policy.id });
  expect(policy.Properties.CachePolicyConfig).toMatchObject({
    MinTTL: 0,
    DefaultTTL: 5,
    MaxTTL: 365 * 24 * 60 * 60,
    ParametersInCacheKeyAndForwardedToOrigin: {
      QueryStringsConfig: { QueryStringBehavior: "none" },
      HeadersConfig: { HeaderBehavior: "none" },
      CookiesConfig: { CookieBehavior: "none" },
    },
  });
});

describe("in the clear", () => {
  test("nothing is served, and a call with a key is not even redirected", () => {
    expect(DistributionConfig.DefaultCacheBehavior.ViewerProtocolPolicy).toBe("https-only");
    for (const { ViewerProtocolPolicy } of DistributionConfig.CacheBehaviors) {
      expect(ViewerProtocolPolicy).toBe("redirect-to-https");
    }
  });

  test("under the operator's own name TLS 1.2 is the least", () => {
    expect(DistributionConfig.Aliases).toEqual(["receipts.operator.example"]);
    expect(DistributionConfig.ViewerCertificate).toMatchObject({
      MinimumProtocolVersion: "TLSv1.2_2021",
      SslSupportMethod: "sni-only",
    });
  });
});

test("without CloudFront there is none of it, and no second bucket that a page could lie in", () => {
  const bare = new Synthesized(VARIANTS["no CloudFront"]);
  expect(bare.resources.filter(({ Type, id }) => Type.includes("CloudFront") || id.includes("Site"))).toEqual(
    [],
  );
});
