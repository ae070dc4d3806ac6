// Publishing: what a repeated, a conflicting and an overlapping publication come to.
import { PutObjectCommand, S3ServiceException } from "@aws-sdk/client-s3";
import { afterAll, expect, test } from "vitest";
import { HEAD_PATH, rootPath, timestampPath } from "../../../contract/metachain-paths.ts";
import type { Seal, TsaTimestamp } from "../../../evidence/core/formats/metachain.ts";
import type { Interceptor } from "../../support/faults.ts";
import { startLedgerStack } from "../../support/ledger-stack.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const seal = (index: number): Seal => ({
  index,
  merkle_root: `0x${"a".repeat(64)}`,
  tree_size: index + 1,
  previous_root: index === 0 ? null : `0x${"b".repeat(64)}`,
  previous_tree_size: index,
  consistency_path: [],
  receipt_count: 1,
  sealed_at: "2040-05-01T12:00:00.000Z",
  tsa_timestamp: { status: "pending", timestamp_token: null, tsa_url: null, covers: "merkle_root" },
  additional_timestamps: [],
});

/** S3 answers so while another write of the same object is under way. */
const underWay: Interceptor = async (call, send) => {
  if (call.name !== "PutObject" || call.nth > 1) return send();
  const fault = { $fault: "client", $metadata: {} } as const;
  throw new S3ServiceException({ ...fault, name: "ConditionalRequestConflict", message: "try again" });
};

test("a seal is published once: the same bytes are success, others a conflict, and the first stay", async () => {
  const ledger = await stack.newLedger();
  const { roots } = ledger.newProcess();
  expect(await roots.sealText(0)).toBeNull();
  await roots.publishSeal(0, "first", ledger.clock());
  await roots.publishSeal(0, "first", ledger.clock());
  const other = roots.publishSeal(0, "other", ledger.clock());
  await expect(other).rejects.toMatchObject({ code: "publication_conflict", evidence: { index: 0 } });
  expect(await roots.sealText(0)).toBe("first");
});

test("a write of the same root that is under way leaves the outcome open, not a conflict", async () => {
  const ledger = await stack.newLedger();
  const { roots } = ledger.newProcess(underWay);
  const publish = () => roots.publishSeal(0, "first", ledger.clock());
  await expect(publish()).rejects.toMatchObject({ code: "publication_unavailable" });
  await expect(publish()).resolves.toBeUndefined();
});

test("the head moves forward only, whoever moves it and however often", async () => {
  const ledger = await stack.newLedger();
  const { roots } = ledger.newProcess();
  expect(await roots.head()).toEqual({
    size: 0,
    latest: null,
    roots: "/v1/metachain/roots/{index}",
    log: null,
  });
  await roots.publishHead(null);
  await Promise.all([0, 2, 1].map((index) => ledger.newProcess(underWay).roots.publishHead(seal(index))));
  expect(await roots.head()).toMatchObject({ size: 3, latest: seal(2) });
  for (const older of [seal(1), null]) await roots.publishHead(older);
  expect((await roots.head()).size).toBe(3);
});

test("a first head that comes late is not put over the one of a seal", async () => {
  const ledger = await stack.newLedger();
  const { roots } = ledger.newProcess(async (call, send) => {
    if (call.name === "PutObject") await ledger.newProcess().roots.publishHead(seal(0));
    return send();
  });
  await roots.publishHead(null);
  expect((await roots.head()).size).toBe(1);
});

const log = {
  origin: "a.example/log",
  vkey: "a.example/log+0+AQ==",
  checkpoint: "/v1/metachain/checkpoint",
} as const;

test("the head names the log from its first checkpoint on, and no other is named in its place", async () => {
  const ledger = await stack.newLedger();
  const { roots } = ledger.newProcess();
  await roots.publishHead(seal(0));
  await Promise.all([ledger.newProcess(underWay).roots.nameLog(log), roots.publishHead(seal(1))]);
  await roots.nameLog(log);
  await roots.publishHead(seal(2));
  expect(await roots.head()).toMatchObject({ size: 3, latest: seal(2), log });
  for (const other of [
    { ...log, origin: "b.example/log" },
    { ...log, vkey: "other" },
  ]) {
    await expect(roots.nameLog(other)).rejects.toMatchObject({ code: "publication_conflict" });
  }
  expect((await roots.head()).log).toEqual(log);
});

test("a head that other runs keep moving is an error after a bounded number of tries", async () => {
  const ledger = await stack.newLedger();
  const { roots, calls } = ledger.newProcess(async (call, send) => {
    const answer = await send();
    const everyOther = { ETag: '"another"' };
    return call.name === "GetObject" ? { ...answer, ...everyOther } : answer;
  });
  await ledger.newProcess().roots.publishHead(null);
  await expect(roots.publishHead(seal(0))).rejects.toMatchObject({ code: "publication_unavailable" });
  expect(calls.steps.filter(({ name }) => name === "PutObject")).toHaveLength(5);
});

const token = (timestamp_token: string): TsaTimestamp => ({
  status: "included",
  timestamp_token,
  tsa_url: "https://tsa.test",
  covers: "merkle_root",
});

test("of the runs that publish a later token the first wins, and the others learn what stands there", async () => {
  const ledger = await stack.newLedger();
  const { roots } = ledger.newProcess();
  expect(await roots.timestampText(0, 0)).toBeNull();
  const publish = (text: string, n = 0) => roots.publishTimestamp(0, n, token(text), ledger.clock());
  for (const text of ["Zmlyc3Q=", "Zmlyc3Q=", "b3RoZXI="]) {
    expect(await publish(text)).toEqual(token("Zmlyc3Q="));
  }
  expect(await publish("b3RoZXI=", 1)).toEqual(token("b3RoZXI="));
  expect(await roots.timestampText(0, 0)).toBe(JSON.stringify(token("Zmlyc3Q=")));
});

test("a write of the same later token that is under way leaves the outcome open", async () => {
  const ledger = await stack.newLedger();
  const { roots } = ledger.newProcess(underWay);
  const publish = () => roots.publishTimestamp(0, 0, token("Zmlyc3Q="), ledger.clock());
  await expect(publish()).rejects.toMatchObject({ code: "publication_unavailable" });
  expect(await publish()).toEqual(token("Zmlyc3Q="));
});

test.each(["no JSON", '{"size":1,"size":2}', "{}"])(
  "an object that says %s is damage of ours",
  async (Body) => {
    const ledger = await stack.newLedger();
    const { roots } = ledger.newProcess();
    for (const Key of [HEAD_PATH, rootPath(0), timestampPath(0, 0)]) {
      await ledger.clients.s3.send(new PutObjectCommand({ Bucket: ledger.name, Key, Body }));
    }
    const reads = [
      () => roots.head(),
      () => roots.publishHead(seal(0)),
      () => roots.seal(0),
      () => roots.publishTimestamp(0, 0, token("Zmlyc3Q="), ledger.clock()),
    ];
    for (const read of reads) await expect(read()).rejects.toMatchObject({ code: "ledger_corrupt" });
  },
);
