// What a customer has after `npm install disclosure-receipts`.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { Customer, ROOT, reached } from "./customer.ts";
import { ADAPTERS, APP, CLIENT_USE, IMPORTS, WRONG_STAGE } from "./customer-code.ts";

const MAX_PACKED_FILES = 480;
const CDK = join(ROOT, "node_modules", "aws-cdk", "bin", "cdk");
const customer = new Customer();
afterAll(() => rmSync(customer.folder, { recursive: true }));
const installed = join(customer.folder, "node_modules", "disclosure-receipts");

describe("the package", () => {
  test("installs nothing beside itself", () => {
    const { packages } = JSON.parse(readFileSync(join(customer.folder, "package-lock.json"), "utf8"));
    expect(Object.keys(packages)).toEqual(["", "node_modules/disclosure-receipts"]);
  });

  test("holds what it needs, and neither sources nor tests", () => {
    const folders = new Set(customer.packed.map((path) => path.split("/").slice(0, 2).join("/")));
    const built = [
      "adapters",
      "cli",
      "client",
      "lambda",
      "lib",
      "policy",
      "server",
      "site",
      "trust-anchors",
      ...["types", "types-cjs"],
      ...["verify", "web"],
    ];
    const parts = [
      "LICENSE",
      "README.md",
      "package.json",
      "dist/THIRD-PARTY-LICENSES",
      ...built.map((name) => `dist/${name}`),
    ];
    expect([...folders].sort()).toEqual(parts.sort());
    expect(customer.packed.length).toBeLessThan(MAX_PACKED_FILES);
  });

  test("names no path of the machine that built it", () => {
    const telling = customer.packed.filter((path) =>
      readFileSync(join(installed, path), "latin1").includes(ROOT),
    );
    expect(telling).toEqual([]);
  });

  test("holds the licences of the code that is bundled in", () => {
    const text = readFileSync(join(installed, "dist", "THIRD-PARTY-LICENSES"), "utf8");
    for (const name of ["zod", "@noble/hashes", "canonicalize", "@middy/core"]) {
      const holder = new RegExp(`^${name} \\d+\\.\\d+\\.\\d+: \\S+\\n[^-]*copyright`, "im");
      expect(text).toMatch(holder);
    }
    expect(text).not.toContain("undefined");
  });
});

describe("the construct", () => {
  test.each(["app.mjs", "app.cjs"] as const)("synthesizes from %s with no credentials", (name) => {
    customer.write(
      name,
      IMPORTS[name] + APP.replace("new Stack(new App()", "new Stack(new App({ outdir: process.env.OUT })"),
    );
    const out = join(customer.folder, `${name}.out`);
    const { status, stderr } = customer.node([name], { OUT: out, CDK_OUTDIR: out, CDK_VALIDATION: "false" });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const { Resources } = JSON.parse(readFileSync(join(out, "Mine.template.json"), "utf8"));
    const types = Object.values<{ Type: string; Properties: { Code?: { S3Key?: string } } }>(Resources);
    const functions = types.filter(({ Type }) => Type === "AWS::Lambda::Function");
    expect(functions.length).toBeGreaterThan(5);
    const uploaded = readdirSync(out).filter((file) => existsSync(join(out, file, "trust-anchors.pem")));
    expect(uploaded.length).toBeGreaterThan(0);
    for (const folder of uploaded) expect(existsSync(join(out, folder, "index.js"))).toBe(true);
  });

  test("is synthesized by the CDK's own program, with no credentials", () => {
    customer.write("whole.mjs", IMPORTS["app.mjs"] + APP);
    const app = `"${process.execPath}" whole.mjs`;
    const { status, stderr } = customer.node([CDK, "synth", "--quiet", "--no-notices", "--app", app]);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(readdirSync(join(customer.folder, "cdk.out"))).toContain("Mine.template.json");
  });

  test("says in one line what to do where a part of it is missing", () => {
    const [site, away] = [join(installed, "dist", "site"), join(installed, "dist", "away")];
    renameSync(site, away);
    customer.write("missing.mjs", IMPORTS["app.mjs"] + APP);
    const { stderr } = customer.node(["missing.mjs"]);
    renameSync(away, site);
    expect(stderr).toContain(`Misconfigured: ${site} is missing: install disclosure-receipts again\n`);
  });

  test("refuses a wrong setting in one line", () => {
    customer.write("wrong.mjs", IMPORTS["app.mjs"] + APP.replace('"trial"', '"prod"'));
    const { status, stderr } = customer.node(["wrong.mjs"]);
    expect(status).toBe(1);
    expect(stderr).toContain("Misconfigured: stage: must be trial or production\n");
  });
});

test.each(["node16", "nodenext", "bundler"])(
  "the declarations are whole for %s resolution, unskipped",
  (resolution) => {
    customer.write("app.mts", IMPORTS["app.mts"] + APP + WRONG_STAGE);
    customer.write("app.cts", IMPORTS["app.mts"] + APP + WRONG_STAGE);
    customer.write("client.mts", CLIENT_USE);
    const module = resolution === "bundler" ? "esnext" : resolution;
    const tsc = join(customer.folder, "node_modules", "typescript", "bin", "tsc");
    const settings = [
      "--strict",
      "--noEmit",
      "--skipLibCheck",
      "false",
      "--types",
      "node",
      "--target",
      "es2022",
    ];
    const files = ["app.mts", "client.mts", ...(resolution === "bundler" ? [] : ["app.cts"])];
    const { stdout } = customer.node([
      tsc,
      ...settings,
      "--module",
      module,
      "--moduleResolution",
      resolution,
      ...files,
    ]);
    expect(stdout).toBe("");
  },
);

describe("the command line", () => {
  const program = join(customer.folder, "node_modules", ".bin", "disclosure-receipts");

  test("knows its version", () => {
    expect(customer.node([program, "--version"]).stdout).toBe(`disclosure-receipts ${manifest.version}\n`);
  });

  test("shows its help", () => {
    expect(customer.node([program, "--help"]).stdout).toMatch(/^Usage: disclosure-receipts COMMAND/);
  });

  test.each([
    ["receipts", 0],
    ["damaged", 1],
  ])("verifies %s with exit status %i", (folder, status) => {
    const vectors = join(ROOT, "test", "vectors", "evidence", folder);
    const [file = ""] = readdirSync(vectors).filter((name) => name.endsWith(".json"));
    expect(customer.node([program, "verify", "--offline", join(vectors, file)]).status).toBe(status);
  });

  test("loads the AWS SDK for operators alone", () => {
    const report = join(ROOT, "test", "vectors", "evidence", "receipts", "hand-off.json");
    expect(sdkFilesOf("verify", report)).toBe(0);
    expect(sdkFilesOf("admin", "--help")).toBe(0);
    expect(sdkFilesOf("admin", "status")).toBeGreaterThan(0);
  });

  test("tells operators in one line what they must set first", () => {
    const { status, stderr } = customer.node([program, "admin", "status"], { AWS_REGION: "" });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: "disclosure-receipts: no AWS region is set; give a --region, or use --local\n",
    });
  });

  /** How many of the files that a command loads hold code of the SDK; the bundler names the source of each part. */
  function sdkFilesOf(...args: string[]): number {
    const hook = `import { readFileSync } from "node:fs"; import { registerHooks } from "node:module";
      registerHooks({ load(url, context, next) {
        const isSdk = url.startsWith("file:") && /node_modules\\/@(?:aws-sdk|smithy)\\//.test(readFileSync(new URL(url), "utf8"));
        if (isSdk) process.stderr.write("SDK\\n");
        return next(url, context); } });`;
    const option = `data:text/javascript,${encodeURIComponent(hook)}`;
    const { stderr } = customer.node(["--import", option, program, ...args], { AWS_REGION: "" });
    return stderr.split("\n").filter((line) => line === "SDK").length;
  }
});

describe("the client", () => {
  const SHOW = "console.log(typeof DisclosureClient, typeof hashWordingText)";

  test.each([
    [
      "an ES module",
      "client.mjs",
      `import { DisclosureClient, hashWordingText } from "disclosure-receipts/client"; ${SHOW}`,
    ],
    [
      "CommonJS",
      "client.cjs",
      `const { DisclosureClient, hashWordingText } = require("disclosure-receipts/client"); ${SHOW}`,
    ],
  ])("is imported from %s", (_, name, source) => {
    customer.write(name, source);
    expect(customer.node([name]).stdout).toBe("function function\n");
  });

  test.each(["index.js", "index.cjs"])("needs nothing of Node in %s", (name) => {
    for (const text of reached(join(installed, "dist", "client", name))) {
      expect(text).not.toMatch(/(?:from\s*|require\(|import\()["'](?:node:|fs|path|crypto|zlib)/);
    }
  });

  test("throws errors of one class, from whichever entry they come", () => {
    customer.write(
      "classes.mjs",
      `import { ClientError } from "disclosure-receipts/client";
      import * as onNode from "disclosure-receipts/client/node";
      console.log(ClientError === onNode.ClientError);`,
    );
    expect(customer.node(["classes.mjs"]).stdout).toBe("true\n");
    // In CommonJS each entry is one file with classes of its own, and the code tells errors apart.
    customer.write(
      "classes.cjs",
      `const { ClientError } = require("disclosure-receipts/client");
      const { isClientError } = require("disclosure-receipts/client/node");
      console.log(isClientError(new ClientError("refused", ""), "refused"));`,
    );
    expect(customer.node(["classes.cjs"]).stdout).toBe("true\n");
  });
});

describe("an adapter", () => {
  test.each(Object.entries(ADAPTERS))("%s is loaded without the stack that it is for", (entry, name) => {
    const show = `console.log(typeof Disclosure, typeof ${name});`;
    customer.write(
      "adapter.mjs",
      `import { Disclosure, ${name} } from "disclosure-receipts/${entry}"; ${show}`,
    );
    customer.write(
      "adapter.cjs",
      `const { Disclosure, ${name} } = require("disclosure-receipts/${entry}"); ${show}`,
    );
    for (const file of ["adapter.mjs", "adapter.cjs"])
      expect(customer.node([file])).toMatchObject({ stdout: "function function\n", stderr: "" });
  });

  test("has the client's errors and one core", () => {
    customer.write(
      "adapters.mjs",
      `import { ClientError } from "disclosure-receipts/client/node";
      import { Disclosure } from "disclosure-receipts/livekit";
      import { Disclosure as same } from "disclosure-receipts/twilio";
      try { new Disclosure({}); } catch (error) { console.log(error instanceof ClientError, error.code, Disclosure === same); }`,
    );
    expect(customer.node(["adapters.mjs"]).stdout).toBe("true invalid_options true\n");
  });
});

describe("the verifier", () => {
  const vectors = join(ROOT, "test", "vectors", "evidence");
  const SHOW = `const { readFileSync } = await import("node:fs");
    for (const file of ["receipts/hand-off.json", "damaged/receipt-core-turn.json", "seals/2.json"]) {
      const { kind, outcome } = await verifyEvidence(readFileSync(file), { now: new Date().toISOString() });
      console.log(kind, outcome);
    }
    await verifyEvidence("{}", { now: "2026-11-22T00:00:00Z" }).catch((error) => console.log(error instanceof VerifierError, error.code));`;
  const said = [
    "report holds_so_far",
    "report does_not_hold",
    "seal holds_so_far",
    "true malformed",
    "",
  ].join("\n");

  test.each([
    [
      "an ES module",
      "verifier.mjs",
      `import { verifyEvidence, VerifierError } from "disclosure-receipts/verify"; ${SHOW}`,
    ],
    [
      "CommonJS",
      "verifier.cjs",
      `const { verifyEvidence, VerifierError } = require("disclosure-receipts/verify"); (async () => { ${SHOW} })();`,
    ],
  ])("gives the verdict of the command line, imported from %s", (_, name, source) => {
    customer.write(name, source.replaceAll(/"((?:receipts|damaged|seals)\/)/g, `"${vectors}/$1`));
    expect(customer.node([name]).stdout).toBe(said);
  });

  test.each(["index.js", "index.cjs"])(
    "needs nothing of Node in %s, and contacts nothing by itself",
    (name) => {
      for (const text of reached(join(installed, "dist", "verify", name))) {
        expect(text).not.toMatch(/(?:from\s*|require\(|import\()["'](?:node:|fs|path|crypto|zlib)/);
        expect(text).not.toMatch(/\bfetch\(/);
      }
    },
  );
});

describe("the wordings", () => {
  const USE = `const { subject_hash, disclosure_method } = disclosureOf("de-voice-answer-1");
    const filled = fillOperator(findWording(subject_hash).wording.text, "das Haus");
    console.log(disclosure_method, filled, hashWordingText(filled).length, wordingsOf("DE").length > 19);`;
  const said =
    "spoken_answer Ich bin kein Mensch. Ich bin eine künstliche Intelligenz und spreche für das Haus. 71 true\n";
  const NAMES = "{ disclosureOf, fillOperator, findWording, hashWordingText, wordingsOf }";

  test.each([
    ["policy.mjs", "index.js", `import ${NAMES} from "disclosure-receipts/policy"; ${USE}`],
    ["policy.cjs", "index.cjs", `const ${NAMES} = require("disclosure-receipts/policy"); ${USE}`],
  ])("are data for %s, and need nothing of Node", (name, entry, source) => {
    customer.write(name, source);
    expect(customer.node([name]).stdout).toBe(said);
    for (const text of reached(join(installed, "dist", "policy", entry)))
      expect(text).not.toMatch(/(?:from\s*|require\(|import\()["'](?:node:|fs|path|crypto|zlib)/);
  });
});
