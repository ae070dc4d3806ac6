// The functions that emit events may put them on the bus, in our name alone; no other may, and none where there is no bus.
import { describe, expect, test } from "vitest";
import { list, Policies } from "./iam.ts";
import { Synthesized, VARIANTS } from "./synthesis.ts";

const PUT = "events:PutEvents";

/** IAM's keys of ours that have a list of values, by AWS's Service Authorization Reference (ArrayOfString). */
const KEYS_OF_LISTS = ["dynamodb:LeadingKeys", "dynamodb:Attributes", "events:source", "events:detail-type"];

/** The conditions of all roles that ask for a list as if it were one value, which IAM does not define. */
const undefinedConditions = (stack: Synthesized): string[] =>
  stack
    .all("AWS::IAM::Policy")
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
    .flatMap(({ Condition = {} }: { Condition?: Record<string, object> }) => Object.entries(Condition))
    .filter(([operator]) => operator !== "Null" && !/^ForA(?:ny|ll)Values?:/.test(operator))
    .flatMap(([operator, keys]) => Object.keys(keys).map((key) => [operator, key] as const))
    .filter(([, key]) => KEYS_OF_LISTS.includes(key))
    .map((condition) => condition.join(" "));

test.each(["production", "web"])("the conditions on lists of values are defined: %s", (variant) => {
  expect(undefinedConditions(new Synthesized(VARIANTS[variant]))).toEqual([]);
});

/** The functions with this right, and with the bus in their environment, by the ends of their names. */
function emittersOf(stack: Synthesized) {
  const policies = new Policies(stack);
  const nameOf = (id: string): string =>
    id.replace(/^Attestation(?:Handlers|WebRuntime)?/, "").replace(/Function.*$/, "");
  const named = (isOne: (of: ReturnType<Synthesized["all"]>[number]) => boolean): string[] =>
    stack
      .all("AWS::Lambda::Function")
      .filter(isOne)
      .map(({ id }) => nameOf(id))
      .sort();
  const puts = stack
    .all("AWS::IAM::Policy")
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
    .filter(({ Action }) => list<string>(Action).includes(PUT));
  return {
    allowed: named(
      (each) =>
        each.Properties.Role?.["Fn::GetAtt"] !== undefined &&
        policies.statementsOf(each).some(({ Action }) => list(Action).includes(PUT)),
    ),
    told: named(({ Properties }) => Properties.Environment?.Variables?.EVENT_BUS !== undefined),
    puts,
  };
}

describe("events", () => {
  test("are put on the bus by those that emit them, in our name alone", () => {
    const { allowed, told, puts } = emittersOf(new Synthesized(VARIANTS.trial));
    expect(allowed).toEqual(["Sealerseal", "Webhookswebhooks", "attest"]);
    expect(told).toEqual(allowed);
    expect(puts).toHaveLength(allowed.length);
    for (const { Resource, Condition } of puts) {
      expect(JSON.stringify(Resource)).toContain("event-bus/default");
      expect(Condition).toEqual({
        Null: { "events:source": "false" },
        "ForAllValues:StringEquals": { "events:source": "disclosure-receipts" },
      });
    }
  });

  test("are put on the bus of the setting, by the server that attests too", () => {
    const { allowed, told, puts } = emittersOf(new Synthesized({ ...VARIANTS.web, eventBus: "operations" }));
    expect(allowed).toEqual(["Sealerseal", "Webhookswebhooks"]);
    expect(told).toEqual(allowed);
    // The third is the server's, which is no AWS::Lambda::Function.
    expect(puts).toHaveLength(allowed.length + 1);
    for (const { Resource } of puts) expect(JSON.stringify(Resource)).toContain("event-bus/operations");
  });

  test("go nowhere where the setting is false, and then nobody may send any", () => {
    expect(emittersOf(new Synthesized({ eventBus: false }))).toEqual({ allowed: [], told: [], puts: [] });
  });
});
