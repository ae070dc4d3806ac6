// The code in docs/python.md and clients/python/README.md, run as it stands there but for the address, the key and the
// folder.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ApiClient } from "../../support/api-client.ts";
import { type LocalStack, newFolder, startLocalStack } from "../../support/local-stack.ts";
import { hasPython, PACKAGE, SOURCES } from "./python.ts";

const snippetsOf = (path: string): string[] =>
  [...readFileSync(join(PACKAGE, path), "utf8").matchAll(/^```python\n([\s\S]*?)^```$/gm)].map(
    ([, code = ""]) => code,
  );

describe.skipIf(!hasPython).each(["../../docs/python.md", "README.md"])("the code in %s", (page) => {
  const snippets = snippetsOf(page);
  const [attesting = "", queueing = ""] = snippets;
  let stack: LocalStack;
  beforeAll(async () => {
    stack = await startLocalStack();
  });

  function run(code: string): { status: number | null; stdout: string; stderr: string } {
    const folder = newFolder();
    const here = code
      .replace(/https:\/\/receipts\.example|http:\/\/127\.0\.0\.1:8787/, stack.url)
      .replace('Path(".data/api-key").read_text().strip()', "api_key")
      .replace("/var/lib/agent/disclosures", join(folder, "queue"));
    const file = join(folder, "snippet.py");
    writeFileSync(file, `api_key = ${JSON.stringify(stack.apiKey)}\n${here}`);
    const env = { PATH: process.env.PATH, PYTHONPATH: SOURCES, PYTHONDONTWRITEBYTECODE: "1" };
    return spawnSync("python3", [file], { env, encoding: "utf8" });
  }

  test("attests, and queues", async () => {
    const { status, stdout, stderr } = run(`${attesting}print(receipt["event_id"])`);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const api = new ApiClient(stack);
    const { receipts } = await api.interaction("call-2026-11-21-1");
    expect(receipts).toMatchObject([{ verdict: "ALLOW" }]);
    expect(stdout).toContain(receipts[0]?.event_id);
    const before = `from disclosure_receipts import Client, disclosure_of
base_url = "${stack.url}"
client = Client(base_url, api_key)
save = lambda receipt, _=None: print(receipt["event_id"])
keep = lambda disclosure, error: print(error)
request = {"interaction_id": "queued", "agent_identity": "a", **disclosure_of("de-voice-in-introduction-1")}\n`;
    const queued = run(before + queueing);
    expect({ status: queued.status, stderr: queued.stderr }).toEqual({ status: 0, stderr: "" });
    const all = await api.interaction("queued");
    expect(all.receipts.map(({ event_id }) => event_id)).toEqual([queued.stdout.trim()]);
  });

  test("is all that it is", () => {
    expect(snippets).toHaveLength(2);
  });
});
