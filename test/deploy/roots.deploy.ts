// The published roots as they lie in the deployed bucket.
import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { CHECKPOINT_PATH, checkpointPath, rootPath } from "../../contract/metachain-paths.ts";
import { parseNoteKey } from "../../evidence/core/log/note.ts";
import { openCheckpoint } from "../../evidence/core/log/open-checkpoint.ts";
import { parsePolicy } from "../../evidence/core/log/tlog-policy.ts";
import { parseNode } from "../../evidence/core/merkle/hash.ts";
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

test("a seal has a checkpoint by the log's key in KMS, which the operator's witness has cosigned", async () => {
  const index = await attestAndSeal();
  // A run that goes on has ended when the next one has.
  await runSchedules(stack.endpoint, stack.name);
  const [{ log }, { tree_size: size, merkle_root: root }] = await Promise.all([
    api.metachain(),
    api.seal(index),
  ]);
  const key = parseNoteKey(log?.vkey ?? "");
  expect(log?.origin).toMatch(/^\w+\.execute-api\..*\/v1\/metachain$/);
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: checkpointPath(index) }));
  const note = (await Body?.transformToString()) ?? "";
  const policy = { ...parsePolicy(stack.witnessPolicy), logs: [{ key, url: null }] };
  expect(await openCheckpoint(note, policy)).toMatchObject({
    checkpoint: { origin: log?.origin, size, root: parseNode(root) },
    hasQuorum: true,
  });
  expect(await headOf(CHECKPOINT_PATH)).toMatchObject({
    ContentType: "text/plain; charset=utf-8",
    CacheControl: "public, max-age=5",
  });
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
