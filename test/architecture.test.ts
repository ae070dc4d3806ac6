// The arrows between the folders, held over every import statement: core ← service ← lambdas | local.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path/posix";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const MAX_LINES = 250;
const MAX_TEST_LINES = 320;
// Tests may import anything; the others are built or fetched.
const NOT_OURS = new Set(["test", "node_modules", "dist", "cdk.out", "coverage"]);

/** What the files of a folder, or one file, may import: of us (folders end in a slash), and of others. */
interface Arrows {
  readonly ours: readonly string[];
  readonly packages: readonly string[];
}

/** A part of the service: what it may import of the other parts. */
const serviceArrows = (...parts: readonly string[]): Arrows => ({
  ours: ["core/", ...parts.map((part) => `service/${part}`)],
  packages: ["@aws-sdk", "@aws-lambda-powertools", "node:*", "zod"],
});

// The longest name that a file begins with is its rule. A package name covers what is below it.
const ARROWS: Readonly<Record<string, Arrows>> = {
  // Pure: a browser runs it, so of packages only those that touch neither network, clock nor file.
  "core/": { ours: ["core/"], packages: ["@noble/hashes", "canonicalize", "zod"] },
  "policy/": { ours: ["policy/", "core/"], packages: [] },
  // The only folder that knows the AWS SDK. Its own files put the parts together: table ← ledger ← all others.
  "service/": serviceArrows(""),
  "service/table/": serviceArrows("table/"),
  "service/ledger/": serviceArrows("ledger/", "table/", "metric-names.ts"),
  "service/tenants/": serviceArrows("tenants/", "ledger/chain.ts", "table/", "deployment.ts"),
  "service/seals/": serviceArrows("seals/", "ledger/", "table/", "timestamps/ports.ts", "metric-names.ts"),
  "service/timestamps/": serviceArrows("timestamps/"),
  "service/attestations/": serviceArrows(
    "attestations/",
    "reports/",
    "timestamps/ports.ts",
    "tenants/",
    "ledger/",
    "table/",
    "metric-names.ts",
  ),
  "service/reports/": serviceArrows("reports/", "seals/", "tenants/", "ledger/", "table/"),
  "service/audit/": serviceArrows("audit/", "seals/", "tenants/", "ledger/", "table/"),
  "lambdas/": {
    ours: ["lambdas/", "service/", "core/", "policy/"],
    packages: ["@aws-lambda-powertools", "@middy", "aws-lambda", "node:*", "zod"],
  },
  "local/": {
    ours: ["local/", "lambdas/", "service/", "core/", "policy/"],
    packages: ["asn1js", "aws-lambda", "node:*", "pkijs", "zod"],
  },
  // The reader's command line and page: what they find must rest on nothing but the receipt and core.
  "cli/": { ours: ["cli/", "core/", "policy/"], packages: ["node:*", "zod"] },
  // The operator's half reaches the deployment through the service's own code; it is loaded when it is called.
  "cli/admin/": { ours: ["cli/", "core/", "policy/", "service/"], packages: ["node:*", "zod"] },
  "web/": { ours: ["web/", "core/", "policy/"], packages: [] },
  // A customer's app embeds it: it must not bring the service's code along.
  "lib/": {
    ours: [
      "lib/",
      "service/environment.ts",
      "service/metric-names.ts",
      "lambdas/routes.ts",
      "lambdas/problem.ts",
      "core/errors.ts",
      "web/headers.ts",
    ],
    packages: ["aws-cdk-lib", "constructs", "node:*", "zod"],
  },
  // What an integrator runs beside their own stack.
  "client/": { ours: ["client/", "core/"], packages: ["node:*", "zod"] },
  // As an integrator's own program would be: the client, and Node.
  "examples/": { ours: ["client/index.ts", "client/node.ts"], packages: ["node:*"] },
  "bin/": {
    ours: ["bin/", "cli/", "client/", "local/", "lambdas/", "service/", "core/", "policy/"],
    packages: ["node:*", "zod"],
  },
  "build/": {
    ours: ["build/", "lambdas/", "web/headers.ts"],
    packages: ["esbuild", "node:*", "zod"],
  },
  "bin/app.ts": { ours: ["lib/"], packages: ["aws-cdk-lib", "cdk-nag", "node:*"] },
  "bench/": {
    ours: ["bench/", "build/bundle.ts", "local/", "lambdas/", "service/", "core/", "policy/"],
    packages: ["asn1js", "node:*", "pkijs"],
  },
};

/** What core must not touch though no import shows it. */
const IMPURE =
  /\b(?:process\.|Buffer\b|console\.|fetch\(|setTimeout\(|setInterval\(|performance\.|Math\.random|Date\.now|new Date\(\)|getRandomValues|localStorage|document\.|window\.)/g;

const STATIC_IMPORT = /^\s*(?:import|export)\s(?:[^"'`;]*?\sfrom\s*)?["']([^"']+)["']/gm;
// A name that is partly computed is known by the folder that it begins with.
const DYNAMIC_IMPORT = /\bimport\(\s*(?:["']([^"']+)["']\s*[,)]|`([^`$]+\/)\$\{)?/g;
const COMMENT = /^\s*\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** Every module that a source names; a name that is computed comes out as `(computed)`. */
function importsOf(source: string): string[] {
  const code = source.replaceAll(COMMENT, "");
  return [...code.matchAll(STATIC_IMPORT), ...code.matchAll(DYNAMIC_IMPORT)].map(
    ([, name, folder]) => name ?? folder ?? "(computed)",
  );
}

function isAllowed(file: string, imported: string): boolean {
  const [scope] = Object.keys(ARROWS)
    .filter((name) => file.startsWith(name))
    .sort((a, b) => b.length - a.length);
  const arrows = scope === undefined ? undefined : ARROWS[scope];
  if (arrows === undefined) return false;
  if (!imported.startsWith(".")) return arrows.packages.some((name) => isWithinPackage(imported, name));
  const target = normalize(join(dirname(file), imported));
  return arrows.ours.some((name) => (name.endsWith("/") ? target.startsWith(name) : target === name));
}

const isWithinPackage = (imported: string, name: string): boolean =>
  name === "node:*" ? imported.startsWith("node:") : imported === name || imported.startsWith(`${name}/`);

const sourcesIn = (folder: string): string[] =>
  existsSync(join(ROOT, folder))
    ? readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .map((name) => `${folder}${name}`)
    : [];

const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");
const folders = Object.keys(ARROWS).filter((name) => name.endsWith("/"));

describe("the folders", () => {
  test.each(folders)("%s imports only what its arrows allow", (folder) => {
    const forbidden = sourcesIn(folder).flatMap((file) =>
      importsOf(read(file))
        .filter((imported) => !isAllowed(file, imported))
        .map((imported) => `${file} imports ${imported}`),
    );
    expect(forbidden).toEqual([]);
  });

  test.each(["core/", "service/", "lambdas/", "local/"])("%s is where this test looks for it", (folder) => {
    expect(sourcesIn(folder).flatMap((file) => importsOf(read(file))).length).toBeGreaterThan(10);
  });

  test("every folder of sources has its arrows", () => {
    const withSources = readdirSync(ROOT, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !NOT_OURS.has(entry.name) && !entry.name.startsWith("."))
      .map((entry) => `${entry.name}/`)
      .filter((folder) => sourcesIn(folder).length > 0);
    expect(withSources.filter((folder) => !folders.includes(folder))).toEqual([]);
  });

  test("core touches no clock, no chance, no input or output through a global either", () => {
    const impure = sourcesIn("core/").flatMap((file) =>
      [...read(file).replaceAll(COMMENT, "").matchAll(IMPURE)].map(([name]) => `${file} uses ${name}`),
    );
    expect(impure).toEqual([]);
  });

  test(`no source is longer than ${MAX_LINES} lines, and no test than ${MAX_TEST_LINES}`, () => {
    const long = [...folders, "test/"]
      .flatMap(sourcesIn)
      // What is no logic may be as long as it is: vectors' generators, and the words of the page.
      .filter((file) => !file.startsWith("test/vectors/") && !file.startsWith("web/text/"))
      .map((file) => ({ file, lines: read(file).trimEnd().split("\n").length }))
      .filter(({ file, lines }) => lines > (file.startsWith("test/") ? MAX_TEST_LINES : MAX_LINES));
    expect(long).toEqual([]);
  });
});

describe("this test", () => {
  test.each([
    ['import { a } from "x";', "x"],
    ['import a from "x";', "x"],
    ['import * as a from "x";', "x"],
    ['import type { A } from "x";', "x"],
    ['import { a, type B } from "x";', "x"],
    ['import {\n  a,\n  b,\n} from "x";', "x"],
    ['import "x";', "x"],
    ['import a from "./x.json" with { type: "json" };', "./x.json"],
    ['export { a } from "x";', "x"],
    ['export * from "x";', "x"],
    ['export type { A } from "x";', "x"],
    ['const a = await import("x");', "x"],
    ['type A = import("x").A;', "x"],
    [`const a = await import(\`./x/\${name}.ts\`);`, "./x/"],
    [`const a = await import(\`./x\${name}.ts\`);`, "(computed)"],
    ["const a = await import(name);", "(computed)"],
    ['const a = await import("x" + name);', "(computed)"],
  ])("sees the import in %j", (source, imported) => {
    expect(importsOf(`// first\n${source}\nconst b = "y";\n`)).toEqual([imported]);
  });

  test("takes neither comments, strings nor other words for imports", () => {
    const source =
      '// import "x";\n/* export * from "x"; */\nexport const a = "from";\nimport.meta.dirname;\n';
    expect(importsOf(source)).toEqual([]);
  });

  test.each([
    ["core/formats/receipt.ts", "node:crypto"],
    ["core/formats/receipt.ts", "crypto"],
    ["core/formats/receipt.ts", "@aws-sdk/client-kms"],
    ["core/formats/receipt.ts", "zodiac"],
    ["core/timestamps/x509/der.ts", "../../../service/ledger/log.ts"],
    ["core/formats/receipt.ts", "../../policy/index.ts"],
    ["service/ledger/log.ts", "../../lambdas/attest.ts"],
    ["service/ledger/log.ts", "../../local/http-server.ts"],
    ["service/ledger/log.ts", "../../policy/index.ts"],
    ["service/ledger/log.ts", "../seals/sealer.ts"],
    ["service/table/table.ts", "../ledger/log.ts"],
    ["service/reports/reports.ts", "../operator.ts"],
    ["lambdas/attest.ts", "@aws-sdk/client-kms"],
    ["lambdas/attest.ts", "../local/http-server.ts"],
    ["local/dynamodb.ts", "@aws-sdk/client-dynamodb"],
    ["web/verify.ts", "../service/ledger/log.ts"],
    ["web/verify.ts", "node:fs"],
    ["cli/commands/verify.ts", "../../service/ledger/log.ts"],
    ["cli/main.ts", "../service/ledger/log.ts"],
    ["cli/admin/key.ts", "@aws-sdk/client-dynamodb"],
    ["cli/admin/key.ts", "../../local/stack.ts"],
    ["lib/attestation-service.ts", "../service/ledger/log.ts"],
    ["lib/attestation-service.ts", "../core/formats/receipt.ts"],
    ["lib/attestation-service.ts", "../lambdas/attest.ts"],
    ["bin/local.ts", "../lib/attestation-service.ts"],
    ["bin/receipts.ts", "@aws-sdk/client-dynamodb"],
    ["service/ledger/log.ts", "../../lib/attestation-service.ts"],
    ["core/formats/receipt.ts", "../../../elsewhere/core/formats/receipt.ts"],
    ["core/formats/receipt.ts", "(computed)"],
    ["local/handlers.ts", "../lib/"],
    ["other/file.ts", "zod"],
  ])("refuses that %s imports %s", (file, imported) => {
    expect(isAllowed(file, imported)).toBe(false);
  });

  test.each([
    ["core/formats/receipt.ts", "../merkle/hash.ts"],
    ["core/timestamps/x509/der.ts", "../../bytes.ts"],
    ["core/merkle/hash.ts", "@noble/hashes/sha2.js"],
    ["service/ledger/macs.ts", "@aws-sdk/client-kms"],
    ["lambdas/middleware/api.ts", "../../service/ledger/log.ts"],
    ["local/handlers.ts", "../lambdas/"],
    ["lib/tables/ledger.ts", "../../service/environment.ts"],
    ["lib/attestation-service.ts", "../lambdas/routes.ts"],
    ["cli/commands/verify.ts", "../../core/verify/verify-receipt.ts"],
    ["cli/admin/key.ts", "../../service/tenants/api-keys.ts"],
    ["bin/app.ts", "../lib/attestation-service.ts"],
  ])("allows that %s imports %s", (file, imported) => {
    expect(isAllowed(file, imported)).toBe(true);
  });
});
