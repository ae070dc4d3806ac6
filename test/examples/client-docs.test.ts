// The code in docs/client.md, run as it stands there but for the address, the key and where the package is.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.ts";
import { COMPILED } from "../support/compiled.ts";
import { type LocalStack, newFolder, startLocalStack } from "../support/local-stack.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PAGE = readFileSync(join(ROOT, "docs", "client.md"), "utf8");
const SNIPPETS = [...PAGE.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);

let stack: LocalStack;
beforeAll(async () => {
  stack = await startLocalStack();
});

/** Runs code as a module of its own. */
function run(code: string): { status: number | null; stdout: string; stderr: string } {
  const folder = newFolder();
  const here = code
    .replaceAll('"disclosure-receipts/client"', JSON.stringify(join(ROOT, "clients", "client", "index.ts")))
    .replaceAll(
      '"disclosure-receipts/client/node"',
      JSON.stringify(join(ROOT, "clients", "client", "node.ts")),
    )
    .replaceAll(
      '"disclosure-receipts/policy"',
      JSON.stringify(join(ROOT, "evidence", "policy", "package.ts")),
    )
    .replaceAll("https://receipts.example", stack.url)
    .replaceAll("/var/lib/agent/disclosures", join(folder, "queue"));
  const file = join(folder, "snippet.mts");
  writeFileSync(file, here);
  const env = { PATH: process.env.PATH, API_KEY: stack.apiKey, ...COMPILED };
  return spawnSync(process.execPath, [file], { env, encoding: "utf8" });
}

describe("the code in docs/client.md", () => {
  const [attesting = "", queueing = ""] = SNIPPETS;

  test("attests", async () => {
    const { status, stdout, stderr } = run(`${attesting}console.log(receipt.event_id);`);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const { receipts } = await new ApiClient(stack).interaction("call-2026-11-21-1");
    expect(receipts).toMatchObject([{ event_id: stdout.trim(), verdict: "ALLOW" }]);
  });

  test("queues", async () => {
    const request = /attest\((\{[\s\S]*?\n\})\)/.exec(attesting)?.[1]?.replace("call-2026-11-21-1", "queued");
    const before = `import { disclosureOf } from "disclosure-receipts/policy";
const [baseUrl, apiKey] = ["${stack.url}", process.env.API_KEY];
const save = (receipt) => console.log(receipt.event_id);
const keep = (disclosure, error) => { throw error; };
const request = ${request};\n`;
    const { status, stdout, stderr } = run(before + queueing);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const { receipts } = await new ApiClient(stack).interaction("queued");
    expect(receipts.map(({ event_id }) => event_id)).toEqual([stdout.trim()]);
  });

  test("is all that it is", () => {
    expect(SNIPPETS).toHaveLength(2);
  });
});

test("docs/client.md says of every error code what it means", () => {
  const source = readFileSync(join(ROOT, "clients", "client", "errors.ts"), "utf8");
  const codes = /const CODES = \[([\s\S]*?)\]/.exec(source)?.[1]?.match(/(?<=")[a-z_]+(?=")/g) ?? [];
  expect(codes.length).toBeGreaterThan(10);
  expect(codes.filter((code) => !PAGE.includes(`\`${code}\``))).toEqual([]);
});
