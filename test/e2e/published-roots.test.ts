// The published roots: each is written once, follows the one before, and is timestamped by the authority whose
// certificate is served beside it.
import { join } from "node:path";
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { beforeAll, expect, it } from "vitest";
import { parseBase64 } from "../../core/bytes.ts";
import type { ComplianceReceipt } from "../../core/compliance-receipt.ts";
import { parseNode } from "../../core/hash.ts";
import { verifyTimestampToken } from "../../core/timestamp-token.ts";
import { startObjectStore } from "../../local/object-store.ts";
import { ApiClient, disclosure, readProblem } from "../support/api-client.ts";
import { type LocalStack, newFolder, startLocalStack } from "../support/local-stack.ts";

const SEALS = 3;
const environment = { SEAL_INTERVAL_SECONDS: "1" };
const BUCKET = "disclosure-receipts-roots";

const dataDir = newFolder();
let stack: LocalStack;
let api: ApiClient;
let texts: string[];

beforeAll(async () => {
  stack = await startLocalStack({ dataDir, environment });
  api = new ApiClient(stack);
  for (let i = 0; i < SEALS; i++) await attestAndSeal();
  texts = await rootTexts();
});

async function attestAndSeal(): Promise<ComplianceReceipt> {
  const { event_id } = await api.attest(disclosure());
  return api.includedReport(event_id);
}

/** The published bytes of every root, as they are now. */
async function rootTexts(): Promise<string[]> {
  const { size } = await api.metachain();
  const texts = Array.from({ length: size }, async (_, index) =>
    (await api.call("GET", `/v1/metachain/roots/${index}`, { key: null })).text(),
  );
  return Promise.all(texts);
}

it("names the number of roots, the latest of them and where each is", async () => {
  const { size, latest, roots } = await api.metachain();
  expect(size).toBe(SEALS);
  expect(latest).toEqual(JSON.parse(texts.at(-1) ?? ""));
  expect(roots).toBe("/v1/metachain/roots/{index}");
});

it("numbers the seals from 0, and each names the root and the size of the one before", async () => {
  const seals = await api.seals();
  expect(seals.map(({ index }) => index)).toEqual([0, 1, 2]);
  expect(seals.map(({ previous_root }) => previous_root)).toEqual([
    null,
    ...seals.slice(0, -1).map(({ merkle_root }) => merkle_root),
  ]);
  expect(seals.map(({ previous_tree_size }) => previous_tree_size)).toEqual([0, 1, 2]);
  expect(seals.map(({ receipt_count }) => receipt_count)).toEqual([1, 1, 1]);
});

it("proves that each tree extends the one before", async () => {
  expect(await api.faultsOfSeals()).toEqual([]);
});

it("serves the certificate that the tokens of roots and receipts verify with", async () => {
  const trustAnchors = await api.trustAnchors();
  const report = await attestAndSeal();
  const stamped = [...(await api.seals()), { ...report, merkle_root: report.merkle_proof.merkle_root }];
  for (const { tsa_timestamp, merkle_root } of stamped) {
    const token = parseBase64(tsa_timestamp.timestamp_token ?? "");
    const { genTime } = await verifyTimestampToken(token, parseNode(merkle_root), trustAnchors);
    expect(Math.abs(Date.parse(genTime) - Date.now())).toBeLessThan(60_000);
  }
});

it("lets anybody read and keep a root, from any web page, and the head only for seconds", async () => {
  const root = await api.call("GET", "/v1/metachain/roots/0", { key: null });
  expect(Object.fromEntries(root.headers)).toMatchObject({
    "cache-control": "public, max-age=31536000, immutable",
    "access-control-allow-origin": "*",
  });
  const head = await api.call("GET", "/v1/metachain", { key: null });
  expect(head.headers.get("cache-control")).toBe("public, max-age=5");
});

it.each(["99", "-1", "01", "1.0", "latest", "9007199254740993"])("has no root %s", async (index) => {
  const problem = await readProblem(await api.call("GET", `/v1/metachain/roots/${index}`, { key: null }));
  expect(problem).toMatchObject({ status: 404, type: "/v1/problems#not-found" });
});

it.each(["PUT", "DELETE", "POST", "PATCH"])("offers no %s of a root", async (method) => {
  const response = await api.call(method, "/v1/metachain/roots/0", { key: null });
  expect(response.headers.get("allow")).toBe("GET");
  expect(await readProblem(response)).toMatchObject({ status: 405, type: "/v1/problems#method-not-allowed" });
  expect((await rootTexts())[0]).toBe(texts[0]);
});

it("keeps every root to the byte while more are published and over a restart", async () => {
  await attestAndSeal();
  expect((await rootTexts()).slice(0, SEALS)).toEqual(texts);
  const before = await rootTexts();
  await stack.stop();
  stack = await startLocalStack({ dataDir, environment });
  api = new ApiClient(stack);
  await attestAndSeal();
  const after = await rootTexts();
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.length).toBeGreaterThan(before.length);
  expect(await api.faultsOfSeals()).toEqual([]);
});

it("has a store that refuses to overwrite or delete a root, whoever asks it", async () => {
  await stack.stop();
  const store = await startObjectStore({ file: join(dataDir, "roots.sqlite") });
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const s3 = new S3Client({ endpoint: store.endpoint, region: "local", credentials, forcePathStyle: true });
  const root = { Bucket: BUCKET, Key: "v1/metachain/roots/0" };
  const denied = { name: "AccessDenied", $metadata: { httpStatusCode: 403 } };
  try {
    await expect(s3.send(new PutObjectCommand({ ...root, Body: "{}" }))).rejects.toMatchObject(denied);
    await expect(s3.send(new DeleteObjectCommand(root))).rejects.toMatchObject(denied);
    const { Body } = await s3.send(new GetObjectCommand(root));
    expect(await Body?.transformToString()).toBe(texts[0]);
  } finally {
    s3.destroy();
    await store.close();
  }
});
