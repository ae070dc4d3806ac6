// `npm run test:python`: the Python package, by itself and against the service, and the hammer's oracle, which is in Python
// too. It needs a Python 3.10 with venv, and says so where there is none.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/{python,bench}/*.python.ts"],
    globalSetup: ["test/support/derived-vectors.ts"],
    environment: "node",
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    // The first run installs the tools.
    hookTimeout: 900_000,
  },
});
