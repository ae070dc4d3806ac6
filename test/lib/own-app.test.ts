// The construct in an app whose context has no feature flags of the CDK, as docs/deploy.md writes one by hand.
import { describe, expect, test } from "vitest";
import { buildOwnApp, Synthesized } from "./synthesis.ts";

const stack = new Synthesized({}, buildOwnApp());

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
