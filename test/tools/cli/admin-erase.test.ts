// `admin erase` and `admin retention` as an operator gives them, against a local stack: what they refuse, and what they say.
import { execFileSync } from "node:child_process";
import { beforeAll, describe, expect, test } from "vitest";
import { eraseCommand } from "../../../tools/cli/admin/erase.ts";
import { pasteable } from "../../../tools/cli/admin/target.ts";
import { ApiClient, disclosure } from "../../support/api-client.ts";
import { type LocalStack, startLocalStack } from "../../support/local-stack.ts";
import { type Ended, receipts } from "./command-line.ts";

let stack: LocalStack;
beforeAll(async () => {
  stack = await startLocalStack();
});

const admin = (...args: string[]): Promise<Ended> => receipts("admin", ...args, `--local=${stack.dataDir}`);
const BY = ["--by", "data protection officer", "--ground", "request"];

describe("admin erase", () => {
  test("refuses a conversation that may go on, and one that there is not", async () => {
    const body = { ...disclosure(), interaction_id: "call-of-now" };
    const { status: attested } = await new ApiClient(stack).post("/v1/attestation", JSON.stringify(body));
    expect(attested).toBe(200);
    const { status, stderr } = await admin("erase", "local", "call-of-now", ...BY, "--dry-run");
    expect([status, stderr]).toEqual([2, expect.stringContaining("may go on: repeat this after 20 minutes")]);
    const unknown = await admin("erase", "local", "call-of-nobody", ...BY);
    expect([unknown.status, unknown.stderr]).toEqual([2, expect.stringContaining("nothing of local")]);
  });

  test.each<[string, string[], string]>([
    ["a ground", ["--by", "officer"], "--ground is one of request, order, mistake"],
    ["a role", ["--ground", "order"], "--by names your role"],
    ["a role in plain letters", ["--ground", "order", "--by", "Frau Müller"], "name no person"],
  ])("wants %s", async (_what, options, message) => {
    const { status, stderr } = await admin("erase", "local", "call", ...options);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe("a command for pasting", () => {
  /** The words as a shell reads them. */
  const wordsOf = (command: string): string[] =>
    execFileSync("sh", ["-c", `printf '%s\\n' ${command}`], { encoding: "utf8" })
      .trimEnd()
      .split("\n");

  test("names the conversation, whatever its id holds", () => {
    const order = {
      tenantId: "local",
      interactionId: "call;echo",
      erased_by: "data protection officer",
      ground: "request",
    } as const;
    const words = wordsOf(eraseCommand(order, { local: "data" }));
    expect(words.slice(-8)).toEqual(["erase", "local", "call;echo", ...BY, "--local=data"]);
  });

  test("names the deployment, whatever its names hold", () => {
    const words = wordsOf(pasteable("verify", { local: "/data of two words", profile: "a'b" }));
    expect(words.slice(-3)).toEqual(["verify", "--local=/data of two words", "--profile=a'b"]);
  });
});

describe("admin retention", () => {
  test("says that nothing is removed before a tenant has one, and then counts", async () => {
    expect((await admin("retention")).stdout).toContain("no tenant has a retention: all receipts are kept");
    const { stdout } = await admin("tenant", "retention", "local", "36");
    expect(stdout).toMatch(/^ {2}retention +36 months$/m);
    const ended = await admin("retention", "--dry-run");
    expect(ended.status).toBe(0);
    expect(ended.stdout).toMatch(/^ {2}receipts +0$/m);
    expect((await admin("tenant", "retention", "local", "off")).stdout).toMatch(/^ {2}retention +off$/m);
    const refused = await admin("tenant", "retention", "local", "2");
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining("3 to 240 months, or off")]);
  });
});
