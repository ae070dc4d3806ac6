import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MODALITIES } from "../../../evidence/core/formats/attestation-request.ts";
import { evaluatePolicy, lookupLayer, rulesOf } from "../../../evidence/core/policy/policy.ts";
import { parsePolicyLayer } from "../../../evidence/core/policy/policy-layer.ts";
import { policyLayers } from "../../../evidence/policy/index.ts";

const FOLDER = new URL("../../../evidence/policy/", import.meta.url);

const files = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, FOLDER), "utf8"));
const germany = lookupLayer(policyLayers, "DE");

test.each(files)("%s is a layer named after its jurisdiction, and ships", (file) => {
  const layer = parsePolicyLayer(read(file));
  expect(file).toBe(`${layer.jurisdiction.toLowerCase()}.json`);
  expect(policyLayers).toContainEqual(layer);
});

test("every layer that ships is one of the files, once", () => {
  expect(policyLayers.map((layer) => `${layer.jurisdiction.toLowerCase()}.json`)).toEqual(files.sort());
});

test("the coverage is the published one", () => {
  expect(Object.fromEntries(policyLayers.map((layer) => [layer.jurisdiction, layer.status]))).toEqual({
    AT: "planned",
    BE: "planned",
    DE: "active",
    NL: "in_development",
  });
});

test.each(policyLayers)(
  "layer $jurisdiction rests on Art. 50(1) and (5), applicable since 2 August 2026",
  (layer) => {
    expect(layer.legal_reference).toMatchObject({
      eli: "http://data.europa.eu/eli/reg/2024/1689/oj",
      provisions: ["Art. 50(1)", "Art. 50(5)"],
      applicable_since: "2026-08-02",
    });
  },
);

test("a layer that is not active approves nothing", () => {
  const idle = policyLayers.filter((layer) => layer.status !== "active");
  expect(idle.flatMap((layer) => layer.wordings)).toEqual([]);
});

test.each(germany.wordings)(
  "$id: another SHA-256 over the bytes of its text gives its digest",
  ({ text, digest }) => {
    expect(`sha256:${createHash("sha256").update(text, "utf8").digest("hex")}`).toBe(digest);
  },
);

test.each(germany.wordings)("$id says that it is AI and no human, in its language", ({ text, language }) => {
  expect(text).toMatch(
    language === "de" ? /\bKI\b|künstliche[nr]? Intelligenz/ : /\bAI\b|[Aa]rtificial intelligence/,
  );
  expect(text).toMatch(
    language === "de"
      ? /(?:nicht (?:mehr )?(?:mit|von) einem|kein) Mensch/
      : /(?:not|no longer|No)\b.* human/,
  );
});

const GAP_AFTER = { de: " für {operator}", en: " on behalf of {operator}" };

test.each(germany.wordings)("$id has no gap but for whom the AI speaks, behind a preposition", (wording) => {
  const { text, language } = wording;
  const rest = text.replace(GAP_AFTER[language === "de" ? "de" : "en"], "");
  expect(rest).not.toMatch(/[{}[\]<>$%_]|\.\.\.|…/);
});

test.each(germany.wordings)(
  "$id is allowed from the day it was approved by each of its methods, and asked to change where it was reported",
  (wording) => {
    for (const disclosure_method of wording.methods) {
      const facts = { modality: wording.modality, disclosure_method, subject_hash: wording.digest };
      const { policy, verdict } = evaluatePolicy(
        rulesOf(germany),
        facts,
        `${wording.approved_on}T00:00:00.000Z`,
      );
      const isReported = disclosure_method === "reported_after_call";
      expect({ verdict, id: policy.wording_id, findings: policy.findings }).toEqual({
        verdict: isReported ? "MODIFY" : "ALLOW",
        id: wording.id,
        findings: isReported ? ["method_reported"] : [],
      });
    }
  },
);

test("Germany's spoken wordings of calls may be reported after the call, and no other ones", () => {
  const isSpoken = (method: string): boolean => method.startsWith("spoken_");
  const spoken = germany.wordings.filter((one) => one.modality === "voice" && one.methods.some(isSpoken));
  const reported = germany.wordings.filter((one) => one.methods.includes("reported_after_call"));
  expect(reported).toEqual(spoken);
  expect(germany.disclosure_methods.filter((method) => method.reported).map(({ id }) => id)).toEqual([
    "reported_after_call",
  ]);
});

test("Germany has a wording in German and in English for each method of each modality", () => {
  for (const language of ["de", "en"]) {
    for (const modality of MODALITIES) {
      const methods = germany.disclosure_methods.filter((method) => method.modalities.includes(modality));
      const covered = germany.wordings
        .filter((wording) => wording.modality === modality && wording.language === language)
        .flatMap((wording) => wording.methods);
      expect([...new Set(covered)].sort()).toEqual(methods.map((method) => method.id).sort());
    }
  }
});
