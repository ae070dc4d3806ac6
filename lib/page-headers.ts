// The headers of the verifier page. What it may load it says itself, in a policy by the hashes of its own script and
// style; here is what a page can't say in itself.
import { Duration, Stack } from "aws-cdk-lib";
import { HeadersFrameOption, HeadersReferrerPolicy, ResponseHeadersPolicy } from "aws-cdk-lib/aws-cloudfront";
import type { Construct } from "constructs";
import { FRAMING_POLICY, OPENER_POLICY } from "../web/headers.ts";

const TLS_ONLY_FOR = Duration.days(2 * 365);

/** `name` is the deployment's. The account has one list of these policies for all its regions. */
export const pageHeaders = (scope: Construct, name: string): ResponseHeadersPolicy =>
  new ResponseHeadersPolicy(scope, "PageHeaders", {
    responseHeadersPolicyName: `${name}-${Stack.of(scope).region}`,
    comment: "Disclosure receipts: the verifier page",
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
