// The examples of docs/api.md, one after the other in a shell, against the service itself.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder, startLocalStack } from "../support/local-stack.ts";

const PAGE = join(import.meta.dirname, "..", "..", "docs", "api.md");

test("every example of docs/api.md runs, and gets what the page says", async () => {
  const blocks = [...readFileSync(PAGE, "utf8").matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(
    ([, code]) => code,
  );
  expect(blocks.length).toBeGreaterThan(6);
  const { url, apiKey } = await startLocalStack({ environment: { SEAL_INTERVAL_SECONDS: "1" } });
  const cwd = newFolder();
  const env = { PATH: process.env.PATH, BASE_URL: url, API_KEY: apiKey };
  const { status, stderr } = spawnSync("sh", ["-eu", "-c", blocks.join("\n")], {
    cwd,
    env,
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
  const read = (name: string) => JSON.parse(readFileSync(join(cwd, name), "utf8"));
  expect(read("receipt.json").receipts).toMatchObject([{ verdict: "ALLOW" }]);
  expect(read("report.json").event_id).toBe(read("receipt.json").event_id);
  expect(read("bundle.json").receipts).toHaveLength(1);
  expect(read("layer.json")).toMatchObject({ jurisdiction: "DE", status: "active" });
  expect(read("status.json")).toMatchObject({ endpoints: expect.any(Array) });
});
