// docs/policy-layer.md lists the layers, methods, wordings and findings that there are. `-u` renews its tables.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fillPage } from "../../bench/markdown.ts";
import type { PolicyLayer, Wording } from "../../evidence/core/policy/policy-layer.ts";
import { policyLayers } from "../../evidence/policy/index.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PAGE = join(ROOT, "docs", "policy-layer.md");
const page = readFileSync(PAGE, "utf8");
const countries = new Intl.DisplayNames("en", { type: "region" });

const code = (text: string): string => `\`${text}\``;
const row = (...cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const table = (headings: readonly string[], rows: readonly string[]): string =>
  [row(...headings), row(...headings.map(() => "---")), ...rows].join("\n");

const active = policyLayers.filter(({ status }) => status === "active");

const describeLayer = ({ jurisdiction, status, version, wordings }: PolicyLayer): string =>
  row(
    `${countries.of(jurisdiction)} (${jurisdiction})`,
    code(status),
    code(version),
    String(wordings.length),
  );

/** An id names the language of a text where it is not the country's own. */
const isInOwnLanguage = ({ id, language }: Wording): boolean => !id.includes(`-${language}-`);

const describeId = ({ id, retired_on }: Wording): string =>
  code(id) + (retired_on === null ? "" : ` (to ${retired_on})`);

type Method = PolicyLayer["disclosure_methods"][number];

/** Every spoken wording of calls may be reported: its id stands by the method of saying it. */
const describeMethod = ({ jurisdiction, wordings }: PolicyLayer, method: Method): string => {
  const own = wordings.filter(({ methods }) => methods.includes(method.id));
  const ids = own.filter(isInOwnLanguage).map(describeId).join(", ");
  const cell = method.reported ? "each spoken wording of calls" : ids;
  return row(jurisdiction, code(method.id), method.modalities.join(", "), cell);
};

const describeMethods = (layer: PolicyLayer): string[] =>
  layer.disclosure_methods.map((method) => describeMethod(layer, method));

test("docs/policy-layer.md has the tables that the layers come to", async () => {
  const tables = {
    jurisdictions: table(["jurisdiction", "status", "version", "wordings"], policyLayers.map(describeLayer)),
    wordings: table(["jurisdiction", "method", "modalities", "wordings"], active.flatMap(describeMethods)),
  };
  await expect(fillPage(page, tables)).toMatchFileSnapshot(PAGE);
});

test("docs/policy-layer.md explains every finding that there is, and no other", () => {
  const source = readFileSync(join(ROOT, "evidence", "core", "policy", "policy.ts"), "utf8");
  const [, union = ""] = /export type PolicyFinding =([^;]+);/.exec(source) ?? [];
  const findings = [...union.matchAll(/"(\w+)"/g)].map(([, name]) => name);
  const explained = [...page.matchAll(/^\| `((?:layer|method|wording)_\w+)` \|/gm)].map(([, name]) => name);
  expect(findings.length).toBeGreaterThan(5);
  expect(explained.sort()).toEqual(findings.sort());
});

test.each([
  "docs/policy-layer.md",
  "docs/when-to-disclose.md",
  "docs/client.md",
  "docs/library.md",
  "clients/client/request.ts",
  "evidence/core/policy/lint-wording.ts",
  "tools/cli/commands/wordings-fill.ts",
])("%s says the one rule about names, in the same words", (file) => {
  const text = readFileSync(join(ROOT, file), "utf8").replaceAll(/\s+(?:\*\s+)?/g, " ");
  expect(text).toContain("Hash the registered text, never the spoken one");
});
