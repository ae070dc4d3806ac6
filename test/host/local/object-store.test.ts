import { join } from "node:path";
import { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
} from "@aws-sdk/client-s3";
import { expect, onTestFinished, test, vi } from "vitest";
import { startObjectStore } from "../../../host/local/object-store.ts";
import { testFolder } from "./folder.ts";

const NAME = { Bucket: "published", Key: "v1/metachain/roots/0 ü" };
const HOUR_MS = 3_600_000;

async function start(file = join(testFolder(), "objects.sqlite")) {
  const store = await startObjectStore({ file });
  onTestFinished(store.close);
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const s3 = new S3Client({ endpoint: store.endpoint, region: "local", credentials, forcePathStyle: true });
  onTestFinished(() => s3.destroy());
  const put = (body: string, more: Partial<PutObjectCommandInput> = {}) =>
    s3.send(new PutObjectCommand({ ...NAME, Body: body, ...more }));
  const get = async () => (await s3.send(new GetObjectCommand(NAME))).Body?.transformToString();
  return { ...store, file, s3, put, get };
}

const failure = (name: string, status: number) => ({ name, $metadata: { httpStatusCode: status } });
const retention = (until: number) => ({
  ObjectLockMode: "COMPLIANCE" as const,
  ObjectLockRetainUntilDate: new Date(until),
});

test("an object comes back with its bytes, its headers and the MD5 of S3 as ETag", async () => {
  const { s3, put, get } = await start();
  const until = Date.now() + HOUR_MS;
  const headers = { ContentType: "application/json", CacheControl: "public, max-age=60" };
  expect(await put("hello", { ...headers, ...retention(until) })).toMatchObject({
    ETag: '"5d41402abc4b2a76b9719d911017c592"',
  });
  expect(await get()).toBe("hello");
  const expected = {
    ...headers,
    ...retention(until),
    ETag: '"5d41402abc4b2a76b9719d911017c592"',
    ContentLength: 5,
  };
  expect(await s3.send(new GetObjectCommand(NAME))).toMatchObject(expected);
  expect(await s3.send(new HeadObjectCommand(NAME))).toMatchObject(expected);
});

test("bytes of every value survive, and so does an empty object", async () => {
  const { s3 } = await start();
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  for (const body of [bytes, new Uint8Array(0)]) {
    await s3.send(new PutObjectCommand({ ...NAME, Body: body }));
    const { Body } = await s3.send(new GetObjectCommand(NAME));
    expect(await Body?.transformToByteArray()).toEqual(body);
  }
});

test("If-None-Match: * puts what is absent and answers 412 for what is present, even the same bytes", async () => {
  const { put, get } = await start();
  await put("first", { IfNoneMatch: "*" });
  await expect(put("first", { IfNoneMatch: "*" })).rejects.toMatchObject(failure("PreconditionFailed", 412));
  await expect(put("second", { IfNoneMatch: "*" })).rejects.toMatchObject(failure("PreconditionFailed", 412));
  expect(await get()).toBe("first");
});

test("of many writers of one key with If-None-Match exactly one wins, and its bytes stay", async () => {
  const { put, get } = await start();
  const bodies = Array.from({ length: 16 }, (_, i) => `writer ${i}`);
  const outcomes = await Promise.allSettled(bodies.map((body) => put(body, { IfNoneMatch: "*" })));
  const winners = bodies.filter((_, i) => outcomes[i]?.status === "fulfilled");
  expect(winners).toEqual([await get()]);
});

test("If-Match replaces that version only, and needs one to be there", async () => {
  const { put, get } = await start();
  await expect(put("x", { IfMatch: '"5d41402abc4b2a76b9719d911017c592"' })).rejects.toMatchObject(
    failure("NoSuchKey", 404),
  );
  const { ETag } = await put("one");
  await put("two", { IfMatch: ETag });
  await expect(put("three", { IfMatch: ETag })).rejects.toMatchObject(failure("PreconditionFailed", 412));
  expect(await get()).toBe("two");
});

test("an absent object is a 404", async () => {
  const { s3, get } = await start();
  await expect(get()).rejects.toMatchObject(failure("NoSuchKey", 404));
  await expect(s3.send(new HeadObjectCommand(NAME))).rejects.toMatchObject(failure("NotFound", 404));
});

test("a delete removes the object, and one of nothing succeeds", async () => {
  const { s3, put, get } = await start();
  await put("x");
  for (let i = 0; i < 2; i++) {
    const answer = await s3.send(new DeleteObjectCommand(NAME));
    expect(answer.$metadata.httpStatusCode).toBe(204);
  }
  await expect(get()).rejects.toMatchObject(failure("NoSuchKey", 404));
});

test("an object under retention is neither overwritten nor deleted until its date", async () => {
  const { s3, put, get } = await start();
  const until = Date.now() + HOUR_MS;
  const { ETag } = await put("kept", retention(until));
  const denied = failure("AccessDenied", 403);
  await expect(put("other")).rejects.toMatchObject(denied);
  await expect(put("other", { IfMatch: ETag })).rejects.toMatchObject(denied);
  await expect(put("kept", { IfNoneMatch: "*" })).rejects.toMatchObject(failure("PreconditionFailed", 412));
  await expect(s3.send(new DeleteObjectCommand(NAME))).rejects.toMatchObject(denied);
  expect(await get()).toBe("kept");

  vi.spyOn(Date, "now").mockReturnValue(until + 1);
  onTestFinished(() => void vi.restoreAllMocks());
  await s3.send(new DeleteObjectCommand(NAME));
  await expect(get()).rejects.toMatchObject(failure("NoSuchKey", 404));
});

test("retention that protects nothing is refused", async () => {
  const { put } = await start();
  const refused = failure("InvalidArgument", 400);
  await expect(put("x", retention(Date.now() - 1))).rejects.toMatchObject(refused);
  await expect(put("x", { ObjectLockMode: "COMPLIANCE" })).rejects.toMatchObject(refused);
  await expect(put("x", { ObjectLockRetainUntilDate: new Date(Date.now() + HOUR_MS) })).rejects.toMatchObject(
    refused,
  );
});

test("objects and their retention survive a restart", async () => {
  const first = await start();
  await first.put("kept", { ...retention(Date.now() + HOUR_MS), ContentType: "application/json" });
  await first.close();
  const second = await start(first.file);
  expect(await second.get()).toBe("kept");
  await expect(second.put("other")).rejects.toMatchObject(failure("AccessDenied", 403));
});

test("a body that does not match its CRC-32 is refused and not stored", async () => {
  const { put, get } = await start();
  await expect(put("hello", { ChecksumCRC32: "AAAAAA==" })).rejects.toMatchObject(failure("BadDigest", 400));
  await expect(get()).rejects.toMatchObject(failure("NoSuchKey", 404));
});

test("a body of 1 MiB is stored and one byte more is refused", async () => {
  const { s3, put } = await start();
  const limit = 1_048_576;
  await put("x".repeat(limit));
  expect(await s3.send(new HeadObjectCommand(NAME))).toMatchObject({ ContentLength: limit });
  await expect(put("x".repeat(limit + 1))).rejects.toMatchObject(failure("EntityTooLarge", 400));
});

test("what the stand-in does not honour is refused, never mistaken for a plain put", async () => {
  const { endpoint, s3, put, get } = await start();
  await put("hello");
  const url = `${endpoint}/${NAME.Bucket}/${encodeURIComponent(NAME.Key)}`;
  const attempts: [string, RequestInit][] = [
    [`${url}?retention`, { method: "PUT", body: "<Retention/>" }],
    [`${url}?versionId=1`, { method: "DELETE" }],
    [`${endpoint}/${NAME.Bucket}?list-type=2`, {}],
    [url, { method: "POST", body: "x" }],
    [url, { method: "PUT", body: "x", headers: { "if-none-match": '"etag"' } }],
    [url, { method: "PUT", body: "x", headers: { "x-amz-checksum-sha256": "AAAA" } }],
  ];
  for (const [where, what] of attempts) {
    const response = await fetch(where, what);
    expect([response.status, await response.text()]).toEqual([
      501,
      expect.stringContaining("NotImplemented"),
    ]);
  }
  const stream = new PutObjectCommand({ ...NAME, Body: Readable.from(["x"]), ContentLength: 1 });
  await expect(s3.send(stream)).rejects.toMatchObject(failure("NotImplemented", 501));
  expect(await get()).toBe("hello");
});
