// The crash tables of the wording policy: whatever becomes of a call that records or publishes a layer, no receipt names a
// layer that is not in the table, and no published seal covers a receipt whose layer is not public (whole-policy.ts).
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, describe, expect, test } from "vitest";
import { jurisdictionPath, POLICY_PATH } from "../../../contract/policy-paths.ts";
import { parseJson } from "../../../evidence/core/canonical-json.ts";
import { jurisdictionPolicySchema, policyIndexSchema } from "../../../evidence/core/formats/policy-index.ts";
import { digestOfLayer, type PolicyLayer } from "../../../evidence/core/policy/policy-layer.ts";
import { policyLayers } from "../../../evidence/policy/index.ts";
import { runWithFault } from "../../support/deaths.ts";
import { isSecondEngine } from "../../support/engine.ts";
import { crashTable, type Interceptor, type Step, sampleOf } from "../../support/faults.ts";
import { type Ledger, MINUTE, startLedgerStack, type TestCaller } from "../../support/ledger-stack.ts";
import { keysUnder, readItem, writeItem } from "../../support/tamper.ts";
import { requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

/** Two are enough: the others go the same way. */
const LAYERS = policyLayers.filter(({ jurisdiction }) => ["AT", "DE"].includes(jurisdiction));
const [, DE] = LAYERS;
if (DE === undefined) throw new Error("no layer of DE");
const NEXT: PolicyLayer = { ...DE, version: "2027-01-31.1" };
const COLD = { layers: LAYERS };
const DEPLOYED = { layers: LAYERS, publishesPolicy: true };

interface World {
  readonly ledger: Ledger;
  readonly caller: TestCaller;
}

async function newWorld(): Promise<World> {
  const ledger = await stack.newLedger({ isSigned: false, hasLayer: false });
  return { ledger, caller: await ledger.newTenant("tenant") };
}

const attest = ({ ledger, caller }: World, id: string) =>
  ledger.newProcess(undefined, COLD).attest(caller, requestOf(id), id);

/** The steps that have to do with layers or with the index over them. */
function watching(steps: Step[]): Interceptor {
  return ({ name, nth, input }, send) => {
    if (/"(?:layers?["#]|v1\/policy)/.test(JSON.stringify(input))) steps.push({ name, nth });
    return send();
  };
}

/** The whole table runs on the first engine; on the second, the steps are the same, and only the engine is another. */
const rowsOf = (steps: readonly Step[]) => (isSecondEngine ? sampleOf(crashTable(steps)) : crashTable(steps));

async function stepsOf(run: (world: World, intercept: Interceptor) => Promise<unknown>): Promise<Step[]> {
  const world = await newWorld();
  const steps: Step[] = [];
  await run(world, watching(steps));
  return steps;
}

const attesting = await stepsOf(({ ledger, caller }, intercept) =>
  ledger.newProcess(intercept, COLD).attest(caller, requestOf("call")),
);
const sealing = await stepsOf(async (world, intercept) => {
  await attest(world, "call");
  await world.ledger.newProcess(intercept).seal();
});
const deploying = await stepsOf(({ ledger }, intercept) => ledger.newProcess(intercept, DEPLOYED).seal());

const readIndex = async ({ roots }: ReturnType<Ledger["newProcess"]>, path: string): Promise<unknown> =>
  parseJson((await roots.files.text(path))?.text ?? "null");
const readGerman = async ({ ledger }: World) =>
  jurisdictionPolicySchema.parse(await readIndex(ledger.newProcess(), jurisdictionPath("DE")));

async function unpublished({ ledger }: World): Promise<number> {
  const entries = (await keysUnder(ledger, "layers")).map((key) => readItem(ledger, key));
  return (await Promise.all(entries)).filter(({ published_at }) => published_at === undefined).length;
}

describe.concurrent("a first attestation under a layer, in which", () => {
  test.each(rowsOf(attesting))("$title, is recorded once after a retry", async ({ step, mode }) => {
    const world = await newWorld();
    const rival = async () => void (await attest(world, "rival"));
    const call = requestOf("call");
    await runWithFault(
      world.ledger,
      step,
      mode,
      rival,
      (of) => [of.attest(world.caller, call, "call")],
      COLD,
    );
    await world.ledger.check();
    await attest(world, "call");
    await world.ledger.newProcess().seal();
    const { receipts, publishedReceipts } = await world.ledger.check();
    expect([receipts, publishedReceipts]).toEqual(mode === "loses a race" ? [2, 2] : [1, 1]);
    expect(await unpublished(world)).toBe(0);
  });
});

describe.concurrent("a run of the sealer with a layer to publish, in which", () => {
  test.each(rowsOf(sealing))("$title, publishes no seal before the layer", async ({ step, mode }) => {
    const world = await newWorld();
    const { ledger } = world;
    await attest(world, "call");
    const rival = async () => void (await ledger.newProcess().seal());
    await runWithFault(ledger, step, mode, rival, (of) => [of.seal()]);
    await ledger.check();
    for (let run = 0; run < 2; run++) {
      ledger.now += MINUTE;
      await ledger.newProcess().seal();
    }
    const { receipts, publishedReceipts } = await ledger.check();
    expect([receipts, publishedReceipts, await unpublished(world)]).toEqual([1, 1, 0]);
  });
});

describe.concurrent("a first run of a deployment, in which", () => {
  test.each(rowsOf(deploying))("$title, leaves an index of published layers", async ({ step, mode }) => {
    const world = await newWorld();
    const { ledger } = world;
    const rival = async () => void (await ledger.newProcess(undefined, DEPLOYED).seal());
    await runWithFault(ledger, step, mode, rival, (of) => [of.seal()], DEPLOYED);
    await ledger.check();
    await ledger.newProcess(undefined, DEPLOYED).seal();
    const index = policyIndexSchema.parse(await readIndex(ledger.newProcess(), POLICY_PATH));
    expect(index.jurisdictions.map(({ digest }) => digest)).toEqual(LAYERS.map(digestOfLayer));
    expect((await readGerman(world)).layers).toMatchObject([{ digest: digestOfLayer(DE) }]);
    expect(await unpublished(world)).toBe(0);
    await ledger.check();
  });
});

test("two deployments' processes leave both layers listed, each once, whichever is the current one", async () => {
  const world = await newWorld();
  const { ledger } = world;
  const next = { layers: [NEXT], publishesPolicy: true };
  for (let round = 0; round < 3; round++)
    await Promise.all([DEPLOYED, next].map((options) => ledger.newProcess(undefined, options).seal()));
  const both = [DE, NEXT].map(digestOfLayer).sort();
  const { current, layers } = await readGerman(world);
  expect(layers.map(({ digest }) => digest).sort()).toEqual(both);
  expect(both).toContain(current);
  await ledger.newProcess(undefined, next).seal();
  expect(await readGerman(world)).toEqual({
    jurisdiction: "DE",
    status: "active",
    current: digestOfLayer(NEXT),
    layers,
  });
});

test("receipts keep the layer that they were given, whatever the deployment has now", async () => {
  const world = await newWorld();
  const { ledger, caller } = world;
  const old = await attest(world, "call");
  const next = ledger.newProcess(undefined, { layers: [NEXT] });
  const young = await next.attest(caller, requestOf("call"));
  await ledger.newProcess(undefined, DEPLOYED).seal();
  const digests = [old, young].map(({ receipts: [receipt] }) => receipt?.policy.digest);
  expect(digests).toEqual([DE, NEXT].map(digestOfLayer));
  const bundle = await ledger.newProcess().interaction(caller, "call");
  expect(bundle.policy_layers).toEqual([DE, NEXT]);
  await ledger.check();
});

const DAMAGES: Readonly<Record<string, (world: World, key: readonly [string, string]) => Promise<void>>> = {
  "has other bytes in the table": async ({ ledger }, key) =>
    writeItem(ledger, { ...(await readItem(ledger, key)), bytes: { B: Buffer.from("{}") } }),
  "has no bytes in the table": async ({ ledger }, key) => {
    const { bytes: _gone, ...rest } = await readItem(ledger, key);
    await writeItem(ledger, rest);
  },
  "is published in other bytes": async ({ ledger }, [pk]) => {
    const Key = `v1/policy/layers/${pk.slice("layer#".length)}`;
    await ledger.clients.s3.send(new PutObjectCommand({ Bucket: ledger.name, Key, Body: "{}" }));
  },
};

test.each(Object.entries(DAMAGES))(
  "a layer that %s is set aside by name, and holds up no seal",
  async (_how, damage) => {
    const world = await newWorld();
    const { ledger } = world;
    await attest(world, "call");
    const [key = ["", ""] as const] = await keysUnder(ledger, "layer#");
    await damage(world, key);
    const process = ledger.newProcess();
    expect(await process.seal()).toMatchObject({ outcome: "published" });
    const { policyFailures = 0, publicationConflicts = 0 } = process.counted;
    expect(policyFailures + publicationConflicts).toBe(1);
    expect(process.faults[0]).toMatchObject({ evidence: { digest: `sha256:${key[0].slice(6)}` } });
    expect(await unpublished(world)).toBe(1);
  },
);
