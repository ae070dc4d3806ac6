// The example as docs/adapters/bridge.md has it run, with curl and openssl, against a stack with its settings.
import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { PLATFORMS } from "../../../contract/bridge-settings.ts";
import { ApiClient } from "../../support/api-client.ts";
import { type LocalStack, runToEnd, startLocalStack } from "../../support/local-stack.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "..", "examples", "bridge");
const CONFIGURED = {
  BRIDGE_FILE: join(FOLDER, "settings.json"),
  BRIDGE_SECRETS_FILE: join(FOLDER, "secrets.json"),
};
const isHere = ["curl", "openssl"].every((program) => spawnSync(program, ["version"]).error === undefined);

let stack: LocalStack;
beforeAll(async () => {
  stack = await startLocalStack({ environment: CONFIGURED });
});

/** This process goes on meanwhile, or it would miss that the stack closed an idle connection. */
async function play(...args: string[]) {
  const env = { PATH: process.env.PATH, BASE_URL: stack.url };
  const { stdout, stderr } = await promisify(execFile)("sh", [join(FOLDER, "call.sh"), ...args], { env });
  return stderr === "" ? JSON.parse(stdout) : stderr;
}

describe.runIf(isHere).each(PLATFORMS)("the example of %s", (platform) => {
  test("has a receipt, or one missed where the caller interrupted", async () => {
    const { event_ids, missed } = await play(platform);
    expect([event_ids.length, missed]).toEqual([1, 0]);
    const { receipts } = await new ApiClient(stack).report(event_ids[0]);
    expect(receipts).toMatchObject([
      { turn: 1, verdict: "MODIFY", policy: { findings: ["method_reported"] } },
    ]);
    expect(await play(platform, "8")).toEqual({ event_ids: [], missed: 1 });
  });
});

test("a stack without the settings has no bridge, and one with a wrong file does not start", async () => {
  const plain = await startLocalStack();
  expect((await fetch(`${plain.url}/bridge/retell`, { method: "POST", body: "{}" })).status).toBe(404);
  const half = await runToEnd({ environment: { BRIDGE_FILE: CONFIGURED.BRIDGE_FILE } });
  expect(half).toMatchObject({ code: 1, stderr: expect.stringContaining("BRIDGE_SECRETS_FILE") });
  const none = await runToEnd({ environment: { ...CONFIGURED, BRIDGE_FILE: "none.json" } });
  expect(none.stderr.trim()).toBe("BRIDGE_FILE: there is no file none.json");
  const wrong = await runToEnd({
    environment: { ...CONFIGURED, BRIDGE_FILE: CONFIGURED.BRIDGE_SECRETS_FILE },
  });
  expect(wrong.stderr).toContain('"retell", "elevenlabs" is no setting');
  expect(wrong.stderr).not.toContain("a-secret-of-this-example");
});
