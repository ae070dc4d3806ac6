// The plans of the local stack. It has no API Gateway, so no usage plan counts their calls.
import type { Deployment } from "../../contract/deployment.ts";
import type { Plan, Plans } from "../../contract/plans.ts";

/** The plan of the tenant that comes with the stack: one process writes, so one chain takes all that it can. */
export const OWN_PLAN = "local";

/** On one's own machine nobody is to be held up. */
const UNLIMITED: Plan = { rate: 10_000, burst: 5_000, monthlyQuota: 1_000_000_000, chains: 1 };

/**
 * As the stack tells the operator's command line of them: its own plan, which is that of tenants for which none is named,
 * and those of its settings.
 */
export const localPlans = (plans: Plans): Deployment["plans"] => {
  const all = Object.entries(withOwnPlan(plans));
  return Object.fromEntries(all.map(([name, plan]) => [name, { ...plan, usagePlanId: null }]));
};

/** Where rates hold, a tenant on a plan that is not among these is refused. */
export const withOwnPlan = (plans: Plans): Plans => ({ [OWN_PLAN]: UNLIMITED, ...plans });
