// API Gateway's own answers, as the same problem details (RFC 9457) that the handlers give.
import { type GatewayResponseOptions, ResponseType, type RestApi } from "aws-cdk-lib/aws-apigateway";
import { buildProblem } from "../../contract/problem-details.ts";
import { PROBLEMS, type ProblemKind } from "../../contract/problem-kinds.ts";
import { NO_SUCH_PATH } from "../../contract/routes.ts";

interface GatewayAnswer {
  readonly type: ResponseType;
  readonly problem: ProblemKind;
  readonly detail?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** API Gateway fills in the templates without escaping: the authorizer's reasons are our own words and need none. */
const REQUEST_ID = "$context.requestId";
const AUTHORIZER_REASON = "$context.authorizer.reason";

const ANSWERS: readonly GatewayAnswer[] = [
  {
    type: ResponseType.UNAUTHORIZED,
    problem: PROBLEMS.unauthorized,
    // API Gateway does not tell a template which of these it was.
    detail: "the Authorization header is missing, is not `Bearer` and a key, or has an unknown key",
    headers: { "www-authenticate": "Bearer" },
  },
  { type: ResponseType.ACCESS_DENIED, problem: PROBLEMS.forbidden, detail: AUTHORIZER_REASON },
  // The authorizer knows the key, but no usage plan has it.
  {
    type: ResponseType.INVALID_API_KEY,
    problem: PROBLEMS.forbidden,
    detail: "the API key is in no usage plan",
  },
  {
    type: ResponseType.WAF_FILTERED,
    problem: PROBLEMS.forbidden,
    detail: "the firewall refused the request",
  },
  // API Gateway answers a path without a method as if a token were missing, and reads a key that comes with it as a
  // signature of AWS's. No method of ours takes such signatures, so each of these is a path that there is not.
  { type: ResponseType.MISSING_AUTHENTICATION_TOKEN, problem: PROBLEMS.notFound, detail: NO_SUCH_PATH },
  { type: ResponseType.INVALID_SIGNATURE, problem: PROBLEMS.notFound, detail: NO_SUCH_PATH },
  { type: ResponseType.EXPIRED_TOKEN, problem: PROBLEMS.notFound, detail: NO_SUCH_PATH },
  { type: ResponseType.RESOURCE_NOT_FOUND, problem: PROBLEMS.notFound, detail: NO_SUCH_PATH },
  // API Gateway's own limit is 10 MB; those of the handlers are lower.
  { type: ResponseType.REQUEST_TOO_LARGE, problem: PROBLEMS.payloadTooLarge },
  { type: ResponseType.UNSUPPORTED_MEDIA_TYPE, problem: PROBLEMS.unsupportedMediaType },
  { type: ResponseType.THROTTLED, problem: PROBLEMS.tooManyRequests, detail: "calls come too fast" },
  { type: ResponseType.DEFAULT_4XX, problem: PROBLEMS.badRequest },
  // A function that timed out, was throttled or broke may have recorded the disclosure: the caller must ask again with
  // the same Idempotency-Key, so all of these are 503 with Retry-After.
  { type: ResponseType.DEFAULT_5XX, problem: PROBLEMS.unavailable },
  { type: ResponseType.AUTHORIZER_FAILURE, problem: PROBLEMS.unavailable },
  { type: ResponseType.AUTHORIZER_CONFIGURATION_ERROR, problem: PROBLEMS.unavailable },
  { type: ResponseType.API_CONFIGURATION_ERROR, problem: PROBLEMS.unavailable },
  { type: ResponseType.INTEGRATION_FAILURE, problem: PROBLEMS.unavailable },
  { type: ResponseType.INTEGRATION_TIMEOUT, problem: PROBLEMS.unavailable },
];

export function addGatewayResponses(api: RestApi): void {
  for (const answer of ANSWERS) api.addGatewayResponse(answer.type.responseType, responseOf(answer));
}

function responseOf({ type, problem, detail, headers }: GatewayAnswer): GatewayResponseOptions {
  const { details, headers: problemHeaders } = buildProblem(problem, REQUEST_ID, detail);
  const all = { ...problemHeaders, "cache-control": "no-store", ...headers };
  return {
    type,
    statusCode: String(problem.status),
    // API Gateway takes a value in quotes as a constant.
    responseHeaders: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, `'${value}'`])),
    // API Gateway picks a template by the Accept header, or this one; the header above gives the real content type.
    templates: { "application/json": JSON.stringify(details) },
  };
}
