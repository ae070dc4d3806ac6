// The published package: packed, installed in a CDK app outside the repository, and used.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/package/**/*.test.ts"],
    globalSetup: ["test/support/derived-vectors.ts"],
    environment: "node",
    pool: "forks",
    testTimeout: 600_000,
    hookTimeout: 900_000,
  },
});
