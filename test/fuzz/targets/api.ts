// Schemathesis against the local stack, as `npm run test:interop` runs it, with more examples.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { RunOptions, Target } from "../target.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const EXAMPLES = 200;

export const apiTarget: Target = {
  name: "api",
  runs: EXAMPLES,
  run: async ({ runs }: RunOptions) => {
    const { status } = spawnSync(
      "npx",
      ["vitest", "run", "--project", "interop", "test/interop/api.interop.ts"],
      {
        cwd: ROOT,
        env: { ...process.env, API_EXAMPLES: String(runs) },
        stdio: "inherit",
      },
    );
    if (status !== 0) throw new Error("Schemathesis found a fault, which it printed");
  },
};
