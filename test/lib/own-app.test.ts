// The construct in an app whose context has no feature flags of the CDK, as docs/deploy.md writes one by hand.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AttestationService } from "../../lib/attestation-service.ts";
import { buildOwnApp, Synthesized } from "./synthesis.ts";

const ownApp = buildOwnApp();
const stack = new Synthesized({}, ownApp);

test("the construct has the properties that its page names", () => {
  const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "library.md"), "utf8");
  const [sentence = ""] = page.match(/The construct has the properties [\s\S]*?\.\n/) ?? [];
  const named = [...sentence.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(5);
  const service = ownApp.node.findChild("Attestation") as AttestationService;
  const known = [service, service.alarms].flatMap(Object.keys);
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});

describe("in an app without feature flags", () => {
  test("no bucket has an ACL: access logs are let in by a policy, which goes before the bucket does", () => {
    for (const { Properties } of stack.all("AWS::S3::Bucket")) {
      expect(Object.keys(Properties)).not.toEqual(expect.arrayContaining(["AccessControl"]));
      expect(Object.keys(Properties)).not.toEqual(expect.arrayContaining(["OwnershipControls"]));
    }
    const policy = stack.one("AWS::S3::BucketPolicy", /AccessLogsBucket/).Properties.PolicyDocument;
    const admitted = policy.Statement.filter(
      ({ Principal }: { Principal: { Service?: string } }) =>
        Principal.Service === "logging.s3.amazonaws.com",
    );
    expect(admitted).toHaveLength(3);
  });

  test("an authorizer that changes is deployed with the API", () => {
    const authorizer = stack.one("AWS::ApiGateway::Authorizer");
    expect(stack.one("AWS::ApiGateway::Deployment")).toMatchObject({
      DependsOn: expect.arrayContaining([authorizer.id]),
    });
  });
});
