// The plans of the local stack. It has no API Gateway, so no usage plan counts their calls.
import type { Deployment } from "../contract/deployment.ts";
import { DEFAULT_PLANS, type Plans } from "../contract/plans.ts";

/** The plan of the tenant that comes with the stack: one process writes, so one chain takes all that it can. */
export const OWN_PLAN = "local";

/** The first one is that of tenants for which none is named. On one's own machine nobody is to be held up. */
const LOCAL_PLANS: Plans = {
  [OWN_PLAN]: { rate: 10_000, burst: 5_000, monthlyQuota: 1_000_000_000, chains: 1 },
  ...DEFAULT_PLANS,
};

/** As the stack tells the operator's command line of them. */
export const localPlans = (): Deployment["plans"] => {
  const plans = Object.entries(LOCAL_PLANS).map(([name, plan]) => [name, { ...plan, usagePlanId: null }]);
  return Object.fromEntries(plans);
};
