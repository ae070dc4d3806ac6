// The tests of what is built around the service: the stack, the command line, the client, and the page's logic.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/{lib,cli,client,web,agreement,examples}/**/*.test.ts"],
    environment: "node",
    pool: "forks",
    maxWorkers: 4,
    // As long as a call that hangs may hang: how fast a busy machine is, is not what is tested.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
