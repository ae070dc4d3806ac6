// The program that answers all calls but the recording of a disclosure. It writes nothing but the day on which a key was used.
import { FALLBACK_HANDLER } from "../../contract/routes.ts";
import { runServer } from "./run-server.ts";

const HANDLERS = {
  report: () => import("../../lambdas/report.ts"),
  interaction: () => import("../../lambdas/interaction.ts"),
  receipts: () => import("../../lambdas/receipts.ts"),
  chains: () => import("../../lambdas/chains.ts"),
  "chain-heads": () => import("../../lambdas/chain-heads.ts"),
  "chain-entries": () => import("../../lambdas/chain-entries.ts"),
  key: () => import("../../lambdas/key.ts"),
  usage: () => import("../../lambdas/usage.ts"),
  "verify-inclusion": () => import("../../lambdas/verify-inclusion.ts"),
  metachain: () => import("../../lambdas/metachain.ts"),
  root: () => import("../../lambdas/root.ts"),
  timestamp: () => import("../../lambdas/timestamp.ts"),
  checkpoint: () => import("../../lambdas/checkpoint.ts"),
  "seal-checkpoint": () => import("../../lambdas/seal-checkpoint.ts"),
  policy: () => import("../../lambdas/policy.ts"),
  "policy-jurisdiction": () => import("../../lambdas/policy-jurisdiction.ts"),
  "policy-layer": () => import("../../lambdas/policy-layer.ts"),
  status: () => import("../../lambdas/status.ts"),
  health: () => import("../../lambdas/health.ts"),
  openapi: () => import("../../lambdas/openapi.ts"),
  "problems-page": () => import("../../lambdas/problems-page.ts"),
  [FALLBACK_HANDLER]: () => import("../../lambdas/not-found.ts"),
};

runServer({
  load: async () => {
    const loading = Object.entries(HANDLERS).map(
      async ([name, load]) => [name, (await load()).handler] as const,
    );
    const [{ handler: authorize }, ...api] = await Promise.all([
      import("../../lambdas/authorize.ts"),
      ...loading,
    ]);
    return { api: new Map(api), authorize };
  },
});
