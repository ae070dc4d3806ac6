// AWS WAF in front of the API, where the operator asks for it.
import { describe, expect, test } from "vitest";
import { Synthesized, VARIANTS } from "./synthesis.ts";

const stack = new Synthesized();
const firewall = new Synthesized(VARIANTS.firewall);

describe("the firewall", () => {
  test("is not there unless it is asked for", () => {
    expect(stack.all("AWS::WAFv2::WebACL")).toEqual([]);
  });

  test("stands before the API's stage, refuses what no handler reads, and keeps no sample of a request", () => {
    const { Rules } = firewall.one("AWS::WAFv2::WebACL").Properties;
    expect(Rules[0]).toMatchObject({
      Action: { Block: {} },
      Statement: {
        AndStatement: {
          Statements: [
            { SizeConstraintStatement: { ComparisonOperator: "GT", Size: 8_192 } },
            // A report with its tokens is longer than all that WAF can look at.
            { NotStatement: { Statement: { ByteMatchStatement: { SearchString: "/v1/verify-inclusion" } } } },
          ],
        },
      },
    });
    const counted = Rules[3].Statement.ManagedRuleGroupStatement.RuleActionOverrides;
    const names = counted.map(({ Name, ActionToUse }: Record<string, object>) => [Name, ActionToUse]);
    // The address of an authority in a proof is no attack.
    expect(names).toContainEqual(["GenericRFI_BODY", { Count: {} }]);
    expect(JSON.stringify(firewall.one("AWS::WAFv2::WebACL"))).not.toContain('"SampledRequestsEnabled":true');
    expect(JSON.stringify(firewall.one("AWS::WAFv2::WebACLAssociation").Properties.ResourceArn)).toContain(
      "/stages/",
    );
  });
});

test.each([
  ["behind CloudFront", {}, { AggregateKeyType: "FORWARDED_IP", ForwardedIPConfig: expect.anything() }],
  ["by itself", { cloudFront: false }, { AggregateKeyType: "IP" }],
])(
  "%s the firewall stops who calls too often without a key, by the caller's own address",
  (_, where, key) => {
    const { Rules } = new Synthesized({ waf: true, ...where }).one("AWS::WAFv2::WebACL").Properties;
    const [, { Action, Statement }] = Rules;
    const { ScopeDownStatement, ...rate } = Statement.RateBasedStatement;
    expect(Action).toEqual({ Block: {} });
    expect(rate).toEqual({ Limit: 2_000, EvaluationWindowSec: 300, ...key });
    expect(ScopeDownStatement.NotStatement.Statement.ByteMatchStatement).toMatchObject({
      PositionalConstraint: "STARTS_WITH",
      SearchString: "bearer",
    });
  },
);
