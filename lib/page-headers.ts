// The headers of the verifier page. What it may load it says itself, in a policy by the hashes of its own script and
// style; here is what a page can't say in itself.
import { Duration } from "aws-cdk-lib";
import { HeadersFrameOption, HeadersReferrerPolicy, ResponseHeadersPolicy } from "aws-cdk-lib/aws-cloudfront";
import type { Construct } from "constructs";

const TLS_ONLY_FOR = Duration.days(2 * 365);

export const pageHeaders = (scope: Construct): ResponseHeadersPolicy =>
  new ResponseHeadersPolicy(scope, "PageHeaders", {
    comment: "Disclosure receipts: the verifier page",
    securityHeadersBehavior: {
      // A page that frames it could lay its own words over the verdict.
      contentSecurityPolicy: { contentSecurityPolicy: "frame-ancestors 'none'", override: true },
      frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
      contentTypeOptions: { override: true },
      referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
      strictTransportSecurity: { accessControlMaxAge: TLS_ONLY_FOR, override: true },
    },
    customHeadersBehavior: {
      customHeaders: [{ header: "Cross-Origin-Opener-Policy", value: "same-origin", override: true }],
    },
  });
