// The rate of the caller's plan, where nothing in front of the handlers holds it. All handlers of a process share it.
import type { APIGatewayProxyEvent } from "aws-lambda";
import { openRateLimit } from "../../service/opening/limits.ts";
import { readTenant } from "./request.ts";

const rateLimit = openRateLimit();

/** Counts every call with a key, whatever becomes of it, as API Gateway does. Throws `rate_exceeded`. */
export function holdRate(event: APIGatewayProxyEvent): void {
  if (rateLimit === null) return;
  const tenant = readTenant(event);
  if (tenant !== null) rateLimit.take(tenant.tenantId, tenant.plan);
}
