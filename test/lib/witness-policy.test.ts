// The operator's witness policy: what the sealer is given, and what stops the synthesis.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { witnessVariables } from "../../contract/environment-variables.ts";
import { WitnessPolicy } from "../../lib/evidence/witness-policy.ts";
import { parseConfig } from "../../lib/settings/config.ts";
import { Synthesized, temporaryFolder, VARIANTS, witnessPolicyFile } from "./synthesis.ts";

const VKEY = "harbor.example/witness+034ae5a7+BAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH";
const LOCAL = `witness harbor ${VKEY} http://127.0.0.1:7380`;
const policyOf = (settings: object): WitnessPolicy => new WitnessPolicy(parseConfig(settings));

test("lies next to the sealer's bundle without its comments, under the name that the sealer reads", () => {
  const { text, files, environment } = policyOf({ witnessPolicyFile: witnessPolicyFile() });
  expect(text).toBe(`witness harbor ${VKEY} https://harbor.example\nquorum harbor\n`);
  const { WITNESS_POLICY_FILE: file = "" } = witnessVariables.parse(environment);
  expect(files).toEqual({ [file]: text });
});

test("is explained by an example that the sealer would take", () => {
  const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "witnesses.md"), "utf8");
  const [, example = ""] = page.match(/```\n(witness [^`]*)```/) ?? [];
  const file = join(temporaryFolder(), "witnesses.txt");
  writeFileSync(file, example);
  const { text } = policyOf({ stage: "production", witnessPolicyFile: file });
  expect(text?.match(/^witness /gm)).toHaveLength(2);
});

test("is known to the sealer, which asks them, and to the status, which says how old their quorum is, alone", () => {
  const functions = new Synthesized(VARIANTS.production).all("AWS::Lambda::Function");
  const known = functions.filter(
    ({ Properties }) => "WITNESS_POLICY_FILE" in (Properties.Environment?.Variables ?? {}),
  );
  const names = known.map(({ id }) => id.match(/(?:Handlers|Sealer)([a-z]+)Function/)?.[1]);
  expect(names.toSorted()).toEqual(["seal", "status"]);
});

test("is known to the server of the web runtime that reads, and to no other", () => {
  const stack = new Synthesized({ ...VARIANTS.web, witnessPolicyFile: witnessPolicyFile() });
  const revisions = stack.all("AWS::Lambda::WebFunctionRevision");
  const known = revisions.filter((resource) => JSON.stringify(resource).includes("WITNESS_POLICY_FILE"));
  expect(known.map(({ id }) => id)).toEqual([expect.stringContaining("Webread")]);
});

test("is nowhere where none is configured", () => {
  expect(policyOf({})).toMatchObject({ text: null, files: {}, environment: {} });
});

test("of a trial may name a witness over plain HTTP, that of a production may not", () => {
  const settings = { witnessPolicyFile: witnessPolicyFile(LOCAL) };
  expect(policyOf(settings).environment).toMatchObject({ WITNESS_PLAIN_HTTP: "true" });
  expect(() => policyOf({ ...settings, stage: "production" })).toThrowError(/must begin with https:\/\/$/);
  const { Variables } = new Synthesized(VARIANTS.production).one("AWS::Lambda::Function", /Sealerseal/)
    .Properties.Environment;
  expect(Variables).toMatchObject({ WITNESS_PLAIN_HTTP: "false" });
});

describe("stops the synthesis in one line where it", () => {
  test.each([
    ["is none", "what is this", "line 1 of the policy: a line of a policy is none of log, witness, group"],
    ["asks nobody", `witness harbor ${VKEY}`, "the policy has no witness with a URL"],
    ["has a key with a wrong id", LOCAL.replace("034ae5a7", "034ae5a8"), "the id of a note's key"],
    ["is too long", `log ${"x".repeat(6_000)}`, "has more than 5000 characters"],
  ])("%s", (_, line, reason) => {
    const file = witnessPolicyFile(line);
    const refusal = expect.objectContaining({ code: "misconfigured" });
    expect(() => policyOf({ witnessPolicyFile: file })).toThrowError(refusal);
    expect(() => policyOf({ witnessPolicyFile: file })).toThrowError(/^witnessPolicyFile: [^\n]+$/);
    expect(() => policyOf({ witnessPolicyFile: file })).toThrowError(reason);
  });

  test("is not there", () => {
    const file = join(temporaryFolder(), "none.txt");
    expect(() => policyOf({ witnessPolicyFile: file })).toThrowError(
      `witnessPolicyFile: ${file} can't be read`,
    );
  });

  test("has no quorum line", () => {
    const file = join(temporaryFolder(), "witnesses.txt");
    writeFileSync(file, `${LOCAL}\n`);
    expect(() => policyOf({ witnessPolicyFile: file })).toThrowError("a policy has no quorum line");
  });
});
