// The program that records disclosures, and nothing else: the one server of the web runtime that may write receipts.
import { FALLBACK_HANDLER } from "../../contract/routes.ts";
import { runServer } from "./run-server.ts";

runServer({
  load: async () => {
    const [attest, fallback, { handler: authorize }] = await Promise.all([
      import("../../lambdas/attest.ts"),
      import("../../lambdas/not-found.ts"),
      import("../../lambdas/authorize.ts"),
    ]);
    const api = new Map([
      ["attest", attest.handler],
      [FALLBACK_HANDLER, fallback.handler],
    ]);
    return { api, authorize };
  },
  atEnd: async () => (await import("../../lambdas/middleware/metrics.ts")).publishMetrics(),
});
