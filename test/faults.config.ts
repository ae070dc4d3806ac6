// `npm run test:faults`: every step of the service with everything that can become of it: crashes, lost answers, lost
// races, kills, stops, false authorities and damaged items. Apart from `npm test`, since these tables alone take several minutes.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/{service,e2e,bench}/**/*.faults.ts"],
    globalSetup: ["test/support/derived-vectors.ts"],
    environment: "node",
    pool: "forks",
    maxWorkers: 3,
    // As long as a call that hangs may hang: how fast a busy machine is, is not what is tested.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
