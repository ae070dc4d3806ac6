// Breaches of the architecture that are still to be ended. New ones fail test/architecture.test.ts.

/** A circle that loses some of its files stays a known one. */
export const KNOWN_CIRCLES: readonly (readonly string[])[] = [
  ["cli/commands/verify-report.ts", "cli/commands/verify.ts"],
  ["cli/metachain/folder.ts", "cli/metachain/http.ts", "cli/metachain/source.ts"],
  ["cli/output/progress.ts", "cli/output/terminal.ts"],
];

/** Imports against the arrows. */
export const KNOWN_IMPORTS: readonly string[] = [
  "build/web.ts imports ../web/headers.ts",
  "core/timestamps/x509/algorithms.ts imports ../token-check.ts",
  "core/timestamps/x509/public-key.ts imports ../token-check.ts",
  "core/timestamps/x509/signature-scheme.ts imports ../token-check.ts",
  "core/timestamps/x509/signed-attributes.ts imports ../token-check.ts",
  "core/timestamps/x509/signer-info.ts imports ../token-check.ts",
  "core/timestamps/x509/x509-chain.ts imports ../token-check.ts",
  "lib/api-functions.ts imports ../lambdas/routes.ts",
  "lib/api-functions.ts imports ../service/environment.ts",
  "lib/api-stage.ts imports ../lambdas/routes.ts",
  "lib/api.ts imports ../lambdas/routes.ts",
  "lib/assets.ts imports ../core/errors.ts",
  "lib/config.ts imports ../core/errors.ts",
  "lib/context.ts imports ../core/errors.ts",
  "lib/gateway-responses.ts imports ../lambdas/problem.ts",
  "lib/handler.ts imports ../service/metric-names.ts",
  "lib/ledger-table.ts imports ../service/environment.ts",
  "lib/mac-key.ts imports ../service/environment.ts",
  "lib/metrics.ts imports ../service/metric-names.ts",
  "lib/page-headers.ts imports ../web/headers.ts",
  "lib/roots.ts imports ../service/environment.ts",
  "lib/sealer.ts imports ../lambdas/routes.ts",
  "lib/timestamp-trust.ts imports ../core/errors.ts",
  "lib/timestamp-trust.ts imports ../service/environment.ts",
];
