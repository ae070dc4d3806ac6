// The published roots as they lie in the deployed bucket.
import { HeadObjectCommand, ListObjectVersionsCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { rootPath } from "../../contract/metachain-paths.ts";
import { disclosure } from "../support/api-client.ts";
import { emulatedClients } from "../support/deployment.ts";
import { runSchedules } from "../support/emulator-api.ts";
import { newDeployedTenant, theDeployment } from "../support/target.ts";

const stack = theDeployment();
const { s3 } = emulatedClients(stack.endpoint);
const { api } = await newDeployedTenant(stack);
const Bucket = stack.rootsBucket;

async function attestAndSeal(): Promise<number> {
  const { event_id } = await api.attest(disclosure());
  const { cross_tenant_proof } = (await api.includedReport(event_id)).merkle_proof;
  return cross_tenant_proof?.seal_index ?? -1;
}

const headOf = (Key: string) => s3.send(new HeadObjectCommand({ Bucket, Key }));

test("a root is one object, under the path by which it is served, for any cache to keep for a year", async () => {
  const key = rootPath(await attestAndSeal());
  expect(await headOf(key)).toMatchObject({
    ContentType: "application/json",
    CacheControl: "public, max-age=31536000, immutable",
  });
  expect(await headOf("v1/metachain")).toMatchObject({
    ContentType: "application/json",
    CacheControl: "public, max-age=5",
  });
});

test("a root is timestamped by both authorities that the operator named", async () => {
  const { tsa_timestamp, additional_timestamps } = await api.seal(await attestAndSeal());
  const urls = [tsa_timestamp, ...additional_timestamps].map(({ tsa_url }) => tsa_url);
  expect(new Set(urls).size).toBe(2);
  expect(await api.faultsOfSeals()).toEqual([]);
});

test("no root is ever written twice, however often and however many sealers run", async () => {
  const key = rootPath(await attestAndSeal());
  const { ETag, VersionId } = await headOf(key);
  await api.attest(disclosure());
  await Promise.all([1, 2, 3].map(() => runSchedules(stack.endpoint, stack.name)));
  await attestAndSeal();
  expect(await headOf(key)).toMatchObject({ ETag, VersionId });
  const { Versions = [] } = await s3.send(
    new ListObjectVersionsCommand({ Bucket, Prefix: "v1/metachain/roots/" }),
  );
  expect(Versions.length).toBe((await api.metachain()).size);
  expect(new Set(Versions.map(({ Key }) => Key)).size).toBe(Versions.length);
});

test("a write that carries the service's condition can't replace a root", async () => {
  const root = { Bucket, Key: rootPath(await attestAndSeal()) };
  const { ETag } = await headOf(root.Key);
  const write = new PutObjectCommand({ ...root, Body: "{}", IfNoneMatch: "*" });
  await expect(s3.send(write)).rejects.toMatchObject({ $metadata: { httpStatusCode: 412 } });
  expect(await headOf(root.Key)).toMatchObject({ ETag });
});
