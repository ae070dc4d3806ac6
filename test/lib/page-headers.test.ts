// The verifier page has the same headers from CloudFront as from any other server.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { App, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { beforeAll, expect, test } from "vitest";
import { buildPage } from "../../build/web.ts";
import { pageHeaders } from "../../lib/site.ts";

beforeAll(() => buildPage());

test("CloudFront says of framing, referrers and openers what headers.json says", () => {
  const stack = new Stack(new App());
  pageHeaders(stack, "receipts");
  const [policy] = Object.values(
    Template.fromStack(stack).findResources("AWS::CloudFront::ResponseHeadersPolicy"),
  );
  const { SecurityHeadersConfig, CustomHeadersConfig } = policy?.Properties.ResponseHeadersPolicyConfig ?? {};
  const file = join(import.meta.dirname, "..", "..", "dist", "web", "headers.json");
  const headers: Record<string, string> = JSON.parse(readFileSync(file, "utf8"));

  const framing = SecurityHeadersConfig.ContentSecurityPolicy.ContentSecurityPolicy;
  expect(headers["content-security-policy"]?.split("; ").at(-1)).toBe(framing);
  expect(headers["referrer-policy"]).toBe(SecurityHeadersConfig.ReferrerPolicy.ReferrerPolicy);
  expect(CustomHeadersConfig.Items).toEqual([
    { Header: "Cross-Origin-Opener-Policy", Override: true, Value: headers["cross-origin-opener-policy"] },
  ]);
});
