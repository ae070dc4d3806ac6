// Whom the stand-ins for AWS and for the timestamp authority answer: neither a page of another site, whatever name leads it
// here (DNS rebinding), nor a program without the stack's access key.
import { statSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { DescribeTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { GetPublicKeyCommand, KMSClient } from "@aws-sdk/client-kms";
import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LocalDeployment } from "../../../contract/deployment.ts";
import { BUCKET } from "../../../host/local/stand-ins.ts";
import { startTimestampAuthority } from "../../../host/local/timestamp-authority.ts";
import { newFolder, startLocalStack } from "../../support/local-stack.ts";
import { readJson } from "../../tools/cli/command-line.ts";

let deployment: LocalDeployment;
let authority: string;
beforeAll(async () => {
  const { dataDir } = await startLocalStack();
  deployment = readJson(join(dataDir, "deployment.json"));
  const { url, close } = await startTimestampAuthority({ directory: join(newFolder(), "authority") });
  authority = url;
  afterAll(close);
});

const PARTS = ["dynamoDb", "s3", "kms"] as const;
type Part = (typeof PARTS)[number];

/** A call that each part answers to its own clients. */
const CALLS: Readonly<Record<Part, (accessKeyId: string) => Promise<unknown>>> = {
  dynamoDb: (accessKeyId) =>
    new DynamoDBClient(connectionTo("dynamoDb", accessKeyId)).send(
      new DescribeTableCommand({ TableName: deployment.tableName }),
    ),
  s3: (accessKeyId) =>
    new S3Client({ ...connectionTo("s3", accessKeyId), forcePathStyle: true }).send(
      new GetObjectCommand({ Bucket: BUCKET, Key: "v1/metachain/roots/none" }),
    ),
  kms: (accessKeyId) =>
    new KMSClient(connectionTo("kms", accessKeyId)).send(new GetPublicKeyCommand({ KeyId: "none" })),
};

const connectionTo = (part: Part, accessKeyId: string) => ({
  endpoint: deployment.endpoints[part],
  region: "local",
  credentials: { accessKeyId, secretAccessKey: "local" },
  maxAttempts: 1,
});

const statusOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    ({ $metadata }) => $metadata.httpStatusCode,
  );

/** A request with exactly these headers, as no browser would let a page send it. */
function send(url: string, headers: Record<string, string>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const sent = request(url, { method: "POST", headers }, (answer) => {
    answer.resume();
    resolve(answer.statusCode ?? 0);
  });
  sent.on("error", reject).end("{}");
  return promise;
}

test.each(PARTS)("%s answers the clients of its own stack, and no other", async (part) => {
  const { [part]: call } = CALLS;
  // The object and the key are not there, which only an answer can say.
  const answered = { dynamoDb: 200, s3: 404, kms: 400 }[part];
  expect(await statusOf(call(deployment.accessKey))).toBe(answered);
  for (const wrong of ["local", `${deployment.accessKey}0`, deployment.accessKey.slice(1)])
    expect([wrong, await statusOf(call(wrong))]).toEqual([wrong, 403]);
  expect(await send(deployment.endpoints[part], {})).toBe(403);
});

test.each([...PARTS, "timestamps"] as const)("%s answer no page of another site", async (part) => {
  const url = part === "timestamps" ? authority : deployment.endpoints[part];
  const { host } = new URL(url);
  const authorization = `AWS4-HMAC-SHA256 Credential=${deployment.accessKey}/20261126/local/x/aws4_request`;
  const content = { "content-type": "application/timestamp-query" };
  const ask = (headers: Record<string, string>) => send(url, { authorization, ...content, host, ...headers });
  const [, port = ""] = host.split(":");
  expect(await ask({ host: "evil.example" })).toBe(421);
  expect(await ask({ host: `evil.example:${port}` })).toBe(421);
  expect(await ask({ origin: "http://evil.example" })).toBe(403);
  expect(await ask({ "sec-fetch-site": "cross-site" })).toBe(403);
  expect(await ask({ host: `localhost:${port}` })).not.toBeOneOf([403, 421]);
});

test("the access key is another one in each data folder, and only its owner reads it", async () => {
  const { dataDir } = await startLocalStack();
  const other = readJson<LocalDeployment>(join(dataDir, "deployment.json"));
  expect(other.accessKey).toMatch(/^[0-9a-f]{32}$/);
  expect(other.accessKey).not.toBe(deployment.accessKey);
  if (process.platform === "win32") return;
  for (const name of ["access-key", "deployment.json"])
    expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);
});
