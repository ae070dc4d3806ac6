// GET /v1/key: what the caller's key may do, until when, within which limits, and how much of the month's quota is used.
// It needs no scope, and no answer holds the secret of a key or of a tenant. What the authorizer read already costs
// nothing more; the month's receipts cost what service/limits/month-counts.ts says.

import { MonthCounts } from "../service/limits/month-counts.ts";
import { describeError, logger } from "../service/logger.ts";
import { openTable } from "../service/opening/connections.ts";
import { openPlans } from "../service/opening/limits.ts";
import type { KeyDescription } from "./api/key-description.ts";
import { apiHandler, json } from "./middleware/api.ts";
import { readKeyHolder } from "./middleware/request.ts";

const logDamage = (error: unknown): void =>
  logger.error("a leaf was left out of the month's count", { failure: describeError(error) });

const table = openTable();
const plans = openPlans();
const counts = new MonthCounts({ table, clock: table.clock, onFault: logDamage });

export const handler = apiHandler(async (event) => {
  const caller = readKeyHolder(event);
  const plan = plans.get(caller.plan);
  const { receipts, countedAt, endsAt } = await counts.of(caller);
  const answer: KeyDescription = {
    tenant_id: caller.tenantId,
    key_id: caller.keyId,
    scopes: [...caller.scopes],
    expires_at: caller.keyExpiresAt,
    chains: caller.chains,
    plan: {
      name: caller.plan,
      rate: plan?.rate ?? null,
      burst: plan?.burst ?? null,
      monthly_quota: plan?.monthlyQuota ?? null,
    },
    month: { receipts, counted_at: countedAt.toISOString(), ends_at: endsAt },
  };
  return json(answer);
});
