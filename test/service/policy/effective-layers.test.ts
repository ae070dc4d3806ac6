// Attestations judged by a tenant's own wordings, by a preview, and by the deployment's layers: the layer is in the table
// before the receipt, at one cost a process and layer.
import { afterAll, expect, test } from "vitest";
import type { OwnWording } from "../../../evidence/core/policy/effective-layer.ts";
import type { PolicyLayer } from "../../../evidence/core/policy/policy-layer.ts";
import { layersByDigest } from "../../../evidence/core/verify/verify-policy.ts";
import { verifyReceipt } from "../../../evidence/core/verify/verify-receipt.ts";
import { policyLayers } from "../../../evidence/policy/index.ts";
import { LayerMemory } from "../../../service/policy/layer-memory.ts";
import { WordingRegistry } from "../../../service/policy/wording-registry.ts";
import { readOwnWordingsDigest } from "../../../service/tenants/tenants.ts";
import { type Ledger, startLedgerStack, type TestCaller } from "../../support/ledger-stack.ts";
import { ownWordingOf } from "../../support/own-wording.ts";
import { keysUnder, readItem, writeItem } from "../../support/tamper.ts";
import { requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const OWN_DIGEST = `sha256:${"5".repeat(64)}`;
const DAY = 24 * 60 * 60 * 1000;
const layerOf = (code: string): PolicyLayer => {
  const layer = policyLayers.find(({ jurisdiction }) => jurisdiction === code);
  if (layer === undefined) throw new Error(`no layer of ${code}`);
  return layer;
};
const dayOf = (ledger: Ledger): string => ledger.clock().toISOString().slice(0, 10);

const wordingOf = (ledger: Ledger, changes: Partial<OwnWording> = {}): OwnWording =>
  ownWordingOf({ digest: OWN_DIGEST, approved_on: dayOf(ledger), ...changes });

/** The caller as the authorizer knows it after a change of its tenant. */
async function refreshed(ledger: Ledger, caller: TestCaller): Promise<TestCaller> {
  const tenant = await readItem(ledger, [`tenant#${caller.tenantId}`, "-"]);
  return { ...caller, ownWordings: readOwnWordingsDigest(tenant) };
}

async function newWorld() {
  const ledger = await stack.newLedger({ isSigned: false });
  const caller = await ledger.newTenant("acme");
  const registry = new WordingRegistry(ledger.newProcess().table);
  return { ledger, caller, registry };
}

const outcomeOf = ({ receipts: [receipt] }: { receipts: { verdict: string; policy: object }[] }) => ({
  verdict: receipt?.verdict,
  ...receipt?.policy,
});

test("a tenant's own greeting gets ALLOW, after its last day BLOCK, and older receipts stay as they are", async () => {
  const { ledger, caller, registry } = await newWorld();
  const before = await ledger.newProcess().attest(caller, requestOf("call"));
  expect(outcomeOf(before)).toMatchObject({ verdict: "MODIFY", findings: ["wording_unknown"] });

  await registry.add("acme", layerOf("DE"), wordingOf(ledger));
  const known = await refreshed(ledger, caller);
  const allowed = await ledger.newProcess().attest(known, requestOf("call"));
  expect(outcomeOf(allowed)).toMatchObject({ verdict: "ALLOW", wording_id: "own-greeting", findings: [] });

  await registry.retire("acme", "own-greeting", dayOf(ledger));
  ledger.now += DAY;
  const blocked = await ledger.newProcess().attest(await refreshed(ledger, caller), requestOf("call"));
  expect(outcomeOf(blocked)).toMatchObject({ verdict: "BLOCK", findings: ["wording_retired"] });

  await ledger.newProcess().seal();
  const bundle = await ledger.newProcess().interaction(caller, "call");
  expect(bundle.receipts.map(({ verdict }) => verdict)).toEqual(["MODIFY", "ALLOW", "BLOCK"]);
  expect(new Set(bundle.receipts.map(({ policy }) => policy.digest)).size).toBe(3);
  const layers = layersByDigest(bundle.policy_layers ?? []);
  for (const { event_id } of bundle.receipts) {
    const report = await ledger.newProcess().report(caller, event_id);
    const { checks } = await verifyReceipt(report, { layers, now: ledger.clock().toISOString() });
    expect(checks.find(({ name }) => name === "policy")).toMatchObject({ ok: true });
  }
  // Nobody else's receipts change by it, and another tenant's digest can't be computed from the wordings.
  const other = await ledger.newTenant("other");
  expect(outcomeOf(await ledger.newProcess().attest(other, requestOf("call")))).toMatchObject({
    verdict: "MODIFY",
  });
  await ledger.check();
});

test("a process reads and writes once for each layer, and nothing any more afterwards", async () => {
  const { ledger, caller, registry } = await newWorld();
  await registry.add("acme", layerOf("DE"), wordingOf(ledger));
  const known = await refreshed(ledger, caller);
  const process = ledger.newProcess();
  await Promise.all(["a", "b", "c"].map((id) => process.attest(known, requestOf(id))));
  const written = process.calls.steps.filter(({ name }) => name === "TransactWriteItems").length;
  const steps = process.calls.steps.length;
  await process.attest(known, requestOf("a"));
  const names = process.calls.steps.slice(steps).map(({ name }) => name);
  expect(names.filter((name) => name === "GetItem")).toEqual([]);
  expect(names.filter((name) => name === "TransactWriteItems")).toHaveLength(1);
  // The next process finds the layer there, by one read of a small item.
  const next = ledger.newProcess();
  await next.attest(known, requestOf("a"));
  expect(next.calls.steps.filter(({ name }) => name === "TransactWriteItems")).toHaveLength(1);
  expect(written).toBeGreaterThanOrEqual(2);
  expect((await keysUnder(ledger, "layers")).length).toBe(2);
});

test("a tenant with own wordings of one jurisdiction is judged by the plain layer of another", async () => {
  const { ledger, caller, registry } = await newWorld();
  await registry.add("acme", layerOf("NL"), wordingOf(ledger, { language: "nl" }));
  const known = await refreshed(ledger, caller);
  const plain = await ledger.newProcess().attest(caller, requestOf("call"));
  const own = await ledger.newProcess().attest(known, requestOf("call"));
  expect(own.receipts[0]?.policy.digest).toBe(plain.receipts[0]?.policy.digest);
});

test("a preview may use a layer in development, with a finding that says so; planned ones are refused", async () => {
  const { ledger, caller } = await newWorld();
  const request = requestOf("call", { jurisdiction: "NL" });
  const preview = { ...caller, isPreview: true };
  await expect(ledger.newProcess().attest(caller, request)).rejects.toMatchObject({
    code: "jurisdiction_not_active",
    evidence: { status: "in_development" },
  });
  const answer = await ledger.newProcess().attest(preview, request);
  expect(outcomeOf(answer)).toMatchObject({
    verdict: "MODIFY",
    findings: expect.arrayContaining(["layer_in_development"]),
  });
  for (const jurisdiction of ["BE", "AT", "FR"])
    await expect(
      ledger.newProcess().attest(preview, requestOf("call", { jurisdiction })),
    ).rejects.toMatchObject({ code: "jurisdiction_not_active" });
});

test("where a tenant's wordings are damaged or gone, nothing is recorded by other ones; the next call tries again", async () => {
  const { ledger, caller, registry } = await newWorld();
  await registry.add("acme", layerOf("DE"), wordingOf(ledger));
  const known = await refreshed(ledger, caller);
  const [key = ["", ""]] = await keysUnder(ledger, "wordings#");
  const item = await readItem(ledger, key);
  const process = ledger.newProcess();
  await writeItem(ledger, { ...item, document: { B: Buffer.from("{}") } });
  await expect(process.attest(known, requestOf("call"))).rejects.toMatchObject({ code: "ledger_corrupt" });
  expect((await ledger.check()).receipts).toBe(0);
  await writeItem(ledger, item);
  expect(outcomeOf(await process.attest(known, requestOf("call")))).toMatchObject({ verdict: "ALLOW" });
});

test("a replay has the very bytes of the first answer, where it is not stamped, and the receipt's always", async () => {
  const { ledger, caller } = await newWorld();
  const request = requestOf("call", { disclosed_at: "2040-05-01T11:59:00Z" });
  const unstamped = { ...caller, inlineStampsPerMinute: 0 };
  const first = await ledger.newProcess().attest(unstamped, request, "key");
  const replay = await ledger.newProcess().attest(unstamped, request, "key");
  expect(JSON.stringify(replay)).toBe(JSON.stringify(first));
  const stamped = await ledger.newProcess().attest(caller, request, "key");
  expect(JSON.stringify(stamped.receipts)).toBe(JSON.stringify(first.receipts));
  const report = await ledger.newProcess().report(caller, first.event_id);
  expect(JSON.stringify(report.receipts)).toBe(JSON.stringify(first.receipts));
});

test("a layer that is damaged in the table is left out of bundles, and said to be", async () => {
  const { ledger, caller } = await newWorld();
  await ledger.newProcess().attest(caller, requestOf("call"));
  const [key = ["", ""]] = await keysUnder(ledger, "layer#");
  await writeItem(ledger, { ...(await readItem(ledger, key)), bytes: { B: Buffer.from("{}") } });
  const process = ledger.newProcess();
  expect(await process.interaction(caller, "call")).not.toHaveProperty("policy_layers");
  expect(process.faults).toMatchObject([{ code: "ledger_corrupt" }]);
  const faults: unknown[] = [];
  const unknown = await new LayerMemory(process.table, (error) => faults.push(error)).read([OWN_DIGEST]);
  expect([unknown.size, faults.length]).toEqual([0, 1]);
});
