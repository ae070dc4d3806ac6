// AWS WAF in front of the API, if the operator chooses it: blocks known bad requests, and bodies that no handler reads.
import { CfnWebACL, CfnWebACLAssociation } from "aws-cdk-lib/aws-wafv2";
import { Construct } from "constructs";
import { MAX_ATTESTATION_BODY_BYTES } from "../contract/limits.ts";
import { VERIFY_INCLUSION_PATH } from "../contract/public-paths.ts";
import type { Api } from "./api.ts";
import type { Config } from "./config.ts";

/** As many bytes of a body as WAF can inspect; a proof may have more. */
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

const UNCHANGED = [{ priority: 0, type: "NONE" }];

const LONG_BODY: CfnWebACL.StatementProperty = {
  sizeConstraintStatement: {
    fieldToMatch: { body: { oversizeHandling: "MATCH" } },
    comparisonOperator: "GT",
    size: MAX_ATTESTATION_BODY_BYTES,
    textTransformations: UNCHANGED,
  },
};

/** Its handler reads more than WAF can inspect, and refuses the rest itself. */
const IS_PROOF: CfnWebACL.StatementProperty = {
  byteMatchStatement: {
    fieldToMatch: { uriPath: {} },
    positionalConstraint: "ENDS_WITH",
    searchString: VERIFY_INCLUSION_PATH,
    textTransformations: UNCHANGED,
  },
};

const bodySize = (priority: number): CfnWebACL.RuleProperty => ({
  name: "BodySize",
  priority,
  action: { block: {} },
  statement: {
    andStatement: { statements: [LONG_BODY, { notStatement: { statement: IS_PROOF } }] },
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
