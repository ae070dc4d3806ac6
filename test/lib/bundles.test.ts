// The bundles that are deployed: small, whole, and quick to begin.
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { build, type Metafile } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { bundle } from "../../build/bundle.ts";
import { HANDLERS } from "../../contract/routes.ts";
import { buildOpenApi } from "../../lambdas/api/openapi-document.ts";
import { temporaryFolder } from "./synthesis.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const MAX_BUNDLE_BYTES = 850_000;
const folder = temporaryFolder();
const bundleOf = (handler: string): string => join(folder, "lambda", handler, "index.js");

beforeAll(() => bundle(folder));

/** Loads every bundle in one fresh process, with no package in reach, and says what each exports. */
function loadAll(): Record<string, string> {
  const script = `console.log(JSON.stringify(Object.fromEntries(
    process.argv.slice(1).map((file) => [file, typeof require(file).handler]))));`;
  const env = {
    AWS_REGION: "eu-central-1",
    TABLE_NAME: "table",
    MAC_KEY_ID: "key",
    ROOTS_BUCKET: "bucket",
    BILLS_BUCKET: "bucket",
    LOG_KEY_ID: "key",
    LOG_ORIGIN: "log.example",
    TSA_URLS: "http://tsa.example",
    TSA_CA_FILE: "digicert-trusted-root-g4.pem",
  };
  const cwd = join(folder, "trust-anchors");
  return JSON.parse(
    execFileSync(process.execPath, ["-e", script, ...HANDLERS.map(bundleOf)], { cwd, env, encoding: "utf8" }),
  );
}

/** The modules that run when an entry is loaded: all but those behind a dynamic import. */
function loadedAtOnce({ outputs }: Metafile, entry: string): string[] {
  const output = outputs[entry];
  const chunks =
    output?.imports.filter(({ kind, external }) => kind === "import-statement" && external !== true) ?? [];
  return [
    ...Object.keys(output?.inputs ?? {}),
    ...chunks.flatMap(({ path }) => loadedAtOnce({ inputs: {}, outputs }, path)),
  ];
}

test("every bundle holds all that its handler needs", () => {
  expect(loadAll()).toEqual(Object.fromEntries(HANDLERS.map((handler) => [bundleOf(handler), "function"])));
});

test.each(HANDLERS)("%s stays under 850 KB", (handler) => {
  expect(statSync(bundleOf(handler)).size).toBeLessThan(MAX_BUNDLE_BYTES);
});

test("attest loads what asks and reads authorities only once it stamps: the leaf is safe by then", async () => {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: { attest: "lambdas/attest.ts" },
    outdir: "out",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    mainFields: ["module", "main"],
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  const modules = Object.keys(metafile.inputs);
  // Two small files of that folder read no token: the clock is checked before the leaf is written.
  const isOfTokens = (module: string): boolean =>
    /^(?:core\/timestamps\/(?!clock-difference|x509\/pem)|service\/timestamps\/timestamp)/.test(module);
  expect(modules).toEqual(
    expect.arrayContaining(["evidence/core/timestamps/x509/der.ts", "service/timestamps/timestamps.ts"]),
  );
  expect(modules.filter((module) => /node_modules\/(?:asn1js|pkijs)\//.test(module))).toEqual([]);
  expect(loadedAtOnce(metafile, "out/attest.js")).toContain("lambdas/attest.ts");
  expect(loadedAtOnce(metafile, "out/attest.js").filter(isOfTokens)).toEqual([]);
});

describe("beside the bundles", () => {
  test("lies the API's description, as the schemas have it", () => {
    const text = readFileSync(join(folder, "site", "v1", "openapi.json"), "utf8");
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(buildOpenApi())));
  });
});
