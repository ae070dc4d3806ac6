// The Lambda authorizer: verifies the bearer key. API Gateway caches its answer for AUTHORIZER_TTL_SECONDS.
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from "aws-lambda";
import { isDisclosureError } from "../core/errors.ts";
import { fingerprintOf } from "../core/formats/tenant-anchor.ts";
import { openTable } from "../service/connections.ts";
import { describeError, logger } from "../service/logger.ts";
import { usageKeyOf } from "../service/tenants/api-key-format.ts";
import { Tenants } from "../service/tenants/tenants.ts";
import { formatCaller } from "./middleware/request.ts";

/** The message of an error that API Gateway answers with 401. */
const UNAUTHORIZED = "Unauthorized";
/** One space or more (RFC 9110 section 11.4). */
const BEARER = /^Bearer +([\x21-\x7e]{1,256})$/i;

const table = openTable();
const tenants = new Tenants(table, table.clock);

export async function handler(event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> {
  const header = Object.entries(event.headers ?? {}).find(([name]) => name.toLowerCase() === "authorization");
  const [, apiKey = ""] = BEARER.exec(header?.[1] ?? "") ?? [];
  try {
    const caller = await tenants.authenticate(apiKey);
    const usageIdentifierKey = usageKeyOf(fingerprintOf(caller.tenantAnchor), caller.plan);
    return { ...policy(event, "Allow"), context: formatCaller(caller), usageIdentifierKey };
  } catch (error) {
    if (isDisclosureError(error, "unauthorized")) throw new Error(UNAUTHORIZED);
    if (isDisclosureError(error, "forbidden"))
      return { ...policy(event, "Deny"), context: { reason: error.message } };
    logger.error("could not authorize", { failure: describeError(error) });
    throw error;
  }
}

/** For the whole stage: API Gateway caches the policy by token, so one for this route alone would refuse the next. */
function policy(event: APIGatewayRequestAuthorizerEvent, Effect: "Allow" | "Deny") {
  const [api, stage] = event.methodArn.split("/");
  const Statement = [{ Action: "execute-api:Invoke", Effect, Resource: `${api}/${stage}/*` }];
  return { principalId: "caller", policyDocument: { Version: "2012-10-17", Statement } };
}
