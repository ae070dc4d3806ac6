// The program that answers all calls but the recording of a disclosure. It writes nothing.
import { FALLBACK_HANDLER } from "../contract/routes.ts";
import { runServer } from "./run-server.ts";

const HANDLERS = {
  report: () => import("../lambdas/report.ts"),
  interaction: () => import("../lambdas/interaction.ts"),
  chains: () => import("../lambdas/chains.ts"),
  chain: () => import("../lambdas/chain.ts"),
  "chain-tile": () => import("../lambdas/chain-tile.ts"),
  "verify-inclusion": () => import("../lambdas/verify-inclusion.ts"),
  metachain: () => import("../lambdas/metachain.ts"),
  root: () => import("../lambdas/root.ts"),
  timestamp: () => import("../lambdas/timestamp.ts"),
  checkpoint: () => import("../lambdas/checkpoint.ts"),
  "seal-checkpoint": () => import("../lambdas/seal-checkpoint.ts"),
  openapi: () => import("../lambdas/openapi.ts"),
  "problems-page": () => import("../lambdas/problems-page.ts"),
  [FALLBACK_HANDLER]: () => import("../lambdas/not-found.ts"),
};

runServer({
  load: async () => {
    const loading = Object.entries(HANDLERS).map(
      async ([name, load]) => [name, (await load()).handler] as const,
    );
    const [{ handler: authorize }, ...api] = await Promise.all([
      import("../lambdas/authorize.ts"),
      ...loading,
    ]);
    return { api: new Map(api), authorize };
  },
});
