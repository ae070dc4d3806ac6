// `npm run test:cloud`: a deployed service, looked at from outside. run.ts says which.
import { defineConfig } from "vitest/config";

const MINUTE_MS = 60_000;

export default defineConfig({
  test: {
    include: ["test/cloud/*.cloud.ts"],
    environment: "node",
    pool: "forks",
    // The files share one service, and a seal may take a few minutes.
    maxWorkers: 1,
    testTimeout: 10 * MINUTE_MS,
    hookTimeout: 10 * MINUTE_MS,
  },
});
