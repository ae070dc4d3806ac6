// `npm run test:cloud`: a deployed service, looked at from outside. run.ts says which.
import { defineConfig } from "vitest/config";

const MINUTE_MS = 60_000;
/** Those of the end-to-end tests that need no table of their own, and no log to themselves. */
const END_TO_END = ["bad-call", "bad-request", "concurrency", "receipt", "verify-inclusion"];
const isWithSuite = process.env.CLOUD_SUITE === "true";

export default defineConfig({
  test: {
    include: [
      "test/cloud/*.cloud.ts",
      ...(isWithSuite ? END_TO_END.map((name) => `test/e2e/${name}.test.ts`) : []),
    ],
    provide: { isCloud: true },
    environment: "node",
    pool: "forks",
    // The files share one service, and a seal may take a few minutes.
    maxWorkers: 1,
    testTimeout: 10 * MINUTE_MS,
    hookTimeout: 10 * MINUTE_MS,
  },
});
