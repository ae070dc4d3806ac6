// The emulators that the service runs on enforce no policy. So here the service runs with its calls recorded, and each
// function's policy is asked whether AWS would have let it.
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { jurisdictionPath, LAYERS_FOLDER, POLICY_PATH } from "../../contract/policy-paths.ts";
import { parsePolicy } from "../../evidence/core/log/tlog-policy.ts";
import { policyLayers } from "../../evidence/policy/index.ts";
import { LogReadings } from "../../service/audit/log-readings.ts";
import { writeOwnWordings } from "../../service/policy/own-wordings.ts";
import { ChainEntries } from "../../service/reports/chain-entries.ts";
import { readChainPage } from "../../service/reports/chain-history.ts";
import { ApiKeys } from "../../service/tenants/api-keys.ts";
import { Tenants } from "../../service/tenants/tenants.ts";
import type { Interceptor } from "../support/faults.ts";
import { MINUTE, startLedgerStack } from "../support/ledger-stack.ts";
import { ownWordingOf } from "../support/own-wording.ts";
import { requestOf } from "../support/test-process.ts";
import { newWitnessedLedger } from "../support/witnessed-ledger.ts";
import { type Input, policies, Recorder } from "./recorder.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

/** A ledger with a tenant, some receipts of two conversations, and two published seals. */
async function newWorld() {
  const ledger = await stack.newLedger();
  const caller = await ledger.newTenant("tenant");
  const process = ledger.newProcess();
  for (const id of ["call-1", "call-1", "call-2"]) await process.attest(caller, requestOf(id));
  await process.seal();
  const { event_id } = await process.attest(caller, requestOf("call-2"), "key");
  ledger.now += MINUTE;
  await process.seal();
  return { ledger, caller, eventId: event_id };
}

test("attest may make every call that it makes: new, again in another process, and by the same Idempotency-Key", async () => {
  const { ledger, caller } = await newWorld();
  const recorder = new Recorder();
  await ledger.newProcess(recorder.intercept).attest(caller, requestOf("call-3"), "other");
  await ledger.newProcess(recorder.intercept).attest(caller, requestOf("call-2"), "key");
  expect(recorder.calls.map(({ name }) => name)).toContain("BatchGetItem");
  expect(recorder.refusedTo("attest")).toEqual([]);
});

test("attest may read what the quota is held against, and the receipt of a repeat once it is used up", async () => {
  const { ledger, caller } = await newWorld();
  const recorder = new Recorder();
  const plans = { test: { rate: 1, burst: 1, monthlyQuota: 3, chains: 1 } };
  const process = ledger.newProcess(recorder.intercept, { plans });
  ledger.now += 24 * 60 * MINUTE;
  await expect(process.attest(caller, requestOf("call-3"), "other")).rejects.toMatchObject({
    code: "quota_exceeded",
  });
  expect(recorder.calls.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["Query", "BatchGetItem", "GetItem"]),
  );
  expect(recorder.refusedTo("attest")).toEqual([]);
});

test("the sealer may make every call that it makes: the first seal, a later one, and one that another run finished", async () => {
  const { ledger, caller } = await newWorld();
  const recorder = new Recorder();
  await (await stack.newLedger()).newProcess(recorder.intercept).seal();
  await ledger.newProcess().attest(caller, requestOf("call-4"));
  ledger.now += MINUTE;
  const runs = [1, 2].map(() => ledger.newProcess(recorder.intercept).seal());
  await Promise.all(runs);
  expect(recorder.calls.map(({ name }) => name)).toEqual(expect.arrayContaining(["UpdateItem", "PutObject"]));
  expect(recorder.refusedTo("seal")).toEqual([]);
});

test("the sealer may publish a seal without a token and complete it later, each token with condition and lock", async () => {
  const { ledger, caller } = await newWorld();
  await ledger.newProcess().attest(caller, requestOf("call-4"));
  const recorder = new Recorder();
  const outage: Interceptor = (call, send) =>
    call.name === "Stamp" ? Promise.reject(new Error("no answer")) : recorder.intercept(call, send);
  for (let run = 0; run < 3; run++) {
    ledger.now += MINUTE;
    await ledger.newProcess(outage).seal();
  }
  await ledger.newProcess(recorder.intercept).seal();
  expect(recorder.refusedTo("seal")).toEqual([]);
  const tokens = recorder.calls
    .filter(({ name }) => name === "PutObject")
    .map(({ input }) => input as Input)
    .filter(({ Key }) => String(Key).includes("/timestamps/"));
  expect(tokens).toMatchObject([1, 2].map(() => ({ IfNoneMatch: "*", ObjectLockMode: "COMPLIANCE" })));
});

test("report may make every call that it makes, for a receipt that is there and for one that is not", async () => {
  const { ledger, caller, eventId } = await newWorld();
  const elsewhere = await stack.newLedger();
  await elsewhere.newTenant("tenant");
  const recorder = new Recorder();
  await ledger.newProcess(recorder.intercept).report(caller, eventId);
  await expect(elsewhere.newProcess(recorder.intercept).report(caller, eventId)).rejects.toThrow();
  expect(recorder.refusedTo("report")).toEqual([]);
});

test("interaction may make every call that it makes", async () => {
  const { ledger, caller } = await newWorld();
  const recorder = new Recorder();
  await ledger.newProcess(recorder.intercept).interaction(caller, "call-2");
  expect(recorder.refusedTo("interaction")).toEqual([]);
});

test("chain-heads and chain-entries may make every call that they make, for a sealed size and for an earlier one", async () => {
  const { ledger, caller } = await newWorld();
  const [chainId = ""] = caller.chainIds;
  const [heads, leaves] = [new Recorder(), new Recorder()];
  await readChainPage(ledger.newProcess(heads.intercept).table, caller, chainId, 0);
  for (const width of [1, 3])
    await new ChainEntries(ledger.newProcess(leaves.intercept).table).read(caller, chainId, {
      index: 0,
      width,
    });
  expect(heads.refusedTo("chain-heads")).toEqual([]);
  expect(leaves.refusedTo("chain-entries")).toEqual([]);
  expect(leaves.calls.map(({ name }) => name)).toContain("BatchGetItem");
});

test("the authorizer may make every call that it makes", async () => {
  const { ledger } = await newWorld();
  await ledger.newTenant("holder");
  const { apiKey } = await new ApiKeys(ledger.newProcess().table, ledger.clock).create({
    tenantId: "holder",
    scopes: ["attest"],
    expiresAt: null,
  });
  const recorder = new Recorder();
  await new Tenants(ledger.newProcess(recorder.intercept).table, ledger.clock).authenticate(apiKey);
  expect(recorder.refusedTo("authorize")).toEqual([]);
});

describe("the wording policy", () => {
  /** The shipped layer in another version, which no ledger has. */
  const layers = policyLayers.map((layer) => ({ ...layer, version: "2030-01-01.1" }));

  test("attest may read a tenant's own wordings, and record the layer that they make", async () => {
    const { ledger, caller } = await newWorld();
    const registered = [{ jurisdiction: "DE", wording: ownWordingOf() }];
    const ownWordings = await writeOwnWordings(ledger.newProcess().table, { id: "1".repeat(32), registered });
    const recorder = new Recorder();
    const process = ledger.newProcess(recorder.intercept, { layers });
    await process.attest({ ...caller, ownWordings }, requestOf("call-7"));
    expect(recorder.written()).toEqual(expect.arrayContaining(["layer#", "layers"]));
    expect(recorder.refusedTo("attest")).toEqual([]);
  });

  test("the sealer may publish the layers of its deployment, those that receipts name, and the lists of them", async () => {
    const { ledger, caller } = await newWorld();
    await ledger.newProcess(undefined, { layers }).attest(caller, requestOf("call-7"));
    ledger.now += MINUTE;
    const recorder = new Recorder();
    await ledger.newProcess(recorder.intercept, { layers, publishesPolicy: true }).seal();
    const puts = recorder.calls.filter(({ name }) => name === "PutObject").map(({ input }) => input as Input);
    const keys = puts.map(({ Key }) => String(Key)).filter((key) => key.startsWith(POLICY_PATH));
    expect(keys).toEqual(expect.arrayContaining([POLICY_PATH, jurisdictionPath("DE")]));
    const locked = puts.filter(({ Key }) => String(Key).startsWith(LAYERS_FOLDER));
    expect(locked).toHaveLength(layers.length);
    for (const put of locked) expect(put).toMatchObject({ IfNoneMatch: "*", ObjectLockMode: "COMPLIANCE" });
    expect(recorder.refusedTo("seal")).toEqual([]);
  });
});

test("those who read roots may read head and roots, and learn what is not there", async () => {
  const { ledger } = await newWorld();
  const recorder = new Recorder();
  const { roots } = ledger.newProcess(recorder.intercept);
  await roots.head();
  expect(await roots.sealText(99)).toBeNull();
  expect(await roots.timestampText(0, 0)).toBeNull();
  for (const handler of ["metachain", "root", "timestamp", "verify-inclusion", "seal"]) {
    expect(recorder.refusedTo(handler)).toEqual([]);
    // Without it S3 hides behind AccessDenied that a key is not there.
    expect(policies.allows(handler, { action: "s3:ListBucket" })).toBe(true);
  }
});

test("status may read the head and the checkpoints, back to the newest quorum", async () => {
  const { ledger, b, policy, seal, close } = await newWitnessedLedger(stack);
  onTestFinished(close);
  await seal();
  b.spoil = () => ({ status: 500 });
  ledger.now += MINUTE;
  await seal();
  const recorder = new Recorder();
  const { roots } = ledger.newProcess(recorder.intercept);
  const failures: unknown[] = [];
  const services = { roots, witnesses: parsePolicy(policy), clock: ledger.clock };
  const log = new LogReadings({ ...services, onFailure: (error) => void failures.push(error) });
  expect(await log.read()).toMatchObject({ quorum: { status: "recent", tree_size: 1 } });
  expect([failures, recorder.calls.length, recorder.refusedTo("status")]).toEqual([[], 4, []]);
  expect(policies.allows("status", { action: "s3:ListBucket" })).toBe(true);
});

test("every root is written with what the bucket demands: the condition, and the lock", async () => {
  const { ledger, caller } = await newWorld();
  const recorder = new Recorder();
  await ledger.newProcess().attest(caller, requestOf("call-5"));
  ledger.now += MINUTE;
  await ledger.newProcess(recorder.intercept).seal();
  const puts = recorder.calls
    .filter(({ name }) => name === "PutObject")
    .map(({ input }) => input as Input)
    .filter(({ Key }) => String(Key).includes("/roots/"));
  expect(puts).toEqual([expect.objectContaining({ IfNoneMatch: "*", ObjectLockMode: "COMPLIANCE" })]);
});

test("a call that a function should not make would be found", async () => {
  const { ledger, caller, eventId } = await newWorld();
  const recorder = new Recorder();
  const process = ledger.newProcess(recorder.intercept);
  await process.report(caller, eventId);
  await process.attest(caller, requestOf("call-6"));
  expect(recorder.refusedTo("report").map(({ action }) => action)).toContain("dynamodb:PutItem");
});
