import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "test/*.test.ts",
      "test/{core,reader,policy,service,lambdas,server,e2e,bench,fuzz}/**/*.test.ts",
    ],
    environment: "node",
    pool: "forks",
    // Many files wait more than they work (for stacks, deadlines and seals): more workers than two cores.
    maxWorkers: 4,
    // As long as a call that hangs may hang: how fast a busy machine is, is not what is tested.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
