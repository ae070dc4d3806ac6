import type { APIGatewayTokenAuthorizerEvent } from "aws-lambda";
import { beforeEach, expect, test, vi } from "vitest";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { fingerprintOf } from "../../evidence/core/formats/tenant-anchor.ts";
import { readCaller } from "../../lambdas/middleware/request.ts";
import { logger } from "../../service/logger.ts";
import { usageKeyOf } from "../../service/tenants/api-key-format.ts";
import { type Caller, Tenants } from "../../service/tenants/tenants.ts";

vi.stubEnv("TABLE_NAME", "table");
vi.stubEnv("AWS_REGION", "eu-central-1");
const { handler } = await import("../../lambdas/authorize.ts");

const KEY = `dr_live_${"0".repeat(20)}_${"a".repeat(64)}`;
const METHOD_ARN = "arn:aws:execute-api:eu-central-1:123456789012:api/prod/POST/v1/attestation";
const caller: Caller = {
  tenantId: "tenant",
  keyId: "key",
  plan: "pilot",
  scopes: ["attest"],
  keyExpiresAt: "2027-01-31T00:00:00.000Z",
  tenantAnchor: "a".repeat(32),
  chains: 4_096,
  inlineStampsPerMinute: 12,
  ownWordings: `sha256:${"b".repeat(64)}`,
  isPreview: true,
};

const authenticate = vi.spyOn(Tenants.prototype, "authenticate");
beforeEach(() => {
  authenticate.mockReset().mockResolvedValue(caller);
});

const authorize = (authorizationToken: string) => {
  const event: APIGatewayTokenAuthorizerEvent = { type: "TOKEN", methodArn: METHOD_ARN, authorizationToken };
  return handler(event);
};

test("allows the whole stage to who holds the key, since API Gateway caches the answer by the key alone", async () => {
  const { policyDocument } = await authorize(`Bearer ${KEY}`);
  expect(authenticate).toHaveBeenCalledExactlyOnceWith(KEY);
  expect(policyDocument.Statement).toEqual([
    {
      Action: "execute-api:Invoke",
      Effect: "Allow",
      Resource: "arn:aws:execute-api:eu-central-1:123456789012:api/prod/*",
    },
  ]);
});

test("tells the handlers who calls, and the usage plan which tenant it is", async () => {
  const { context, usageIdentifierKey } = await authorize(`bearer ${KEY}`);
  const event = { requestContext: { authorizer: context } } as unknown as Parameters<typeof readCaller>[0];
  expect(readCaller(event, "attest")).toEqual(caller);
  expect(usageIdentifierKey).toBe(usageKeyOf(fingerprintOf(caller.tenantAnchor), "pilot"));
  expect(usageIdentifierKey).not.toBe(usageKeyOf(fingerprintOf(caller.tenantAnchor), "other"));
  // API Gateway takes 20 to 128 letters and digits.
  expect(usageIdentifierKey).toMatch(/^[0-9a-f]{64}$/);
});

test("takes any number of spaces before the key (RFC 9110 section 11.4)", async () => {
  await authorize(`bearer  ${KEY}`);
  expect(authenticate).toHaveBeenCalledExactlyOnceWith(KEY);
});

test.each([
  ["nothing", ""],
  ["another scheme", `Basic ${KEY}`],
  ["two words", `Bearer ${KEY} ${KEY}`],
  ["no key", "Bearer "],
  ["no space", `Bearer${KEY}`],
  ["an endless key", `Bearer ${KEY}${"0".repeat(257)}`],
])("looks up nothing for %s, and has API Gateway answer 401", async (_what, header) => {
  authenticate.mockImplementation(async (key) => {
    expect(key).toBe("");
    throw new DisclosureError("unauthorized", "the API key is unknown");
  });
  await expect(authorize(header)).rejects.toThrowError(/^Unauthorized$/);
});

test("denies a key that may not be used any more, and says why", async () => {
  authenticate.mockRejectedValue(new DisclosureError("forbidden", "the API key was revoked"));
  const { policyDocument, context } = await authorize(`Bearer ${KEY}`);
  expect(policyDocument.Statement.map(({ Effect }) => Effect)).toEqual(["Deny"]);
  expect(context).toEqual({ reason: "the API key was revoked" });
});

test("fails, and logs no key, where the keys can't be read", async () => {
  const log = vi.spyOn(logger, "error").mockReturnValue();
  authenticate.mockRejectedValue(new DisclosureError("ledger_unavailable", "the table can't be reached"));
  await expect(authorize(`Bearer ${KEY}`)).rejects.toMatchObject({
    code: "ledger_unavailable",
  });
  expect(log).toHaveBeenCalledOnce();
  expect(JSON.stringify(log.mock.calls)).not.toContain(KEY);
});
