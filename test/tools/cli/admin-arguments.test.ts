// How operators' commands are written, and that nobody else pays for them.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { COMPILED } from "../../support/compiled.ts";
import { type LocalStack, startLocalStack } from "../../support/local-stack.ts";
import { type Ended, program, REPORT, receipts } from "./command-line.ts";

const PROGRAM = fileURLToPath(new URL("../../../bin/receipts.ts", import.meta.url));

let stack: LocalStack;
beforeAll(async () => {
  stack = await startLocalStack();
});

const admin = (...args: string[]): Promise<Ended> => receipts("admin", ...args, `--local=${stack.dataDir}`);

test.each([
  [
    [],
    "admin takes one of tenant, key, show, wording, usage, webhook, status, verify, set-aside, erase, retention, console",
  ],
  [["frobnicate"], "admin takes one of"],
  [["tenant"], "tenant takes one of create, list"],
  [["tenant", "frobnicate"], "tenant takes one of create, list"],
  [["tenant", "create", "a", "b"], "b is one argument too many"],
  [["tenant", "create", "A b"], "no name of a tenant"],
  [["tenant", "create", "a", "--chains", "0"], "a tenant has 1 to 4096 chains"],
  [["tenant", "create", "a", "--chains", "4097"], "a tenant has 1 to 4096 chains"],
  [["tenant", "chains", "a", "4097"], "a tenant has 1 to 4096 chains"],
  [["tenant", "chains", "a"], "a number of chains is missing"],
  [["tenant", "list", "--plan", "gold"], "are for tenant create"],
  [["tenant", "suspend"], "a tenant is missing"],
  [["tenant", "plan", "local"], "a plan is missing"],
  [["tenant", "stamping", "local", "maybe"], "on, off, or how many a minute"],
  [["key"], "key takes one of create, list"],
  [["key", "create"], "a tenant is missing"],
  [["key", "create", "local", "--expires", "2099-02-29"], "--expires is a date"],
  [["key", "create", "local", "--expires", "2099-12-31T24:00:00Z"], "--expires is a date"],
  [["tenant", "plan"], "a tenant is missing"],
  [["tenant", "plan", "local"], "a plan is missing"],
  [["tenant", "stamping"], "a tenant is missing"],
  [["key", "create", "local", "--scopes", "attest,write"], "--scopes is attest or report"],
  [["key", "revoke", "dr_live_"], "20 hex digits"],
  [["key", "rotate", "0".repeat(20), "--grace", "soon"], "--grace is a number of"],
  [["key", "list", "local", "--grace", "1h"], "--grace is not for key list"],
  [["verify", "--tenant", "local", "--chain", "0"], "either --tenant or --chain"],
  [["set-aside"], "an entry is missing"],
  [["set-aside", "0x1"], "named by its place in the metachain"],
  [["status", "now"], "now is one argument too many"],
  [["status", "--region", "eu-central-1"], "without --name, --region and --profile"],
  [["status", "--frobnicate"], "Unknown option"],
])("refuses %j with status 2, the reason and a hint", async (args, reason) => {
  const { status, stdout, stderr } = await admin(...args);
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(reason);
  const [part = ""] = args;
  const topic = ["", "frobnicate"].includes(part) ? "" : `${part} `;
  expect(stderr).toContain(`Try: disclosure-receipts admin ${topic}--help`);
});

test.each([
  ["there is no tenant nobody", ["key", "create", "nobody"]],
  ["there is no tenant nobody", ["tenant", "suspend", "nobody"]],
  ["there is no API key", ["key", "revoke", "0".repeat(20)]],
])("says that %s", async (reason, args) => {
  const { status, stderr } = await admin(...args);
  expect([status, stderr]).toEqual([2, expect.stringContaining(reason)]);
});

test("has a page of help", async () => {
  const { status, stdout } = await program("admin", "tenant", "--help");
  expect([status, stdout]).toEqual([
    0,
    expect.stringContaining("Usage: disclosure-receipts admin tenant create"),
  ]);
});

/** What was loaded of the SDK and of the service, by a hook on every module. */
function loadedBy(...args: string[]): string[] {
  const hooks = `import { registerHooks } from "node:module"; registerHooks({ load(url, context, next) {
    if (/@aws-sdk|\\/service\\//.test(url)) process.stderr.write("LOADED " + url + "\\n");
    return next(url, context); } });`;
  const hook = `data:text/javascript,${encodeURIComponent(hooks)}`;
  const env = { PATH: process.env.PATH, ...COMPILED };
  const { stderr } = spawnSync(process.execPath, ["--import", hook, PROGRAM, ...args], {
    env,
    encoding: "utf8",
  });
  return stderr.split("\n").filter((line) => line.startsWith("LOADED"));
}

test("loads nothing of AWS for readers, and nothing of it for a page of help", () => {
  expect(loadedBy("verify", REPORT)).toEqual([]);
  expect(loadedBy("admin", "--help")).toEqual([]);
  expect(loadedBy("admin", "tenant", "list", `--local=${stack.dataDir}`).length).toBeGreaterThan(10);
});
