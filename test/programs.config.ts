// The tests of what is built around the service: the stack, the command line, the client, the page's
// logic, and what stands in for AWS on one machine.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/{lib,cli,client,adapters-core,bridge,console,web,agreement,examples,local}/**/*.test.ts"],
    globalSetup: ["test/support/derived-vectors.ts"],
    environment: "node",
    pool: "forks",
    maxWorkers: 4,
    // As long as a call that hangs may hang: how fast a busy machine is, is not what is tested.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
