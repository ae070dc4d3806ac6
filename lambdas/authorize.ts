// The Lambda authorizer: verifies the bearer key. API Gateway caches its answer for AUTHORIZER_TTL_SECONDS.
import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from "aws-lambda";
import { AUTHORIZATION_PATTERN } from "../contract/api-key.ts";
import { isDisclosureError } from "../evidence/core/errors.ts";
import { fingerprintOf } from "../evidence/core/formats/tenant-anchor.ts";
import { describeError, logger } from "../service/logger.ts";
import { openTable } from "../service/opening/connections.ts";
import { usageKeyOf } from "../service/tenants/api-key-format.ts";
import { KeyUses } from "../service/tenants/key-uses.ts";
import { Tenants } from "../service/tenants/tenants.ts";
import { measured, meter } from "./middleware/metrics.ts";
import { formatCaller } from "./middleware/request.ts";

/** The message of an error that API Gateway answers with 401. */
const UNAUTHORIZED = "Unauthorized";

const table = openTable();
const tenants = new Tenants(table, table.clock);
const uses = new KeyUses({
  table,
  clock: table.clock,
  onFault: (error) => logger.error("the use of a key was not noted", { failure: describeError(error) }),
});

export const handler = measured(authorize);

async function authorize(event: APIGatewayTokenAuthorizerEvent): Promise<APIGatewayAuthorizerResult> {
  const [, apiKey = ""] = AUTHORIZATION_PATTERN.exec(event.authorizationToken) ?? [];
  try {
    const caller = await tenants.authenticate(apiKey);
    uses.note(caller.keyId);
    const usageIdentifierKey = usageKeyOf(fingerprintOf(caller.tenantAnchor), caller.plan);
    return { ...policy(event, "Allow"), context: formatCaller(caller), usageIdentifierKey };
  } catch (error) {
    if (isDisclosureError(error, "unauthorized")) throw new Error(UNAUTHORIZED);
    if (isDisclosureError(error, "forbidden"))
      return { ...policy(event, "Deny"), context: { reason: error.message } };
    meter("authorizerFailures", 1);
    logger.error("could not authorize", { failure: describeError(error) });
    throw error;
  }
}

/** For the whole stage: API Gateway caches the policy by token, so one for this route alone would refuse the next. */
function policy(event: APIGatewayTokenAuthorizerEvent, Effect: "Allow" | "Deny") {
  const [api, stage] = event.methodArn.split("/");
  const Statement = [{ Action: "execute-api:Invoke", Effect, Resource: `${api}/${stage}/*` }];
  return { principalId: "caller", policyDocument: { Version: "2012-10-17", Statement } };
}
