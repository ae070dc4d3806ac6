// `npm run test:adapters`: the adapters with the real packages of the stacks, offline, against a local stack.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/adapters/**/*.adapters.ts"],
    environment: "node",
    pool: "forks",
    maxWorkers: 2,
    // Conversations take the time that they are heard, so that several go on beside each other.
    maxConcurrency: 2,
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // The packages of the stacks load native parts, which vite must not look into.
    server: { deps: { external: [/node_modules/] } },
  },
});
