import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/*.test.ts", "test/{core,policy,service,lambdas,local,e2e}/**/*.test.ts"],
    environment: "node",
    // Many files wait more than they work (for stacks, deadlines and seals): more workers than two cores.
    pool: "forks",
    // Most of a file's time went into loading the AWS SDK and the CDK once more; no test changes shared modules.
    isolate: false,
    maxWorkers: 4,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
