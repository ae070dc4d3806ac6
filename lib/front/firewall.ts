// AWS WAF in front of the API, if the operator chooses it: blocks known bad requests, bodies that no handler reads, and
// floods without a key.
import { CfnWebACL, CfnWebACLAssociation } from "aws-cdk-lib/aws-wafv2";
import { Construct } from "constructs";
import { MAX_ATTESTATION_BODY_BYTES } from "../../contract/limits.ts";
import { VERIFY_INCLUSION_PATH } from "../../contract/public-paths.ts";
import type { Config } from "../settings/config.ts";
import type { Api } from "./api.ts";

/** As many bytes of a body as WAF can inspect; a proof may have more. */
const INSPECTED = "KB_64";
/**
 * The common rules that would block valid calls: bodies over 8 KiB, which proofs may have; calls without a User-Agent, as
 * voice platforms send them; and what a body holds. A proof has addresses of authorities and long texts of base64, and
 * no body is ever shown, run or fetched from: its handler parses it strictly, or refuses it.
 */
const COUNT_ONLY = [
  "SizeRestrictions_BODY",
  "NoUserAgent_HEADER",
  "GenericRFI_BODY",
  "GenericLFI_BODY",
  "EC2MetaDataSSRF_BODY",
  "CrossSiteScripting_BODY",
];
/** Calls without a key from one address in five minutes: seven a second, more than a reader's program makes. */
const MAX_KEYLESS_CALLS = 2_000;
const RATE_WINDOW_SECONDS = 300;

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
      rules: [
        bodySize(0),
        keylessRate(1, config),
        managed(2, "AWSManagedRulesKnownBadInputsRuleSet"),
        common(3),
      ],
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

/** Calls that carry what looks like a key are the gateway's to limit: many customers may share one address. */
const HAS_KEY: CfnWebACL.StatementProperty = {
  byteMatchStatement: {
    fieldToMatch: { singleHeader: { Name: "authorization" } },
    positionalConstraint: "STARTS_WITH",
    searchString: "bearer",
    textTransformations: [{ priority: 0, type: "LOWERCASE" }],
  },
};

/**
 * Behind CloudFront the caller's address is the one that CloudFront forwards. Callers can put a made-up one before it, so
 * this stops the careless flood and not the clever one; that one meets the throttles of the gateway.
 */
const keylessRate = (priority: number, { cloudFront }: Config): CfnWebACL.RuleProperty => ({
  name: "KeylessRate",
  priority,
  action: { block: {} },
  statement: {
    rateBasedStatement: {
      limit: MAX_KEYLESS_CALLS,
      evaluationWindowSec: RATE_WINDOW_SECONDS,
      ...(cloudFront
        ? {
            aggregateKeyType: "FORWARDED_IP",
            forwardedIpConfig: { headerName: "X-Forwarded-For", fallbackBehavior: "NO_MATCH" },
          }
        : { aggregateKeyType: "IP" }),
      scopeDownStatement: { notStatement: { statement: HAS_KEY } },
    },
  },
  visibilityConfig: visibility("KeylessRate"),
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
