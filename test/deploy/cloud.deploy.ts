// `npm run test:cloud` against the emulator: what it can show holds, and what it can't is listed with its reason.
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { runSchedules } from "../support/emulator-api.ts";
import { theDeployment } from "../support/target.ts";
import { cdkEnvironment } from "./emulator.ts";

const stack = theDeployment();
const PROGRAM = join(import.meta.dirname, "..", "cloud", "run.ts");
const PAUSE_MS = 2_000;
const run = promisify(execFile);

test("the facts of a deployed service hold here, as far as an emulator shows them", async () => {
  const anchors = join(stack.folder, "cloud-anchors.pem");
  writeFileSync(anchors, stack.trustAnchorsPem);
  const env = { ...cdkEnvironment(stack.endpoint, stack.folder), CLOUD_TSA_CA: anchors, NO_COLOR: "1" };
  let isRunning = true;
  const checked = run(process.execPath, [PROGRAM, "--url", stack.url, "--name", stack.name, "--facts"], {
    env,
  }).finally(() => {
    isRunning = false;
  });
  // By schedule the run would wait for a minute.
  while (isRunning) {
    await runSchedules(stack.endpoint, stack.name);
    await delay(PAUSE_MS);
  }
  const { stdout } = await checked;
  expect(stdout).toMatch(/✓ .*a retry with the same Idempotency-Key finds the same receipt/);
  expect(stdout).toMatch(/↓ .*locks each root.*\[the emulator .*\]/);
});
