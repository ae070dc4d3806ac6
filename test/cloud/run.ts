// `npm run test:cloud -- --url https://…`: facts about a deployed service that no emulator shows, checked from outside
// and, with --name, with the operator's AWS credentials too. It makes a tenant, keys and a few receipts, and leaves them.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";

const HELP = `Usage: npm run test:cloud -- --url URL [--key KEY] [--name NAME]

Checks a deployed service: what only a real account shows.

  --url URL    the public address, as the stack's output Url has it
  --key KEY    an API key with both scopes; without it, one is made, which needs
               --name
  --name NAME  the deployment's name: what needs the operator's AWS credentials
               (of this shell) is checked too: facts of the account, and the
               end-to-end tests, each file as a tenant of its own
  --facts      the facts alone, without the end-to-end tests

It records some twenty receipts, and more with the end-to-end tests.
What could not be seen is listed with its reason. Exit status: 0 all that was
seen holds, 1 something does not, 2 the command line is wrong.`;

const ROOT = join(import.meta.dirname, "..", "..");
const CONFIG = join("test", "cloud", "vitest.config.ts");

function readOptions() {
  try {
    const options = {
      url: { type: "string" },
      key: { type: "string" },
      name: { type: "string" },
      facts: { type: "boolean" },
    } as const;
    return parseArgs({ options: { ...options, help: { type: "boolean" } } }).values;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function fail(message: string): never {
  console.error(`${message}\n\n${HELP}`);
  process.exit(2);
}

const { url, key, name, facts = false, help } = readOptions();
if (help === true) {
  console.log(HELP);
  process.exit(0);
}
if (url === undefined || !URL.canParse(url)) fail("--url must be the service's address");
if (key === undefined && name === undefined) fail("--key or --name is missing: calls need an API key");

if (name === undefined) console.log("Not seen without --name: the account, and the end-to-end tests.");

const target = { url: url.replace(/\/$/, ""), key: key ?? null, name: name ?? null };
const vitest = join(ROOT, "node_modules", "vitest", "vitest.mjs");
const child = spawn(process.execPath, [vitest, "run", "--config", CONFIG, "--reporter", "verbose"], {
  cwd: ROOT,
  stdio: "inherit",
  env: {
    ...process.env,
    CLOUD_TARGET: JSON.stringify(target),
    CLOUD_SUITE: String(name !== undefined && !facts),
  },
});
child.on("exit", (code) => process.exit(code ?? 1));
