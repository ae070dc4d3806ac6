// The operator's wording layers: what the functions are given, and what stops the synthesis.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Annotations, Match } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { policyVariables } from "../../contract/environment-variables.ts";
import { formatDigest } from "../../evidence/core/merkle/hash.ts";
import { hashWording, parsePolicyLayer } from "../../evidence/core/policy/policy-layer.ts";
import { policyLayers } from "../../evidence/policy/index.ts";
import { DeployedPolicy } from "../../lib/evidence/deployed-policy.ts";
import { parseConfig } from "../../lib/settings/config.ts";
import { buildStack, Synthesized, temporaryFolder, VARIANTS } from "./synthesis.ts";

const GERMAN = JSON.parse(
  readFileSync(join(import.meta.dirname, "..", "..", "evidence", "policy", "de.json"), "utf8"),
);

/** A file of its own with this content, the JSON of which is written unless it is a text. */
function fileWith(content: unknown, name = "layer.json"): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

const policyOf = (...policyFiles: string[]): DeployedPolicy =>
  new DeployedPolicy(parseConfig({ policyFiles }));

/** The layers in the file next to a bundle. */
function layersIn({ files, environment }: DeployedPolicy) {
  const { POLICY_FILE = "" } = policyVariables.parse(environment);
  return (JSON.parse(files[POLICY_FILE] ?? "") as unknown[]).map(parsePolicyLayer);
}

describe("the operator's layers", () => {
  test("take the place of those that ship, or are added, under the name that the functions read", () => {
    const changed = { ...GERMAN, version: "2030-01-01.1" };
    const french = { ...GERMAN, jurisdiction: "FR", status: "in_development" };
    const layers = layersIn(policyOf(fileWith(changed), fileWith(french)));
    const versions = Object.fromEntries(layers.map(({ jurisdiction, version }) => [jurisdiction, version]));
    const shipped = policyLayers.map(({ jurisdiction, version }) => [jurisdiction, version]);
    expect(versions).toEqual({ ...Object.fromEntries(shipped), DE: "2030-01-01.1", FR: GERMAN.version });
  });

  test("are nowhere where none are configured: the functions use those that ship", () => {
    expect(new DeployedPolicy(parseConfig({}))).toMatchObject({ files: {}, environment: {} });
  });

  const policyFiles = [fileWith({ ...GERMAN, version: "2030-01-01.1" })];

  test("are known to the functions that attest, publish them and tell their status, and to no other", () => {
    const functions = new Synthesized({ policyFiles }).all("AWS::Lambda::Function");
    const known = functions.filter(
      ({ Properties }) => "POLICY_FILE" in (Properties.Environment?.Variables ?? {}),
    );
    const names = known.map(({ id }) => id.match(/(?:Handlers|Sealer)([a-z]+)Function/)?.[1]);
    expect(names.toSorted()).toEqual(["attest", "seal", "status"]);
  });

  test("are known to both servers of the web runtime", () => {
    const revisions = new Synthesized({ ...VARIANTS.web, policyFiles }).all(
      "AWS::Lambda::WebFunctionRevision",
    );
    const files = revisions.map(
      ({ Properties }) => Properties.ServiceConfig.EnvironmentVariables.POLICY_FILE,
    );
    expect(files).toEqual(["policy.json", "policy.json"]);
  });
});

test("what a file leaves to decide is a warning of the synthesis", () => {
  const [wording, ...others] = GERMAN.wordings;
  const policyFiles = [
    fileWith({ ...GERMAN, wordings: [{ ...wording, approved_on: "2099-01-01" }, ...others] }),
  ];
  const { stack } = buildStack({ policyFiles });
  expect(
    Annotations.fromStack(stack).findWarning("*", Match.stringLikeRegexp(`${wording.id}.*2099-01-01`)),
  ).toHaveLength(1);
  const shipped = Annotations.fromStack(buildStack().stack);
  expect(shipped.findWarning("*", Match.stringLikeRegexp("policyFiles"))).toEqual([]);
});

describe("a file stops the synthesis in one line that names it where it", () => {
  const [wording, ...others] = GERMAN.wordings;
  test.each<[string, unknown, RegExp]>([
    ["is no JSON", "{", /can't be read as a JSON file$/],
    ["is no layer", [], /is no wording policy layer/],
    ["has a member that no layer has", { ...GERMAN, verdict: "ALLOW" }, /verdict/],
    [
      "has a wording whose digest is another text's",
      { ...GERMAN, wordings: [{ ...wording, text: `${wording.text}!` }, ...others] },
      /wordings\.0.*digest/,
    ],
  ])("%s", (_, content, reason) => {
    const file = fileWith(content);
    const refusal = expect.objectContaining({ code: "misconfigured" });
    expect(() => policyOf(file)).toThrowError(refusal);
    expect(() => policyOf(file)).toThrowError(/^policyFiles: [^\n]+$/);
    expect(() => policyOf(file)).toThrowError(reason);
    expect(() => policyOf(file)).toThrowError(file);
  });

  test("has a text that does not say what it must", () => {
    const text = "Guten Tag, womit kann ich Ihnen helfen?";
    const first = { ...wording, text, digest: formatDigest(hashWording(text)) };
    const file = fileWith({ ...GERMAN, wordings: [first, ...others] });
    expect(() => policyOf(file)).toThrowError(
      `policyFiles: ${file}: Wording ${wording.id}: The text does not say that it is an artificial intelligence.`,
    );
  });

  test("is not there", () => {
    const file = join(temporaryFolder(), "none.json");
    expect(() => policyOf(file)).toThrowError(`policyFiles: ${file} can't be read as a JSON file`);
  });

  test("is the second layer of a country", () => {
    const files = ["a.json", "b.json"].map((name) => fileWith(GERMAN, name));
    expect(() => policyOf(...files)).toThrowError(
      /^policyFiles: \S+b\.json and \S+a\.json are both layers of DE/,
    );
  });
});
