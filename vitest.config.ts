import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    environment: "node",
    pool: "forks",
    globalSetup: ["test/support/derived-vectors.ts"],
    // Many files wait more than they work (for stacks, deadlines and seals): more workers than two cores.
    maxWorkers: 4,
    // As long as a call that hangs may hang: how fast a busy machine is, is not what is tested.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "own",
          include: ["test/*.test.ts", "test/{lambdas,e2e,bench,fuzz}/**/*.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "shared",
          include: ["test/{core,reader,policy,service,server}/**/*.test.ts"],
          // A process for each file would load the same sources anew, which takes a third of all time. Only files that
          // start no program belong here: what ends one is a hook that its module sets up once for each process.
          isolate: false,
          setupFiles: ["test/support/as-found.ts"],
        },
      },
    ],
  },
});
