// The seal that receipts commit to: the newest published one with a token, remembered, never older, never in the way.
import { createHash } from "node:crypto";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import type { ComplianceReceipt } from "../../../evidence/core/formats/compliance-receipt.ts";
import { PENDING_TIMESTAMP } from "../../../evidence/core/formats/metachain.ts";
import { type Interceptor, outage, undisturbed } from "../../support/faults.ts";
import { MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { PATIENCE_MS } from "../../support/patience.ts";
import { jcs } from "../../support/plain-json.ts";
import { requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);
afterEach(() => vi.useRealTimers());

async function newWorld(chains = 1) {
  const ledger = await stack.newLedger();
  const caller = await ledger.newTenant("tenant", chains);
  /** It waits for its lookups, so that what it names does not depend on how busy the machine is. */
  const newProcess = (intercept: Interceptor = undisturbed) =>
    ledger.newProcess(intercept, { lookupWaitMs: PATIENCE_MS });
  /** Attests and publishes a seal over it. */
  const sealOne = async (process = newProcess()) => {
    await process.attest(caller, requestOf("call"));
    ledger.now += MINUTE;
    await process.seal();
  };
  return { ledger, caller, newProcess, sealOne };
}

const namedBy = ({ receipts: [receipt] }: ComplianceReceipt) => receipt?.recorded_after;
const isLookup = (input: object): boolean => JSON.stringify(input).includes('"seals"');

test("a receipt names none before the first seal, and after it the bytes that are published", async () => {
  const { ledger, caller, newProcess, sealOne } = await newWorld();
  expect(namedBy(await newProcess().attest(caller, requestOf("call")))).toBeNull();
  await sealOne();
  const named = namedBy(await newProcess().attest(caller, requestOf("call")));
  const published = JSON.parse((await newProcess().roots.sealText(0)) ?? "");
  const seal_hash = `sha256:${createHash("sha256").update(jcs(published)).digest("hex")}`;
  expect(named).toEqual({ seal_index: 0, seal_hash });
  await ledger.check();
});

test("a process looks once in half a minute, for all of its chains, and finds a newer seal then", async () => {
  const { caller, newProcess, sealOne } = await newWorld(8);
  await sealOne();
  vi.useFakeTimers({ toFake: ["performance"] });
  let lookups = 0;
  const process = newProcess((call, send) => {
    if (call.name === "Query" && isLookup(call.input)) lookups++;
    return send();
  });
  for (let i = 0; i < 8; i++) await process.attest(caller, requestOf(`call-${i}`));
  expect(lookups).toBe(1);
  await sealOne();
  expect(namedBy(await process.attest(caller, requestOf("another")))).toMatchObject({ seal_index: 0 });
  vi.advanceTimersByTime(30_001);
  expect(namedBy(await process.attest(caller, requestOf("another")))).toMatchObject({ seal_index: 1 });
  expect(lookups).toBe(2);
});

test("a process that found no seal yet looks again after five seconds", async () => {
  const { caller, newProcess, sealOne } = await newWorld();
  vi.useFakeTimers({ toFake: ["performance"] });
  const process = newProcess();
  await process.attest(caller, requestOf("call"));
  await sealOne();
  expect(namedBy(await process.attest(caller, requestOf("call")))).toBeNull();
  vi.advanceTimersByTime(5_001);
  expect(namedBy(await process.attest(caller, requestOf("call")))).toMatchObject({ seal_index: 0 });
});

test("a chain never goes back: a process that knows an older seal takes the one of the receipt before", async () => {
  const { caller, newProcess, sealOne } = await newWorld();
  await sealOne();
  const old = newProcess();
  await old.attest(caller, requestOf("call"));
  await sealOne();
  const newer = namedBy(await newProcess().attest(caller, requestOf("call")));
  expect(newer).toMatchObject({ seal_index: 1 });
  vi.useFakeTimers({ toFake: ["performance"] });
  // Its memory of the chain's head is over after a second, that of the seal is not.
  vi.advanceTimersByTime(2_000);
  expect(namedBy(await old.attest(caller, requestOf("call")))).toEqual(newer);
});

test("a lookup that fails is reported, and costs no attestation: the seal of the receipt before is taken", async () => {
  const { caller, newProcess, sealOne } = await newWorld();
  await sealOne();
  await newProcess().attest(caller, requestOf("call"));
  const noLookup: Interceptor = async (call, send) => {
    if (call.name === "Query" && isLookup(call.input)) throw outage();
    return send();
  };
  const process = newProcess(noLookup);
  expect(namedBy(await process.attest(caller, requestOf("call")))).toMatchObject({ seal_index: 0 });
  expect(process.faults).toHaveLength(1);
  expect(process.counted).toEqual({ attestations: 1, lostRaces: 0, stampedSealFailures: 1 });
});

test("a lookup that hangs is not waited for", async () => {
  const { ledger, caller, sealOne } = await newWorld();
  await sealOne();
  const hangs: Interceptor = (call, send) =>
    call.name === "Query" && isLookup(call.input) ? new Promise(() => {}) : send();
  expect(namedBy(await ledger.newProcess(hangs).attest(caller, requestOf("new")))).toBeNull();
});

test("a seal that was published without a token is none to be named", async () => {
  const { ledger, caller, newProcess, sealOne } = await newWorld();
  await sealOne();
  const noAuthority: Interceptor = async (call, send) => {
    if (call.name === "Stamp") throw outage();
    return send();
  };
  const process = newProcess(noAuthority);
  await process.attest(caller, requestOf("call"));
  ledger.now += MINUTE;
  await process.seal();
  ledger.now += 5 * MINUTE;
  await process.seal();
  expect((await process.roots.seal(1))?.tsa_timestamp).toEqual(PENDING_TIMESTAMP);
  expect(namedBy(await newProcess().attest(caller, requestOf("call")))).toMatchObject({
    seal_index: 0,
  });
});

test("a report carries the seal that its receipt names, and a bundle has it among its seals, once", async () => {
  const { ledger, caller, newProcess, sealOne } = await newWorld();
  await sealOne();
  const { event_id } = await newProcess().attest(caller, requestOf("call"));
  const process = newProcess();
  const published = await process.roots.seal(0);
  expect(await process.report(caller, event_id)).toMatchObject({ recorded_after_seal: published });
  ledger.now += MINUTE;
  await process.seal();
  expect((await process.report(caller, event_id)).recorded_after_seal).toEqual(published);
  const { seals } = await process.interaction(caller, "call");
  expect(seals.map(({ index }) => index)).toEqual([0, 1]);
  const second = await process.interaction(caller, "call", 2);
  expect(second.seals.map(({ index }) => index)).toEqual([0, 1]);
});
