// The published wording policy over HTTP: what anybody fetches without a key, what stays for ever, and what a deployment's
// own layers change.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, test } from "vitest";
import { jurisdictionPolicySchema, policyIndexSchema } from "../../evidence/core/formats/policy-index.ts";
import { hashWording } from "../../evidence/core/policy/policy-layer.ts";
import { policyLayers } from "../../evidence/policy/index.ts";
import { ApiClient, disclosure } from "../support/api-client.ts";
import { type LocalStack, newFolder, runToEnd, startLocalStack } from "../support/local-stack.ts";

const EVERY_SECOND = { SEAL_INTERVAL_SECONDS: "1" };
const GERMAN = policyLayers.find(({ jurisdiction }) => jurisdiction === "DE");
const TEXT = "Guten Tag, hier spricht die KI der Musterbank, kein Mensch.";
const OWN_DIGEST = `sha256:${Buffer.from(hashWording(TEXT)).toString("hex")}`;

/** The German layer with one more wording, as a deployment's own file has it. */
const own = {
  ...GERMAN,
  version: "2027-01-31.1",
  wordings: [
    ...(GERMAN?.wordings ?? []),
    {
      ...GERMAN?.wordings[0],
      id: "de-musterbank-1",
      text: TEXT,
      digest: OWN_DIGEST,
      approved_on: "2026-11-21",
    },
  ],
};

const nameOf = (digest: string): string => digest.slice("sha256:".length);

let stack: LocalStack;
let api: ApiClient;
beforeAll(async () => {
  stack = await startLocalStack({ environment: EVERY_SECOND });
  api = new ApiClient(stack);
});

const get = (path: string, client = api): Promise<Response> => client.call("GET", path, { key: null });

async function currentOf(client: ApiClient) {
  return jurisdictionPolicySchema.parse(await (await get("/v1/policy/DE", client)).json());
}

describe("without a key, anybody", () => {
  test("reads the index as soon as the service answers: each jurisdiction with its current layer", async () => {
    const response = await get("/v1/policy");
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    const { jurisdictions, layers } = policyIndexSchema.parse(await response.json());
    expect(jurisdictions.map(({ jurisdiction, status }) => [jurisdiction, status])).toEqual([
      ["AT", "planned"],
      ["BE", "planned"],
      ["DE", "active"],
      ["NL", "in_development"],
    ]);
    expect(layers).toBe("/v1/policy/layers/{digest}");
  });

  test("fetches every listed layer under the hash of its bytes, to be kept for ever", async () => {
    const { jurisdictions } = policyIndexSchema.parse(await (await get("/v1/policy")).json());
    for (const { digest, jurisdiction } of jurisdictions) {
      const response = await get(`/v1/policy/layers/${nameOf(digest)}`);
      expect(response.headers.get("cache-control")).toMatch(/immutable/);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(nameOf(digest));
      expect(JSON.parse(bytes.toString())).toMatchObject({ jurisdiction });
    }
  });

  test.each([
    ["/v1/policy/FR", /no wording policy is published for this jurisdiction/],
    ["/v1/policy/de", /ISO 3166-1 alpha-2 code in capitals/],
    ["/v1/policy/layers", /ISO 3166-1 alpha-2 code in capitals/],
    [`/v1/policy/layers/${"0".repeat(64)}`, /no layer is published under this digest/],
    [`/v1/policy/layers/${"A".repeat(64)}`, /64 lower-case hex digits of its digest, without sha256:/],
    [`/v1/policy/layers/sha256:${"0".repeat(64)}`, /without sha256:/],
    ["/v1/policy/layers/..%2F..%2Fmetachain", /64 lower-case hex digits/],
  ])("gets 404 with a reason for %s", async (path, detail) => {
    const response = await get(path);
    expect([response.status, await response.json()]).toEqual([
      404,
      expect.objectContaining({ detail: expect.stringMatching(detail) }),
    ]);
  });
});

test("a second PUT of a layer is refused, with and without a condition", async () => {
  const { endpoints, rootsBucket, accessKey } = JSON.parse(
    readFileSync(join(stack.dataDir, "deployment.json"), "utf8"),
  );
  const credentials = { accessKeyId: accessKey, secretAccessKey: "local" };
  const s3 = new S3Client({ region: "local", credentials, endpoint: endpoints.s3, forcePathStyle: true });
  const { current } = await currentOf(api);
  const put = { Bucket: rootsBucket, Key: `v1/policy/layers/${nameOf(current)}`, Body: "{}" };
  await expect(s3.send(new PutObjectCommand({ ...put, IfNoneMatch: "*" }))).rejects.toThrowError(
    expect.objectContaining({ name: "PreconditionFailed" }),
  );
  await expect(s3.send(new PutObjectCommand(put))).rejects.toThrowError(
    expect.objectContaining({ name: "AccessDenied" }),
  );
  s3.destroy();
});

test("another layer under a running deployment changes no old receipt, and the old one stays readable", async () => {
  const file = join(newFolder(), "de.json");
  writeFileSync(file, JSON.stringify(own));
  const dataDir = newFolder();
  const first = await startLocalStack({ dataDir, environment: EVERY_SECOND });
  const request = disclosure({ subject_hash: OWN_DIGEST });
  const before = await new ApiClient(first).attest(request);
  await first.stop();

  const second = await startLocalStack({ dataDir, environment: { ...EVERY_SECOND, POLICY_FILES: file } });
  const client = new ApiClient(second);
  const after = await client.attest(request);
  const receipts = [before, after].map(({ receipts: [receipt] }) => receipt);
  expect(receipts.map((receipt) => receipt?.verdict)).toEqual(["MODIFY", "ALLOW"]);

  const { current, layers } = await currentOf(client);
  expect(layers.map(({ digest }) => digest)).toEqual(receipts.map((receipt) => receipt?.policy.digest));
  expect(current).toBe(layers[1]?.digest);
  for (const { event_id } of [before, after]) {
    const report = await client.signedReport(event_id);
    const { checks } = await client.verifyPublished(report, request);
    expect(checks.filter(({ name }) => name === "policy")).toMatchObject([{ ok: true }]);
  }
});

test.each([
  ["is not there", null, /nowhere\.json is no JSON file: it can't be read$/],
  ["is no JSON", "{", /policy\.json is no JSON file: /],
  [
    "contradicts itself",
    JSON.stringify({ ...own, status: "ready" }),
    /policy\.json is no wording policy layer: status: /,
  ],
])("a policy file that %s stops the start with one line that names it", async (_how, text, message) => {
  const file = join(newFolder(), text === null ? "nowhere.json" : "policy.json");
  if (text !== null) writeFileSync(file, text);
  const { code, stderr } = await runToEnd({ environment: { POLICY_FILES: file } });
  expect(code).toBe(1);
  expect(stderr.trim().split("\n")).toEqual([expect.stringMatching(message)]);
});
