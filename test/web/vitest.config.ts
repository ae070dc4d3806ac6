// `npm run test:web`: the built page in a real Chromium. Apart from `npm test`, which needs no browser.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // The page's logic without a browser is in `npm run test:programs`.
    include: ["test/web/browser/*.browser.ts"],
    globalSetup: ["test/support/derived-vectors.ts", "test/web/browser/setup.ts"],
    environment: "node",
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
