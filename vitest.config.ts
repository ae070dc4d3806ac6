import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/*.test.ts", "test/{core,reader,policy,service,lambdas,local,e2e}/**/*.test.ts"],
    environment: "node",
    pool: "forks",
    // Many files wait more than they work (for stacks, deadlines and seals): more workers than two cores.
    maxWorkers: 4,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
