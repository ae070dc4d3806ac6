// AWS WAF in front of the API, if the operator chooses it: blocks known bad requests, and bodies that no handler reads.
import { CfnWebACL, CfnWebACLAssociation } from "aws-cdk-lib/aws-wafv2";
import { Construct } from "constructs";
import { MAX_PROOF_BODY_BYTES } from "../contract/limits.ts";
import type { Api } from "./api.ts";
import type { Config } from "./config.ts";

/** WAF inspects as many bytes of a body as the largest has that a handler reads. */
const INSPECTED = "KB_64";
/**
 * The common rules that would block valid calls: bodies over 8 KiB, which proofs may have, and calls without a
 * User-Agent, as voice platforms send them.
 */
const COUNT_ONLY = ["SizeRestrictions_BODY", "NoUserAgent_HEADER"];

export interface FirewallProps {
  readonly config: Config;
  readonly api: Api;
}

export class Firewall extends Construct {
  constructor(scope: Construct, id: string, { config, api }: FirewallProps) {
    super(scope, id);
    const acl = new CfnWebACL(this, "Acl", {
      scope: "REGIONAL",
      description: `${config.name}: in front of the API`,
      defaultAction: { allow: {} },
      associationConfig: { requestBody: { API_GATEWAY: { defaultSizeInspectionLimit: INSPECTED } } },
      rules: [bodySize(0), managed(1, "AWSManagedRulesKnownBadInputsRuleSet"), common(2)],
      visibilityConfig: visibility("Firewall"),
    });
    new CfnWebACLAssociation(this, "Association", {
      webAclArn: acl.attrArn,
      resourceArn: api.rest.deploymentStage.stageArn,
    });
  }
}

/** Samples of requests would show API keys. */
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
      size: MAX_PROOF_BODY_BYTES,
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
