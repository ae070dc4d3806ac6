// The tests of one folder, as StrykerJS runs them on every mutant.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: (process.env.MUTATION_TESTS ?? "").split(","),
    environment: "node",
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
