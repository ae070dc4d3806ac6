// AWS WAF before the API, where the operator wants it: known bad requests, and bodies that no handler would read.
import { CfnWebACL, CfnWebACLAssociation } from "aws-cdk-lib/aws-wafv2";
import { Construct } from "constructs";
import type { Api } from "./api.ts";

/** The most that a handler reads, and the most that WAF looks at. */
const MAX_BODY_BYTES = 64 * 1024;
/**
 * Of the common rules, those that would refuse what is right: bodies over 8 KiB, which proofs may have, and calls
 * without User-Agent, as voice platforms send them.
 */
const COUNT_ONLY = ["SizeRestrictions_BODY", "NoUserAgent_HEADER"];

export interface FirewallProps {
  readonly name: string;
  readonly api: Api;
}

export class Firewall extends Construct {
  constructor(scope: Construct, id: string, { name, api }: FirewallProps) {
    super(scope, id);
    const acl = new CfnWebACL(this, "Acl", {
      scope: "REGIONAL",
      description: `${name}: before the API`,
      defaultAction: { allow: {} },
      associationConfig: { requestBody: { API_GATEWAY: { defaultSizeInspectionLimit: "KB_64" } } },
      rules: [bodySize(0), managed(1, "AWSManagedRulesKnownBadInputsRuleSet"), common(2)],
      visibilityConfig: visibility("Firewall"),
    });
    new CfnWebACLAssociation(this, "Association", {
      webAclArn: acl.attrArn,
      resourceArn: api.rest.deploymentStage.stageArn,
    });
  }
}

/** Samples of requests would show the keys that they carry. */
const visibility = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});

const bodySize = (priority: number): CfnWebACL.RuleProperty => ({
  name: "BodySize",
  priority,
  action: { block: {} },
  statement: {
    sizeConstraintStatement: {
      fieldToMatch: { body: { oversizeHandling: "MATCH" } },
      comparisonOperator: "GT",
      size: MAX_BODY_BYTES,
      textTransformations: [{ priority: 0, type: "NONE" }],
    },
  },
  visibilityConfig: visibility("BodySize"),
});

const managed = (
  priority: number,
  name: string,
  ruleActionOverrides: CfnWebACL.RuleActionOverrideProperty[] = [],
): CfnWebACL.RuleProperty => ({
  name,
  priority,
  overrideAction: { none: {} },
  statement: { managedRuleGroupStatement: { vendorName: "AWS", name, ruleActionOverrides } },
  visibilityConfig: visibility(name),
});

const common = (priority: number): CfnWebACL.RuleProperty =>
  managed(
    priority,
    "AWSManagedRulesCommonRuleSet",
    COUNT_ONLY.map((name) => ({ name, actionToUse: { count: {} } })),
  );
