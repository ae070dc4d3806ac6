// What the operator is told of sealing: nothing waits, or how much, since when, and what is wrong.
import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { TimestampVerifier } from "../../../evidence/core/timestamps/timestamp-verifier.ts";
import { parseCertificatesPem } from "../../../evidence/core/timestamps/x509/pem.ts";
import { type LedgerStatus, readLedgerStatus } from "../../../service/audit/ledger-status.ts";
import { TenantRegistry } from "../../../service/tenants/tenant-registry.ts";
import { type Interceptor, outage } from "../../support/faults.ts";
import { CORE } from "../../support/leaf-items.ts";
import { HOUR, type Ledger, MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { deleteItem, keysUnder, readItem, writeItem } from "../../support/tamper.ts";
import { requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const PEM = new URL("../../vectors/evidence/authorities/service.pem", import.meta.url);
const ANCHORS = parseCertificatesPem(readFileSync(PEM, "utf8"));

async function statusOf(ledger: Ledger, anchors: Uint8Array[] = []): Promise<LedgerStatus> {
  const { table, roots, macs } = ledger.newProcess();
  const chains = await new TenantRegistry(table, ledger.clock).allChains();
  const chainIds = chains.map(({ chainId }) => chainId);
  const verifier = new TimestampVerifier(anchors);
  let seen = 0;
  const status = await readLedgerStatus(
    { table, roots, macs, verifier, clock: ledger.clock, witnessPolicy: null },
    chainIds,
    () => seen++,
  );
  expect(seen).toBe(chainIds.length);
  return status;
}

async function newWorld() {
  const ledger = await stack.newLedger();
  const [caller, other] = [await ledger.newTenant("tenant", 20), await ledger.newTenant("other")];
  return { ledger, caller, other, process: ledger.newProcess() };
}

/** A step that never works, as when S3 or every authority is down. */
const without =
  (...names: readonly string[]): Interceptor =>
  (call, send) =>
    names.includes(call.name) ? Promise.reject(outage()) : send();

test("before the first receipt nothing waits and nothing is wrong", async () => {
  const { ledger } = await newWorld();
  expect(await statusOf(ledger)).toEqual({
    seal: null,
    unpublished: 0,
    lacking: { tokenless: 0, incomplete: 0 },
    backlog: { chains: 0, receipts: 0, oldest: null, damaged: [] },
    setAside: [],
    unclaimed: null,
    tokens: [],
    log: null,
  });
});

test("what waits to be sealed is counted by chains and receipts, since the oldest of them", async () => {
  const { ledger, caller, other, process } = await newWorld();
  await process.attest(other, requestOf("first"));
  await process.seal();
  ledger.now += MINUTE;
  const since = ledger.clock().toISOString();
  for (let i = 0; i < 3; i++) {
    await process.attest(other, requestOf("second"));
    await process.attest(caller, requestOf("second"));
    ledger.now += MINUTE;
  }
  expect((await statusOf(ledger)).backlog).toEqual({ chains: 2, receipts: 6, oldest: since, damaged: [] });
  const { published } = await process.seal();
  const { backlog, seal } = await statusOf(ledger);
  expect(backlog).toMatchObject({ chains: 0, receipts: 0, oldest: null });
  expect(seal).toEqual({
    index: 1,
    sealedAt: published[0]?.sealed_at,
    treeSize: 3,
    isPublished: true,
  });
});

test("a seal that is not public yet shows as such", async () => {
  const { ledger, caller } = await newWorld();
  const broken = ledger.newProcess(without("PutObject"));
  await broken.attest(caller, requestOf("call"));
  await ledger.newProcess().roots.publishHead(null);
  await expect(broken.seal()).rejects.toThrow();
  expect(await statusOf(ledger)).toMatchObject({ seal: { index: 0, isPublished: false }, unpublished: 1 });
  await ledger.newProcess().seal();
  expect(await statusOf(ledger)).toMatchObject({ seal: { index: 0, isPublished: true }, unpublished: 0 });
});

test("roots that lack their tokens are counted until they have them", async () => {
  const { ledger, caller } = await newWorld();
  const alone = ledger.newProcess(without("Stamp"));
  await alone.attest(caller, requestOf("call"));
  await alone.seal();
  ledger.now += HOUR;
  await alone.seal();
  expect(await statusOf(ledger)).toMatchObject({
    lacking: { tokenless: 1, incomplete: 0 },
    tokens: [{ holds: null, detail: "no token yet" }],
  });
  await ledger.newProcess().seal();
  const { lacking, tokens } = await statusOf(ledger);
  expect(lacking).toEqual({ tokenless: 0, incomplete: 0 });
  expect(tokens.filter(({ url }) => url !== null).length).toBeGreaterThan(0);
});

test("a token is not believed, and not called bad, where no certificate of its authority is known", async () => {
  const { ledger, caller, process } = await newWorld();
  await process.attest(caller, requestOf("call"));
  await process.seal();
  const { tokens } = await statusOf(ledger);
  expect(tokens.length).toBeGreaterThan(0);
  for (const { holds } of tokens) expect(holds).toBeNull();
  // The tokens of these tests are none; local stacks have real ones, see test/tools/cli/admin.test.ts.
  for (const { holds } of (await statusOf(ledger, ANCHORS)).tokens) expect(holds).toBe(false);
});

test("a chain that can't be read is named, and the others are looked at all the same", async () => {
  const { ledger, caller, other, process } = await newWorld();
  await process.attest(other, requestOf("call"));
  await process.seal();
  for (const who of [caller, other]) await process.attest(who, requestOf("call"));
  const chainId = other.chainIds[0] ?? "";
  const [, newest = ["", ""]] = await keysUnder(ledger, `chain#${chainId}`);
  const whole = await readItem(ledger, newest);
  await writeItem(ledger, { ...whole, [CORE]: { S: "{}" } });
  const damaged = [{ chainId, detail: "an item of the table is damaged" }];
  expect((await statusOf(ledger)).backlog).toMatchObject({ chains: 1, receipts: 1, damaged });
  for (const key of await keysUnder(ledger, `chain#${chainId}`)) await deleteItem(ledger, key);
  const gone = [{ chainId, detail: "receipts that were sealed are missing" }];
  expect((await statusOf(ledger)).backlog).toMatchObject({ chains: 1, damaged: gone });
});
