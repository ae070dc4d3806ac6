// Who may use the two KMS keys, and for what.
import { describe, expect, test } from "vitest";
import { list, Policies, type Statement } from "./iam.ts";
import { type Resource, Synthesized, VARIANTS } from "./synthesis.ts";

const production = new Synthesized(VARIANTS.production);

const policies = new Policies(production);
const functionOf = (handler: string): Resource => policies.functionOf(handler);
const statementsOf = (resource: Resource): Statement[] => policies.statementsOf(resource);
const text = (resource: unknown): string => JSON.stringify(resource);

/** Our functions, not those that CDK brings for deployments. */
const functions = production.all("AWS::Lambda::Function").filter(({ id }) => id.startsWith("Attestation"));

const actionsOf = (handler: string): string[] =>
  [...new Set(statementsOf(functionOf(handler)).flatMap(({ Action }) => Action))].sort();

describe("the key of the authentication codes", () => {
  test("makes codes for the three functions that answer with receipts, for the sealer, which checks them, and the secrets of webhooks", () => {
    const users = functions.filter((resource) => text(statementsOf(resource)).includes("kms:GenerateMac"));
    expect(users.map(({ Properties }) => Properties.Description.split(": ")[1]).sort()).toEqual([
      "delivers the tenants' webhooks",
      "one receipt with its proofs",
      "records a disclosure",
      "seals and publishes the metachain, and publishes the wording policy",
      "the receipts of a conversation",
    ]);
    for (const user of users) {
      const [statement] = statementsOf(user).filter(({ Action }) => text(Action).includes("kms:"));
      expect(statement).toMatchObject({
        Action: "kms:GenerateMac",
        Condition: { StringEquals: { "kms:MacAlgorithm": "HMAC_SHA_256" } },
      });
    }
  });
});

describe("the key of the checkpoints", () => {
  const ofKey = (actions: string): Statement[] =>
    functions.flatMap(statementsOf).filter(({ Action }) => list(Action).includes(actions));

  test("signs for the sealer alone, whole messages by Ed25519", () => {
    const { id } = production.one("AWS::KMS::Key", /LogKey/);
    expect(ofKey("kms:Sign")).toEqual([
      {
        Effect: "Allow",
        Action: "kms:Sign",
        Resource: { "Fn::GetAtt": [id, "Arn"] },
        Condition: {
          StringEquals: { "kms:MessageType": "RAW", "kms:SigningAlgorithm": "ED25519_SHA_512" },
        },
      },
    ]);
    expect(ofKey("kms:GetPublicKey")).toEqual([
      { Effect: "Allow", Action: "kms:GetPublicKey", Resource: { "Fn::GetAtt": [id, "Arn"] } },
    ]);
    expect(actionsOf("seal")).toEqual(expect.arrayContaining(["kms:GetPublicKey", "kms:Sign"]));
  });

  test("belongs to a log that has the public address for its name, or the one that was configured", () => {
    const originOf = (stack: Synthesized): unknown =>
      stack.one("AWS::Lambda::Function", /Sealerseal/).Properties.Environment.Variables.LOG_ORIGIN;
    expect(originOf(production)).toBe("receipts.operator.example/v1/metachain");
    const { id } = production.one("AWS::CloudFront::Distribution");
    expect(originOf(new Synthesized())).toEqual({
      "Fn::Join": ["", [{ "Fn::GetAtt": [id, "DomainName"] }, "/v1/metachain"]],
    });
    expect(originOf(new Synthesized({ ...VARIANTS.production, logOrigin: "log.example/1" }))).toBe(
      "log.example/1",
    );
    expect(text(originOf(new Synthesized({ cloudFront: false })))).toMatch(/execute-api.*\/v1\/metachain/);
  });
});

test("functions that make codes may make those of retired keys, to verify older receipts, and know their ids", () => {
  const id = "01234567-89ab-cdef-0123-456789abcdef";
  const retired = new Synthesized({ retiredMacKeyIds: [id] });
  const statements = retired
    .all("AWS::IAM::Policy")
    .map(({ Properties }) => JSON.stringify(Properties))
    .filter((policy) => policy.includes("kms:GenerateMac"));
  expect(statements).toHaveLength(5);
  for (const statement of statements) expect(statement).toContain(`:key/${id}`);
  const environments = retired.all("AWS::Lambda::Function").map((resource) => JSON.stringify(resource));
  expect(environments.filter((text) => text.includes(`"RETIRED_MAC_KEY_IDS":"${id}"`))).toHaveLength(5);
});
