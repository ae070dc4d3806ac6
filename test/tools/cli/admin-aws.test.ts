// The operator's commands against a deployment in AWS: SSM and API Gateway are stand-ins that speak HTTP, table and
// bucket those of a local stack. The SDK's own settings lead there, as they would lead to AWS.
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { deploymentParameter, type LocalDeployment } from "../../../contract/deployment.ts";
import { DEFAULT_PLANS } from "../../../contract/plans.ts";
import { usageKeyOf } from "../../../service/tenants/api-key-format.ts";
import { type FakeAws, startFakeAws } from "../../support/fake-aws.ts";
import { startLocalStack } from "../../support/local-stack.ts";
import { type Ended, newFolder, readJson, receipts } from "./command-line.ts";

const REGION = ["--region", "eu-central-1"];
const PLANS = {
  trial: { ...DEFAULT_PLANS.trial, usagePlanId: "plan-trial" },
  standard: { ...DEFAULT_PLANS.standard, usagePlanId: "plan-standard" },
};

let aws: FakeAws;
let local: LocalDeployment;

beforeAll(async () => {
  const { dataDir } = await startLocalStack({ environment: { SEAL_INTERVAL_SECONDS: "1" } });
  local = readJson(join(dataDir, "deployment.json"));
});

beforeEach(async () => {
  aws = await startFakeAws();
  const { pid: _pid, endpoints, accessKey, trustAnchorsFile: _file, ...deployment } = local;
  const published = {
    ...deployment,
    name: "receipts",
    apiId: "api",
    plans: PLANS,
  };
  aws.parameters.set(deploymentParameter("receipts"), JSON.stringify(published));
  const nowhere = join(newFolder(), "none");
  const settings = {
    AWS_ENDPOINT_URL_SSM: aws.url,
    AWS_ENDPOINT_URL_API_GATEWAY: aws.url,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamoDb,
    AWS_ENDPOINT_URL_S3: endpoints.s3,
    AWS_ENDPOINT_URL_KMS: endpoints.kms,
    AWS_ACCESS_KEY_ID: accessKey,
    AWS_SECRET_ACCESS_KEY: "test",
    AWS_EC2_METADATA_DISABLED: "true",
    AWS_CONFIG_FILE: nowhere,
    AWS_SHARED_CREDENTIALS_FILE: nowhere,
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  for (const name of ["AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE"]) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  aws.close();
});
afterAll(() => vi.unstubAllEnvs());

const admin = (...args: string[]): Promise<Ended> =>
  receipts("admin", ...args, "--name", "receipts", ...REGION);

describe("a deployment in AWS", () => {
  test("gives a new tenant its first plan, and the number of chains of its plan", async () => {
    const { status, stdout } = await admin("tenant", "create", "acme", "--json");
    expect(status).toBe(0);
    const tenant = JSON.parse(stdout);
    expect(tenant).toMatchObject({ tenant_id: "acme", plan: "trial", chains: PLANS.trial.chains });
    const standard = await admin("tenant", "create", "busy", "--plan", "standard", "--json");
    expect(JSON.parse(standard.stdout).chains).toBe(PLANS.standard.chains);
    const { stderr } = await admin("tenant", "create", "untold");
    expect(stderr).toContain("There are the plans trial, standard; without --plan it has the first.\n");
    const unknown = await admin("tenant", "create", "other", "--plan", "gold");
    expect([unknown.status, unknown.stderr]).toEqual([
      2,
      expect.stringContaining("there is no plan gold; there are trial, standard"),
    ]);
  });

  test("has each tenant at API Gateway too, by the name that the authorizer gives it, whatever keys it has", async () => {
    const created = await admin("tenant", "create", "keyed", "--plan", "standard");
    expect(created.stderr).toContain("API Gateway lets its calls through within a minute.");
    const { fingerprint } = JSON.parse((await admin("tenant", "show", "keyed", "--json")).stdout);
    expect([...aws.gateway.keys.values()]).toMatchObject([
      { name: "receipts_keyed_standard", value: usageKeyOf(fingerprint, "standard") },
    ]);
    const entered = ["receipts_keyed_standard in plan-standard"];
    expect(aws.gateway.entered).toEqual(entered);

    const { key_id: keyId } = JSON.parse((await admin("key", "create", "keyed", "--json")).stdout);
    const other = JSON.parse((await admin("key", "rotate", keyId, "--json")).stdout);
    await admin("key", "revoke", keyId);
    expect(aws.gateway.entered).toEqual(entered);
    expect((await admin("key", "list", "keyed")).stdout).toMatch(new RegExp(`${other.key_id} .* active`));

    aws.gateway.keys.clear();
    const keys = await admin("key", "list", "keyed");
    expect(keys.stdout).toMatch(new RegExp(`${other.key_id} .* not at API Gateway: opens nothing`));
    const repair = "admin tenant plan keyed standard";
    expect(keys.stderr).toContain(repair);
    const tenants = await admin("tenant", "list");
    expect(tenants.stdout).toMatch(/keyed .* not at API Gateway: its keys open nothing/);
    expect((await admin("tenant", "suspend", "keyed")).status).toBe(0);
    expect((await admin("tenant", "resume", "keyed")).status).toBe(0);
    expect(aws.gateway.entered).toEqual(entered);
  });

  test("gives a tenant more chains, by number or with its plan, and never fewer", async () => {
    await admin("tenant", "create", "growing");
    const { status, stdout, stderr } = await admin("tenant", "chains", "growing", "5");
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^ {2}chains +5$/m)]);
    expect(stderr).toContain("It takes effect for its keys within a minute.");
    expect((await admin("tenant", "chains", "growing", "5")).status).toBe(0);
    const fewer = await admin("tenant", "chains", "growing", "4");
    expect([fewer.status, fewer.stderr]).toEqual([
      2,
      expect.stringContaining("growing has 5 chains; their number never shrinks"),
    ]);
    const moved = await admin("tenant", "plan", "growing", "standard");
    expect(moved.stderr).toContain("The plan gives it 8 chains");
    const shown = JSON.parse((await admin("tenant", "show", "growing", "--json")).stdout);
    expect(shown).toMatchObject({ plan: "standard", chains: 8 });
    expect(shown.chain_ids).toHaveLength(8);
    expect(aws.gateway.entered).toEqual(["receipts_growing_standard in plan-standard"]);
  });

  test("lists keys at API Gateway by which no tenant is counted", async () => {
    aws.gateway.answer("CreateApiKey", { name: "receipts_gone_trial", value: "of no tenant", enabled: true });
    const { stderr } = await admin("tenant", "list");
    expect(stderr).toContain("keys by which no tenant is counted: receipts_gone_trial.");
  });

  test("is looked at and verified as a local stack is", async () => {
    const status = await admin("status");
    expect([status.status, status.stdout]).toEqual([0, expect.stringContaining("verdict: all is well")]);
    const verify = await admin("verify");
    expect([verify.status, verify.stdout]).toEqual([0, expect.stringContaining("verdict: all of it holds")]);
  });
});

describe("what stands in the way is one line that says what to do:", () => {
  const lineOf = async (ending: Promise<Ended>): Promise<string> => {
    const { status, stdout, stderr } = await ending;
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    return stderr;
  };

  test("no region", async () => {
    const line = await lineOf(receipts("admin", "status", "--name", "receipts"));
    expect(line).toContain("no AWS region is set; give a --region, or use --local");
  });

  const withoutKeys = (): void => {
    for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]) vi.stubEnv(name, undefined);
  };

  test("no credentials", async () => {
    withoutKeys();
    expect(await lineOf(admin("status"))).toContain(
      "no AWS credentials were found; log in, name a --profile",
    );
  });

  test("a profile that there is not", async () => {
    withoutKeys();
    expect(await lineOf(admin("status", "--profile", "nobody"))).toContain("no AWS credentials were found");
  });

  test("no such deployment, or another region", async () => {
    const line = await lineOf(receipts("admin", "status", "--name", "other", ...REGION));
    expect(line).toContain("there is no deployment other in eu-central-1; give its --name and --region");
  });

  test.each([
    ["AccessDeniedException", "may not read the parameter /disclosure-receipts/receipts in eu-central-1"],
    ["ExpiredTokenException", "AWS does not accept these credentials (ExpiredTokenException); log in again"],
    ["UnrecognizedClientException", "AWS does not accept these credentials"],
    ["InternalServerError", "AWS Systems Manager in eu-central-1 does not answer (InternalServerError)"],
  ])("%s", async (error, sentence) => {
    aws.refusal = error;
    expect(await lineOf(admin("status"))).toContain(sentence);
  });

  test("a parameter of another version", async () => {
    aws.parameters.set(deploymentParameter("receipts"), '{"name":"receipts"}');
    expect(await lineOf(admin("status"))).toContain("deploy it with this version again");
  });

  test("a table that may not be read, by the name of AWS's error", async () => {
    vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", aws.url);
    expect(await lineOf(admin("tenant", "list"))).toMatch(/the table can't be reached \(\w+\)/);
  });
});
