// The app as the CDK CLI runs it: a process of its own, with no credentials, no network and no home.
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseCertificatesPem } from "../../evidence/core/timestamps/x509/pem.ts";
import { COMPILED } from "../support/compiled.ts";
import { fakeAssets, temporaryFolder } from "./synthesis.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const { context } = JSON.parse(readFileSync(join(ROOT, "cdk.json"), "utf8"));

interface Run {
  readonly code: number;
  readonly stderr: string;
  readonly assembly: string;
}

/** `node bin/app.ts`, as cdk.json says, with these settings. */
function runApp(settings: Record<string, unknown>): Promise<Run> {
  const assembly = temporaryFolder();
  const env = {
    PATH: "/nowhere",
    HOME: "/nowhere",
    AWS_EC2_METADATA_DISABLED: "true",
    // rules.test.ts has CloudFormation's own rules checked; they take most of a synthesis.
    CDK_VALIDATION: "false",
    ...COMPILED,
    CDK_OUTDIR: assembly,
    CDK_CONTEXT_JSON: JSON.stringify({ ...context, ...settings }),
  };
  return new Promise((resolve) => {
    execFile(process.execPath, ["bin/app.ts"], { cwd: ROOT, env }, (error, _stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stderr, assembly });
    });
  });
}

/** What belongs to a person is one line; Node's own notes about itself are none. */
const linesOf = (stderr: string): string[] => stderr.trimEnd().split("\n");

test.concurrent("it synthesizes, and puts the trust anchors beside the bundles that check tokens", async () => {
  const { code, assembly } = await runApp({ assetsFolder: fakeAssets() });
  expect(code).toBe(0);
  expect(existsSync(join(assembly, "disclosure-receipts.template.json"))).toBe(true);
  const bundles = readdirSync(assembly)
    .map((name) => join(assembly, name))
    .filter((folder) => existsSync(join(folder, "trust-anchors.pem")));
  // The three functions have the same stand-in for a bundle here, so they share one asset.
  expect(bundles).toHaveLength(1);
  for (const folder of bundles) {
    expect(existsSync(join(folder, "index.js"))).toBe(true);
    expect(parseCertificatesPem(readFileSync(join(folder, "trust-anchors.pem"), "utf8"))).toHaveLength(2);
  }
});

test.concurrent("a wrong setting stops it with one line", async () => {
  const { code, stderr, assembly } = await runApp({ assetsFolder: fakeAssets(), stage: "prod" });
  expect(code).toBe(1);
  expect(linesOf(stderr)).toEqual(["stage: must be trial or production"]);
  expect(readdirSync(assembly)).toEqual([]);
});

test.concurrent("a missing bundle stops it with one line that says what to do", async () => {
  const assetsFolder = join(temporaryFolder(), "none");
  const { code, stderr } = await runApp({ assetsFolder });
  expect(code).toBe(1);
  expect(linesOf(stderr)).toEqual([expect.stringMatching(/^\S+ is missing: run `npm run bundle` first$/)]);
});
