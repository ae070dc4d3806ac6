// What an upgrade must leave alone: CloudFormation knows a resource by its logical id, and replaces what changes it.
import { describe, expect, test } from "vitest";
import { Synthesized, VARIANTS } from "./synthesis.ts";

/** As the first release had them. Whoever changes one makes the next deployment begin with an empty ledger. */
const KEPT = {
  "AWS::DynamoDB::GlobalTable": ["AttestationLedgerTable2C7E3E8E"],
  "AWS::KMS::Key": ["AttestationMacKeyED5F06E7", "AttestationLogKeyD525515D"],
  "AWS::S3::Bucket": ["AttestationRootsBucket58A73D36"],
};

/** What callers hold on to: the address, and the plan that their keys are in. A new plan would refuse every key. */
const ADDRESSED = {
  "AWS::ApiGateway::RestApi": ["AttestationApiRest73E3941A"],
  "AWS::ApiGateway::UsagePlan": [
    "AttestationPlanstrialCF66CD32",
    "AttestationPlansstandard171408A7",
    "AttestationPlansvolume8950E7E5",
  ],
};

describe.each(Object.entries(VARIANTS))("with the settings of %s", (_, settings) => {
  const stack = new Synthesized(settings);
  // The web runtime has no API Gateway; what holds the evidence is the same in both.
  const ids = settings.runtime === "web" ? KEPT : { ...KEPT, ...ADDRESSED };

  test.each(Object.entries(ids))("%s keeps the logical ids of the first release", (type, ids) => {
    expect(stack.all(type).map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  });

  test("each of them is of the kind that can have replicas in other Regions, where there is such a kind", () => {
    for (const id of KEPT["AWS::KMS::Key"]) {
      expect(stack.one("AWS::KMS::Key", new RegExp(id)).Properties.MultiRegion).toBe(true);
    }
    expect(stack.all("AWS::DynamoDB::Table")).toEqual([]);
  });

  test("none of them has a name of its own, which CloudFormation could not replace nor a second stack use", () => {
    const kept = Object.entries(KEPT).flatMap(([type, ids]) =>
      ids.map((id) => stack.one(type, new RegExp(id)).Properties),
    );
    for (const properties of kept) {
      expect(Object.keys(properties)).not.toEqual(expect.arrayContaining([expect.stringMatching(/Name$/)]));
    }
  });
});

test("the distribution keeps its logical id, and the public its address", () => {
  const { id } = new Synthesized().one("AWS::CloudFront::Distribution");
  expect(id).toBe("AttestationPublicSiteHostDistributionBB724069");
});

/** What an account has one list of for all its regions, and where each of them has its name. */
const NAMED_FOR_ALL_REGIONS = {
  "AWS::CloudFront::CachePolicy": "CachePolicyConfig",
  "AWS::CloudFront::OriginAccessControl": "OriginAccessControlConfig",
  "AWS::CloudFront::ResponseHeadersPolicy": "ResponseHeadersPolicyConfig",
  "AWS::CloudFront::Function": null,
  "AWS::CloudWatch::Dashboard": null,
};

test.each(Object.entries(NAMED_FOR_ALL_REGIONS))(
  "%s has the region in its name, so that the same deployment can stand in two regions of an account",
  (type, member) => {
    const resources = new Synthesized().all(type);
    expect(resources).not.toEqual([]);
    for (const { Properties } of resources) {
      const { Name, DashboardName = Name } = member === null ? Properties : Properties[member];
      expect(JSON.stringify(DashboardName)).toContain('{"Ref":"AWS::Region"}');
    }
  },
);
