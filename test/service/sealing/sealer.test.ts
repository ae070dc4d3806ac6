// The sealer: what a run publishes, when it publishes nothing, and what must wake somebody.
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, expect, test } from "vitest";
import { HEAD_PATH, rootPath } from "../../../contract/metachain-paths.ts";
import { metachainSchema, sealSchema } from "../../../evidence/core/formats/metachain.ts";
import { appendAll } from "../../support/append-all.ts";
import { faultAt } from "../../support/faults.ts";
import { type Ledger, MINUTE, SECOND, startLedgerStack } from "../../support/ledger-stack.ts";
import { requestOf } from "../../support/test-process.ts";
import { ascending } from "../../support/trees.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

async function newWorld() {
  const ledger = await stack.newLedger();
  return { ledger, caller: await ledger.newTenant("tenant") };
}

async function readJson({ clients, name }: Ledger, Key: string): Promise<unknown> {
  const { Body } = await clients.s3.send(new GetObjectCommand({ Bucket: name, Key }));
  return JSON.parse((await Body?.transformToString()) ?? "");
}

test("an empty ledger has a public head of size 0 and no seal", async () => {
  const { ledger } = await newWorld();
  for (let run = 0; run < 2; run++) {
    expect(await ledger.newProcess().seal()).toEqual({
      outcome: "nothing_new",
      chains: 0,
      isCutOff: false,
      published: [],
    });
  }
  const head = { size: 0, latest: null, roots: "/v1/metachain/roots/{index}" };
  expect(await readJson(ledger, HEAD_PATH)).toMatchObject(head);
  expect((await ledger.check()).seals).toEqual([]);
});

test("a run publishes the seal as an object that is locked and never changes, and as the head's latest", async () => {
  const { ledger, caller } = await newWorld();
  await ledger.newProcess().attest(caller, requestOf("call"));
  const { outcome, chains, published } = await ledger.newProcess().seal();
  expect([outcome, chains, published.length]).toEqual(["published", 1, 1]);
  const [seal] = published;
  expect(sealSchema.parse(seal)).toMatchObject({
    index: 0,
    receipt_count: 1,
    sealed_at: ledger.clock().toISOString(),
  });
  expect(await readJson(ledger, rootPath(0))).toEqual(seal);
  expect(metachainSchema.parse(await readJson(ledger, HEAD_PATH))).toMatchObject({ size: 1, latest: seal });

  const Bucket = ledger.name;
  const object = await ledger.clients.s3.send(new HeadObjectCommand({ Bucket, Key: rootPath(0) }));
  expect(object).toMatchObject({
    ObjectLockMode: "COMPLIANCE",
    ContentType: "application/json",
    CacheControl: expect.stringContaining("immutable"),
  });
  const overwrite = new PutObjectCommand({ Bucket, Key: rootPath(0), Body: "{}" });
  await expect(ledger.clients.s3.send(overwrite)).rejects.toMatchObject({ name: "AccessDenied" });
});

test("runs without news make no seal", async () => {
  const { ledger, caller } = await newWorld();
  await ledger.newProcess().attest(caller, requestOf("call"));
  await ledger.newProcess().seal();
  for (let run = 0; run < 5; run++) {
    const process = ledger.newProcess();
    expect(await process.seal()).toMatchObject({ outcome: "nothing_new", published: [] });
    // Its own progress is all that such a run writes, and no authority is asked.
    const names = process.calls.steps.map(({ name }) => name);
    expect(names.filter((name) => !/^(Query|Get|BatchGet)/.test(name))).toEqual(["PutItem"]);
    ledger.now += MINUTE;
  }
  expect((await ledger.check()).seals).toHaveLength(1);
});

test("more chains than fit one transaction are sealed in one seal", async () => {
  const { ledger } = await newWorld();
  const process = ledger.newProcess();
  const callers = await Promise.all(ascending(60, (i) => ledger.newTenant(`tenant-${i}`)));
  await Promise.all(callers.map((caller) => process.attest(caller, requestOf("call"))));
  const { chains, published } = await ledger.newProcess().seal();
  const [seal] = published;
  expect([chains, seal?.tree_size, seal?.receipt_count]).toEqual([60, 60, 60]);
  await ledger.check();
});

test("a seal whose bytes were fixed is published as it is, and no authority is asked again", async () => {
  const { ledger, caller } = await newWorld();
  await ledger.newProcess().attest(caller, requestOf("call"));
  const rootFails = faultAt({ name: "PutObject", nth: 2 }, "fails", {
    rival: async () => {},
    died: () => {},
  });
  await expect(ledger.newProcess(rootFails).seal()).rejects.toMatchObject({
    code: "publication_unavailable",
  });
  ledger.now += MINUTE;
  const process = ledger.newProcess();
  const { outcome, published } = await process.seal();
  expect([outcome, published]).toEqual(["published", [await readJson(ledger, rootPath(0))]]);
  expect(process.calls.steps.filter(({ name }) => name === "Stamp")).toEqual([]);
});

test("another root under the index of a seal is a conflict, and neither the head nor the reports follow it", async () => {
  const { ledger, caller } = await newWorld();
  const { event_id } = await ledger.newProcess().attest(caller, requestOf("call"));
  const died = Promise.withResolvers<void>();
  const dying = faultAt({ name: "PutObject", nth: 2 }, "is never made, for the process dies", {
    rival: async () => {},
    died: died.resolve,
  });
  void ledger.newProcess(dying).seal();
  await died.promise;
  const forged = new PutObjectCommand({ Bucket: ledger.name, Key: rootPath(0), Body: '{"index":0}' });
  await ledger.clients.s3.send(forged);
  for (let run = 0; run < 2; run++) {
    await expect(ledger.newProcess().seal()).rejects.toMatchObject({ code: "publication_conflict" });
    ledger.now += MINUTE;
  }
  expect(await readJson(ledger, HEAD_PATH)).toMatchObject({ size: 0 });
  const { merkle_proof } = await ledger.newProcess().report(caller, event_id);
  expect(merkle_proof.status).toBe("pending");
  await expect(ledger.check()).rejects.toThrow("published bytes of seal 0");
});

test("a slow run does not put an older head over a newer one", async () => {
  const { ledger, caller } = await newWorld();
  const attester = ledger.newProcess();
  await attester.attest(caller, requestOf("call"));
  await ledger.newProcess().seal();
  await attester.attest(caller, requestOf("call"));
  const newer = async () => {
    await ledger.newProcess().seal();
    ledger.now += MINUTE;
    await attester.attest(caller, requestOf("call"));
    await ledger.newProcess().seal();
  };
  for (const step of [
    { name: "GetObject", nth: 1 },
    { name: "PutObject", nth: 2 },
  ]) {
    const slow = ledger.newProcess(faultAt(step, "loses a race", { rival: newer, died: () => {} }));
    await slow.seal();
    const { seals } = await ledger.check();
    expect(await readJson(ledger, HEAD_PATH)).toMatchObject({ size: seals.length });
    await attester.attest(caller, requestOf("call"));
  }
});

test("what a chain has grown by while a run hung is not lost to the run that it overtakes", async () => {
  const { ledger, caller } = await newWorld();
  const attester = ledger.newProcess();
  await attester.attest(caller, requestOf("call"));
  const [hangs, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const hanging = ledger.newProcess(async (call, send) => {
    if (call.name === "TransactWriteItems" && call.nth === 1) {
      hangs.resolve();
      await goesOn.promise;
    }
    return send();
  });
  const hungRun = hanging.seal();
  await hangs.promise;
  ledger.now += MINUTE;
  await attester.attest(caller, requestOf("call"));
  ledger.now += 30 * MINUTE;
  // This run knows of both receipts, and loses the span to the one that knows of the first only.
  const overtaken = ledger.newProcess(async (call, send) => {
    if (call.name === "TransactWriteItems" && call.nth === 1) {
      goesOn.resolve();
      await hungRun;
    }
    return send();
  });
  await overtaken.seal();
  ledger.now += MINUTE;
  await ledger.newProcess().seal();
  expect((await ledger.check()).publishedReceipts).toBe(2);
});

test("a run whose write is throttled writes it again before it goes on", async () => {
  const { ledger, caller } = await newWorld();
  await ledger.newProcess().attest(caller, requestOf("call"));
  const step = { name: "TransactWriteItems", nth: 1 };
  const busy = ledger.newProcess(faultAt(step, "is throttled", { rival: async () => {}, died: () => {} }));
  expect((await busy.seal()).published).toMatchObject([{ index: 0, receipt_count: 1 }]);
});

test("of two runs that append different chains at once, neither overwrites the other's entry", async () => {
  const { ledger, caller } = await newWorld();
  const other = await ledger.newTenant("other");
  for (const tenant of [caller, other]) await ledger.newProcess().attest(tenant, requestOf("call"));
  const rival = async () => void (await appendAll(ledger.newProcess(), other.chainIds));
  const step = { name: "TransactWriteItems", nth: 1 };
  const slow = ledger.newProcess(faultAt(step, "loses a race", { rival, died: () => {} }));
  await appendAll(slow, caller.chainIds);
  await ledger.newProcess().seal();
  expect((await ledger.check()).publishedReceipts).toBe(2);
});

test("of two runs that finish one seal side by side, both publish the token that was fixed first", async () => {
  const { ledger, caller } = await newWorld();
  await ledger.newProcess().attest(caller, requestOf("call"));
  const rival = async () => void (await ledger.newProcess().seal());
  const slow = faultAt({ name: "UpdateItem", nth: 1 }, "loses a race", { rival, died: () => {} });
  const { published } = await ledger.newProcess(slow).seal();
  expect(published).toEqual([await readJson(ledger, rootPath(0))]);
  await ledger.check();
});

test("a sealer's clock that steps back does not make the seals do so", async () => {
  const { ledger, caller } = await newWorld();
  await ledger.newProcess().attest(caller, requestOf("call"));
  const first = await ledger.newProcess().seal();
  ledger.now -= 30 * SECOND;
  await ledger.newProcess().attest(caller, requestOf("call"));
  const second = await ledger.newProcess().seal();
  expect(second.published[0]?.sealed_at).toBe(first.published[0]?.sealed_at);
  await ledger.check();
});
