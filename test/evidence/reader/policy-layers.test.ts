// Where a reader finds the layer that a receipt names, and what it says where it finds none.
import { describe, expect, test } from "vitest";
import { utf8 } from "../../../evidence/core/bytes.ts";
import { canonicalBytes, type JsonValue } from "../../../evidence/core/canonical-json.ts";
import { DisclosureError } from "../../../evidence/core/errors.ts";
import { formatDigest, hashBytes } from "../../../evidence/core/merkle/hash.ts";
import { verifyEvidence } from "../../../evidence/reader/index.ts";
import { type LayerSource, PolicyLayers } from "../../../evidence/reader/policy-layers.ts";
import { isFilledFrom, shippedWording, wordingIn } from "../../../evidence/reader/wording.ts";
import { readBytes, readEvidence } from "../../support/vector-files.ts";

const EXAMPLE = readEvidence("layers/example.json");
const EFFECTIVE = readEvidence("layers/effective.json");
const digestOf = (layer: JsonValue): string => formatDigest(hashBytes(canonicalBytes(layer)));
const naming = (layer: JsonValue) => ({ policy: { digest: digestOf(layer) } });

/** A source that publishes these bytes under every digest, and counts how often it is asked. */
function publishing(answer: Uint8Array | null | Error): LayerSource & { asked: number } {
  const source = {
    name: "https://receipts.example",
    asked: 0,
    layer: async () => {
      source.asked++;
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  return source;
}

const found = async (layers: PolicyLayers, layer: JsonValue, carried: readonly unknown[] = []) =>
  (await layers.find([naming(layer)], carried)).get(digestOf(layer));

describe("the layer of a receipt is found", () => {
  test.each([
    ["with the evidence", new PolicyLayers(null), [EXAMPLE]],
    ["among the reader's files", new PolicyLayers(null, [EXAMPLE]), []],
    ["where it is published", new PolicyLayers(publishing(canonicalBytes(EXAMPLE))), []],
    ["in a copy with white space", new PolicyLayers(publishing(readBytes("layers/example.json"))), []],
  ])("%s", async (_, layers, carried) => {
    expect(await found(layers, EXAMPLE, carried)).toMatchObject({ rules: { jurisdiction: "DE" } });
  });

  test("and is fetched once, however many receipts of however many files name it", async () => {
    const source = publishing(canonicalBytes(EXAMPLE));
    const layers = new PolicyLayers(source);
    await layers.find([naming(EXAMPLE), naming(EXAMPLE)]);
    await layers.find([naming(EXAMPLE)]);
    expect(source.asked).toBe(1);
  });

  test("and no address is made of what is no digest", async () => {
    const source = publishing(canonicalBytes(EXAMPLE));
    await new PolicyLayers(source).find([{ policy: { digest: "../../secret" } }, { policy: null }, {}]);
    expect(source.asked).toBe(0);
  });
});

describe("where there is none, it is said", () => {
  test.each([
    ["that other bytes are published", canonicalBytes(EFFECTIVE), /receipts\.example publishes other bytes/],
    ["that no JSON is published", utf8("<html>"), /receipts\.example publishes other bytes/],
    ["that it is not published", null, /receipts\.example does not publish the layer/],
    [
      "that the source could not be read",
      new DisclosureError("publication_unavailable", "no answer in time"),
      /could not be read: no answer in time/,
    ],
  ])("%s", async (_, answer, words) => {
    const layers = new PolicyLayers(publishing(answer));
    expect(await found(layers, EXAMPLE)).toEqual({ missing: expect.stringMatching(words) });
  });

  test("and a source that can't be reached is asked once", async () => {
    const source = publishing(new DisclosureError("publication_unavailable", "no answer in time"));
    const layers = new PolicyLayers(source);
    await found(layers, EXAMPLE);
    await found(layers, EFFECTIVE);
    expect(source.asked).toBe(1);
  });
});

describe("the library", () => {
  const policyOf = async (inputs: object) => {
    const evidence = readBytes("policy/allow-own.json");
    const now = "2026-11-27T00:00:00Z";
    const { checks } = await verifyEvidence(evidence, { now, trustAnchors: [], ...inputs });
    return checks.find(({ name }) => name === "policy");
  };
  const source = (layer: Uint8Array) => ({
    name: "a mirror",
    head: async () => Promise.reject(new DisclosureError("publication_unavailable", "there is none")),
    root: async () => null,
    timestamp: async () => null,
    layer: async () => layer,
  });

  test("computes the verdict again from a layer that it is given, or that its source has", async () => {
    const again = { ok: true, detail: "the layer DE 2026-11-01.1 gives ALLOW" };
    expect(await policyOf({ layers: [EFFECTIVE] })).toMatchObject(again);
    expect(await policyOf({ source: source(canonicalBytes(EFFECTIVE)) })).toMatchObject(again);
    expect(await policyOf({ layers: [EXAMPLE] })).toMatchObject({
      ok: null,
      detail: "the layer that the receipt names was not given",
    });
  });

  test("does not blame the receipt for what its source publishes", async () => {
    const { ok, detail } = (await policyOf({ source: source(canonicalBytes(EXAMPLE)) })) ?? {};
    expect([ok, detail]).toEqual([null, expect.stringMatching(/^a mirror publishes other bytes/)]);
  });
});

describe("the wording of a receipt", () => {
  const listed = (layer: JsonValue) =>
    (layer as { wordings: { id: string; digest: string; text?: string }[] }).wordings;
  const digestOfWording = (layer: JsonValue, id: string) =>
    listed(layer).find((one) => one.id === id)?.digest ?? "";

  test("is shown with its text", () => {
    expect(wordingIn(EXAMPLE, digestOfWording(EXAMPLE, "de-greeting"))).toMatchObject({
      id: "de-greeting",
      text: "Guten Tag, Sie sprechen mit einer künstlichen Intelligenz.",
      approvedBy: null,
    });
    expect(shippedWording(digestOfWording(EXAMPLE, "de-greeting"))).toBeNull();
  });

  test("is shown without a text that has not its digest", () => {
    const wordings = listed(EXAMPLE).map((one) => ({ ...one, text: "Something else" }));
    const { text } = wordingIn({ wordings }, digestOfWording(EXAMPLE, "de-greeting")) ?? {};
    expect(text).toBeNull();
  });

  test("of a tenant is shown with its approver and the wording that was filled", () => {
    expect(wordingIn(EFFECTIVE, digestOfWording(EFFECTIVE, "own-greeting"))).toMatchObject({
      text: null,
      approvedBy: "Head of customer service",
      template: { id: "de-template", text: expect.stringContaining("{operator}") },
    });
  });

  test("with a gap is recognised in a text that fills it", () => {
    const template = "Guten Tag, hier ist die künstliche Intelligenz von {operator}.";
    expect(isFilledFrom(template.replace("{operator}", "Praxis Müller"), template)).toBe(true);
    expect(isFilledFrom(template.replace("{operator}", ""), template)).toBe(false);
    expect(isFilledFrom("Guten Abend, hier ist Praxis Müller.", template)).toBe(false);
  });
});
