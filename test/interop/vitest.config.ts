// `npm run test:interop`: against implementations that none of us wrote. Apart from `npm test`, which needs Node alone.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/interop/*.interop.ts"],
    globalSetup: ["test/support/derived-vectors.ts", "test/interop/setup.ts"],
    environment: "node",
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    // The first run builds the peer through the Go module proxy.
    hookTimeout: 1_800_000,
  },
});
