// What only the local stack has: the call that it proposes to its user, and roots on a disk of this machine.
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { beforeAll, expect, test } from "vitest";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import { parseNoteKey } from "../../evidence/core/log/note.ts";
import { openCheckpoint } from "../../evidence/core/log/open-checkpoint.ts";
import { policyOfLog } from "../../evidence/core/log/tlog-policy.ts";
import { parseNode } from "../../evidence/core/merkle/hash.ts";
import { startObjectStore } from "../../host/local/object-store.ts";
import { APPROVED_DIGEST, ApiClient, disclosure } from "../support/api-client.ts";
import { type LocalStack, newFolder, startLocalStack } from "../support/local-stack.ts";
import { leafHash } from "../support/rfc9162.ts";

const environment = { SEAL_INTERVAL_SECONDS: "1" };
const BUCKET = "disclosure-receipts-roots";

const dataDir = newFolder();
let stack: LocalStack;
let api: ApiClient;

beforeAll(start);

async function start(): Promise<void> {
  stack = await startLocalStack({ dataDir, environment });
  api = new ApiClient(stack);
}

async function attestAndSeal(): Promise<void> {
  const { event_id } = await api.attest(disclosure());
  await api.includedReport(event_id);
}

/** The published bytes of every root, as they are now. */
async function rootTexts(): Promise<string[]> {
  const { size } = await api.metachain();
  const texts = Array.from({ length: size }, async (_, index) =>
    (await api.call("GET", `/v1/metachain/roots/${index}`, { key: null })).text(),
  );
  return Promise.all(texts);
}

test("proposes a curl call that, sent as it stands, gets a receipt with ALLOW", async () => {
  const [, url = ""] = /^curl -sS (\S+)/.exec(stack.curl) ?? [];
  const headers = [...stack.curl.matchAll(/ -H '([^:']+): ([^']+)'/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  const [, body = ""] = / -d '([^']+)' \| tee receipt\.json$/.exec(stack.curl) ?? [];
  const response = await fetch(url, { method: "POST", headers: Object.fromEntries(headers), body });
  const { receipts } = (await response.json()) as ComplianceReceipt;
  expect([response.status, receipts[0]?.verdict]).toEqual([200, "ALLOW"]);
  expect(receipts[0]?.disclosure.subject_hash).toBe(APPROVED_DIGEST);
});

test("publishes the entries and tiles of its log behind the seals", async () => {
  await attestAndSeal();
  const { latest } = await api.metachain();
  const size = latest?.tree_size ?? 0;
  expect(size).toBeLessThan(256);
  const read = async (path: string) => {
    // Files of a log come after their seal.
    for (;;) {
      const response = await fetch(`${stack.url}/v1/metachain/tile/${path}.p/${size}`);
      if (response.ok) return Buffer.from(await response.arrayBuffer());
      await delay(50);
    }
  };
  const entries = await read("entries/000");
  const hashes = await read("0/000");
  const hashed = Array.from({ length: size }, (_, i) => leafHash(entries.subarray(i * 66 + 2, (i + 1) * 66)));
  expect(Buffer.concat(hashed).equals(hashes)).toBe(true);
});

test("signs its log: the checkpoint of the newest seal opens under the key that the head names", async () => {
  await attestAndSeal();
  const { latest } = await api.metachain();
  // Checkpoints come after their seal, too.
  let response = new Response(null, { status: 404 });
  for (; !response.ok; await delay(50)) {
    response = await fetch(`${stack.url}/v1/metachain/checkpoints/${latest?.index}`);
  }
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "public, max-age=31536000, immutable",
  });
  const newest = await fetch(`${stack.url}/v1/metachain/checkpoint`);
  expect([newest.status, newest.headers.get("cache-control")]).toEqual([200, "public, max-age=5"]);
  const { log } = await api.metachain();
  const { checkpoint } = await openCheckpoint(
    await response.text(),
    policyOfLog(parseNoteKey(log?.vkey ?? "")),
  );
  expect(checkpoint).toEqual({
    origin: "localhost/v1/metachain",
    size: latest?.tree_size,
    root: parseNode(latest?.merkle_root ?? ""),
  });
  expect(log?.origin).toBe(checkpoint.origin);
});

test("keeps every root to the byte over a restart", async () => {
  await attestAndSeal();
  const before = await rootTexts();
  await stack.stop();
  await start();
  await attestAndSeal();
  const after = await rootTexts();
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.length).toBeGreaterThan(before.length);
  expect(await api.faultsOfSeals()).toEqual([]);
});

test("has a store that refuses to overwrite or delete a root, whoever asks it", async () => {
  const [text] = await rootTexts();
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
    expect(await Body?.transformToString()).toBe(text);
  } finally {
    s3.destroy();
    await store.close();
  }
});
