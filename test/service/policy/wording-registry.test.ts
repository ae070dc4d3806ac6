// Tenants' own wordings as operators change them: what is refused in words, and changes at the same time or cut off.
import { afterAll, describe, expect, test } from "vitest";
import type { PolicyLayer } from "../../../evidence/core/policy/policy-layer.ts";
import { policyLayers } from "../../../evidence/policy/index.ts";
import { readCurrentLayer } from "../../../service/policy/published-layers.ts";
import { parseWording, WordingRegistry } from "../../../service/policy/wording-registry.ts";
import { faultAt, type Interceptor, undisturbed } from "../../support/faults.ts";
import { type Ledger, startLedgerStack } from "../../support/ledger-stack.ts";
import { ownWordingOf } from "../../support/own-wording.ts";
import { keysUnder, readItem } from "../../support/tamper.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const layerOf = (code: string): PolicyLayer => {
  const layer = policyLayers.find(({ jurisdiction }) => jurisdiction === code);
  if (layer === undefined) throw new Error(`no layer of ${code}`);
  return layer;
};
const DE = layerOf("DE");
const [KNOWN] = DE.wordings;

const OTHER = ownWordingOf({ id: "own-other", digest: `sha256:${"6".repeat(64)}` });

const open = (ledger: Ledger, intercept: Interceptor = undisturbed) =>
  new WordingRegistry(ledger.newProcess(intercept).table);

async function newWorld() {
  const ledger = await stack.newLedger({ isSigned: false });
  await ledger.newTenant("acme");
  return { ledger, registry: open(ledger) };
}

const documentOf = async (ledger: Ledger) => (await readItem(ledger, ["tenant#acme", "-"])).own_wordings?.S;

test("a wording is registered once, however often; each change makes another document, and keeps the former ones", async () => {
  const { ledger, registry } = await newWorld();
  expect(await registry.add("acme", DE, ownWordingOf())).toBe(true);
  const first = await documentOf(ledger);
  expect(await registry.add("acme", DE, ownWordingOf())).toBe(false);
  expect(await documentOf(ledger)).toBe(first);
  expect(await registry.add("acme", DE, OTHER)).toBe(true);
  expect(await registry.retire("acme", "own-other", "2026-12-31")).toBe(true);
  expect(await registry.retire("acme", "own-other", "2026-12-31")).toBe(false);
  expect(await registry.list("acme")).toEqual([
    { jurisdiction: "DE", wording: ownWordingOf() },
    { jurisdiction: "DE", wording: { ...OTHER, retired_on: "2026-12-31" } },
  ]);
  expect((await keysUnder(ledger, "wordings#")).length).toBe(3);
});

describe("a wording is refused", () => {
  test.each([
    ["for a planned layer", layerOf("AT"), ownWordingOf(), /^the layer of AT is only planned/],
    [
      "that the layer has",
      DE,
      ownWordingOf({ digest: KNOWN?.digest ?? "" }),
      /is in the layer of DE as \S+: the layer itself decides about it$/,
    ],
    [
      "for a method that there is not",
      DE,
      ownWordingOf({ methods: ["by_pigeon"] }),
      /^the layer of DE has no method by_pigeon for voice; it has .*spoken_introduction/,
    ],
    [
      "for a method of another modality",
      DE,
      ownWordingOf({ methods: ["written_reminder"] }),
      /no method written_reminder for voice/,
    ],
    [
      "from a template that there is not",
      DE,
      ownWordingOf({ template: "de-none" }),
      /^the layer of DE has no wording de-none$/,
    ],
    ["under an id that is in use", DE, { ...OTHER, id: "own-greeting" }, /^the id own-greeting is in use/],
    [
      "on other terms than before",
      DE,
      ownWordingOf({ id: "own-again" }),
      /^this wording is registered as own-greeting already, with other terms$/,
    ],
  ])("%s", async (_why, layer, wording, message) => {
    const { registry } = await newWorld();
    await registry.add("acme", DE, ownWordingOf());
    await expect(registry.add("acme", layer, wording)).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(message),
    });
    expect(await registry.list("acme")).toHaveLength(1);
  });

  test.each([
    ["an id of the layer's kind", { id: "de-greeting" }, /the id must begin with own-$/],
    ["a last day before the first", { retired_on: "2026-11-21" }, /retired before it was approved$/],
    ["nobody who approved it", { approved_by: " " }, /approved_by: /],
    ["no digest", { digest: "5".repeat(64) }, /digest: must be sha256:/],
  ])("with %s", (_what, changes, message) => {
    expect(() => parseWording({ ...ownWordingOf(), ...changes })).toThrowError(message);
  });

  test("of a tenant or of an id that there is not", async () => {
    const { registry } = await newWorld();
    const codeOf = (call: Promise<unknown>) => expect(call).rejects.toMatchObject({ code: "not_found" });
    await codeOf(registry.add("nobody", DE, ownWordingOf()));
    await codeOf(registry.list("nobody"));
    await codeOf(registry.retire("acme", "own-none", "2026-12-31"));
  });
});

test("of two operators at once, none undoes what the other did", async () => {
  const { ledger, registry } = await newWorld();
  const digests = ["6", "7", "8"].map((digit) => `sha256:${digit.repeat(64)}`);
  const wordings = digests.map((digest, i) => ownWordingOf({ id: `own-${i}`, digest }));
  await Promise.all(wordings.map((wording) => open(ledger).add("acme", DE, wording)));
  const ids = (await registry.list("acme")).map(({ wording }) => wording.id);
  expect(ids.sort()).toEqual(["own-0", "own-1", "own-2"]);
});

test.each([
  ["TransactWriteItems", "fails after taking effect"],
  ["TransactWriteItems", "is the last that the process makes"],
  ["UpdateItem", "is never made, for the process dies"],
  ["UpdateItem", "fails after taking effect"],
  ["UpdateItem", "is the last that the process makes"],
] as const)("where %s %s, a repetition has registered the wording once", async (name, mode) => {
  const { ledger, registry } = await newWorld();
  const died = Promise.withResolvers<void>();
  const intercept = faultAt({ name, nth: 1 }, mode, { rival: async () => {}, died: died.resolve });
  const call = open(ledger, intercept).add("acme", DE, ownWordingOf());
  await Promise.race([call.catch(() => undefined), died.promise]);
  await registry.add("acme", DE, ownWordingOf());
  expect(await registry.list("acme")).toEqual([{ jurisdiction: "DE", wording: ownWordingOf() }]);
});

test("the layer that wordings are held against is the published one, believed by its hash", async () => {
  const { ledger } = await newWorld();
  const process = ledger.newProcess(undefined, { layers: [DE], publishesPolicy: true });
  await expect(readCurrentLayer(process.roots.files, "DE")).rejects.toMatchObject({ code: "not_found" });
  await process.policy.publishDeployed();
  expect(await readCurrentLayer(process.roots.files, "DE")).toEqual(DE);
});
