// The pages have the same headers from CloudFront as from any other server.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { App, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { beforeAll, expect, test } from "vitest";
import { buildPages } from "../../build/web.ts";
import { staticFiles } from "../../host/local/public-files.ts";
import { PAGE_PATHS, pageHeaders } from "../../lib/front/site.ts";

beforeAll(() => buildPages());

test.each(["headers.json", "status.headers.json"])(
  "CloudFront says of framing, referrers and openers what %s says",
  (name) => {
    const stack = new Stack(new App());
    pageHeaders(stack, "receipts");
    const [policy] = Object.values(
      Template.fromStack(stack).findResources("AWS::CloudFront::ResponseHeadersPolicy"),
    );
    const { SecurityHeadersConfig, CustomHeadersConfig } =
      policy?.Properties.ResponseHeadersPolicyConfig ?? {};
    const file = join(import.meta.dirname, "..", "..", "dist", "web", name);
    const headers: Record<string, string> = JSON.parse(readFileSync(file, "utf8"));

    const framing = SecurityHeadersConfig.ContentSecurityPolicy.ContentSecurityPolicy;
    expect(headers["content-security-policy"]?.split("; ").at(-1)).toBe(framing);
    expect(headers["referrer-policy"]).toBe(SecurityHeadersConfig.ReferrerPolicy.ReferrerPolicy);
    expect(CustomHeadersConfig.Items).toEqual([
      { Header: "Cross-Origin-Opener-Policy", Override: true, Value: headers["cross-origin-opener-policy"] },
    ]);
  },
);

test("the local stack serves the pages and their icon under every path that CloudFront does", () => {
  const files = staticFiles(
    join(import.meta.dirname, "..", "vectors", "evidence", "authorities", "service.pem"),
  );
  const types = PAGE_PATHS.map((path) => [path, files.get(path)?.headers?.["content-type"]]);
  const [page, icon] = ["text/html; charset=utf-8", "image/svg+xml"];
  expect(Object.fromEntries(types)).toEqual({
    "/": page,
    "/index.html": page,
    "/verify": page,
    "/verify/": page,
    "/verify.html": page,
    "/favicon.ico": icon,
    "/favicon.svg": icon,
  });
  expect(files.get("/")?.body).not.toBe(files.get("/verify")?.body);
});
