// The API and its description, judged by tools that none of us wrote: a linter, generators of clients, and Schemathesis.
import { execFile } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { again } from "../support/again.ts";
import { ApiClient, disclosure } from "../support/api-client.ts";
import { type LocalStack, startLocalStack } from "../support/local-stack.ts";
import { hasPython, installPackages, programsFolderOf } from "./python-packages.ts";
import { describeWith, isHere, makeFolder } from "./tools.ts";

const SOURCES = fileURLToPath(new URL("api", import.meta.url));
const REQUIREMENTS = join(SOURCES, "requirements.txt");
const DESCRIPTION = fileURLToPath(new URL("../../docs/openapi.json", import.meta.url));
const TSC = fileURLToPath(new URL("../../node_modules/.bin/tsc", import.meta.url));
const TYPES = fileURLToPath(new URL("../../node_modules/@types", import.meta.url));
/** Examples of each call, by one seed: a run by hand with `API_EXAMPLES=200` finds more, and takes some twenty minutes. */
const EXAMPLES = process.env.API_EXAMPLES ?? "12";
const SEED = process.env.API_SEED ?? "1";
const COMPILE = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2024", "--module", "nodenext"];

const start = promisify(execFile);
let stack: LocalStack;
let api: ApiClient;

beforeAll(async () => {
  stack = await startLocalStack({ environment: { SEAL_INTERVAL_SECONDS: "1" } });
  api = new ApiClient(stack);
});

/** Throws an Error with all that the program says. */
async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    return (await start(program, [...args], { cwd, maxBuffer: 2 ** 26 })).stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args[0]}: ${stdout}${stderr}`, { cause: error });
  }
}

/** The program ends with one line of what it got, call by call. */
async function expectCalls(program: string, file: string, folder: string): Promise<void> {
  const request = disclosure({ interaction_id: `generated-${file}` });
  const args = [file, stack.url, stack.apiKey, JSON.stringify(request)];
  const got = JSON.parse(await run(program, args, folder));
  expect(got).toEqual({
    verdict: "ALLOW",
    report: true,
    turns: [1],
    valid: true,
    active: ["DE"],
    problem: [422, "#/jurisdiction"],
  });
}

describeWith(isHere("npm", "--version"), "npm", "in TypeScript", () => {
  const folder = makeFolder();

  beforeAll(async () => {
    for (const name of ["package.json", "client.ts"]) cpSync(join(SOURCES, name), join(folder, name));
    await again(() =>
      start("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: folder }),
    );
  });
  const program = (name: string): string => join(folder, "node_modules", ".bin", name);

  test("redocly finds nothing in the description", async () => {
    const printed = await run(
      program("redocly"),
      ["lint", DESCRIPTION, "--extends", "recommended", "--format", "json"],
      folder,
    );
    expect(JSON.parse(printed.slice(printed.indexOf("{")))).toMatchObject({
      totals: { errors: 0, warnings: 0 },
    });
  });

  test("openapi-typescript and openapi-fetch make a client that compiles and calls", async () => {
    await run(program("openapi-typescript"), [DESCRIPTION, "-o", "api.d.ts"], folder);
    const types = ["--allowImportingTsExtensions", "--types", "node", "--typeRoots", TYPES];
    await run(TSC, [...COMPILE, ...types, "client.ts"], folder);
    await expectCalls(process.execPath, "client.ts", folder);
  });
});

describeWith(hasPython, "python3 with venv", "in Python", () => {
  const folder = makeFolder();
  const programs = programsFolderOf(REQUIREMENTS);

  beforeAll(() => installPackages(REQUIREMENTS));

  test("openapi-python-client makes a client that calls", async () => {
    const words = ["generate", "--path", DESCRIPTION, "--output-path", "generated", "--meta", "none"];
    await run(join(programs, "openapi-python-client"), words, folder);
    cpSync(join(SOURCES, "client.py"), join(folder, "client.py"));
    await expectCalls(join(programs, "python"), "client.py", folder);
  });

  test(`Schemathesis finds nothing in ${EXAMPLES} examples of each call`, async () => {
    const { event_id } = await api.attest(disclosure());
    await api.signedReport(event_id);
    const words = [
      ...["--config-file", join(SOURCES, "schemathesis.toml"), "run", `${stack.url}/v1/openapi.json`],
      ...["--header", `Authorization: Bearer ${stack.apiKey}`, "--checks", "all", "--no-color"],
      ...["--max-examples", EXAMPLES, "--seed", SEED, "--generation-database", "none"],
    ];
    const printed = await run(join(programs, "schemathesis"), words, folder);
    // It leaves out the description itself.
    const tested = Object.keys(JSON.parse(readFileSync(DESCRIPTION, "utf8")).paths).length - 1;
    expect(printed).toMatch(new RegExp(`Tested: ${tested}\\b`));
  });
});
