// The wrapper of every handler of the API: an answer in JSON, problem details for every error, one log line.
import middy from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { CROSS_ORIGIN_HEADERS, isOpenToPages } from "../../contract/cross-origin.ts";
import type { HttpProblem } from "../../contract/problem-details.ts";
import { BINARY_TYPE } from "../../contract/routes.ts";
import { formatBase64 } from "../../evidence/core/bytes.ts";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import { describeError, logger } from "../../service/logger.ts";
import { openRateLimit } from "../../service/opening/limits.ts";
import { problemOf } from "../api/problem.ts";
import { readTenant } from "./request.ts";

export interface HandlerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** True where the body is base64: the gateway sends the bytes in its place. */
  readonly isBase64Encoded?: true;
}

export type ApiHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** The rates of the plans, where nothing in front of the handlers holds them. All handlers of a process share it. */
const rateLimit = openRateLimit();

const NO_STORE = { "cache-control": "no-store" };

/** 200 with a JSON body that no cache may store. */
export const json = (body: unknown): HandlerAnswer => ({
  status: 200,
  headers: { "content-type": "application/json", ...NO_STORE },
  body: JSON.stringify(body),
});

/** 200 with a text that caches may store as `cacheControl` says. */
export const publicText = (contentType: string, cacheControl: string, body: string): HandlerAnswer => ({
  status: 200,
  headers: { "content-type": contentType, "cache-control": cacheControl },
  body,
});

/** 200 with bytes that the caller's own cache alone may store. */
export const privateBytes = (cacheControl: string, bytes: Uint8Array): HandlerAnswer => ({
  status: 200,
  headers: { "content-type": BINARY_TYPE, "cache-control": cacheControl },
  body: formatBase64(bytes),
  isBase64Encoded: true,
});

export const problemAnswer = ({ details, headers }: HttpProblem): HandlerAnswer => ({
  status: details.status,
  headers: { ...headers, ...NO_STORE },
  body: JSON.stringify(details),
});

/**
 * Wraps `answer`: an error becomes a problem for the caller, and a log line with its evidence. `onError` sees it first; it
 * must not throw.
 */
export function apiHandler(
  answer: (event: APIGatewayProxyEvent) => Promise<HandlerAnswer> | HandlerAnswer,
  onError: (event: APIGatewayProxyEvent, error: unknown) => Promise<void> = async () => {},
): ApiHandler {
  const handler = middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
    .use({
      after: ({ event, response }) => logAnswer(event, response),
      onError: async (request) => {
        await onError(request.event, request.error);
        const { requestId } = request.event.requestContext;
        logError(request.error, requestId);
        request.response = toResult(request.event, problemAnswer(problemOf(request.error, requestId)));
        logAnswer(request.event, request.response);
      },
    })
    .handler(async (event) => {
      holdRate(event);
      return toResult(event, await answer(event));
    });
  return (event, context) => handler(event, context);
}

/** Counts every call with a key, whatever becomes of it, as API Gateway does. Throws `rate_exceeded`. */
function holdRate(event: APIGatewayProxyEvent): void {
  if (rateLimit === null) return;
  const tenant = readTenant(event);
  if (tenant !== null) rateLimit.take(tenant.tenantId, tenant.plan);
}

/** Pages of any origin may read every answer, refusals too, of a route that needs no key. */
const toResult = (
  { requestContext }: APIGatewayProxyEvent,
  { status, headers, ...answer }: HandlerAnswer,
): APIGatewayProxyResult => ({
  statusCode: status,
  headers: { ...headers, ...(isOpenToPages(requestContext.resourcePath) && CROSS_ORIGIN_HEADERS) },
  ...answer,
});

/** Logs the route's pattern, never the path, which holds identifiers. */
function logAnswer(event: APIGatewayProxyEvent, response: APIGatewayProxyResult | null | undefined): void {
  const { requestId: request_id, resourcePath: route, httpMethod: method, authorizer } = event.requestContext;
  logger.info("answered", {
    request_id,
    method,
    route,
    status: response?.statusCode,
    key_id: authorizer?.keyId,
  });
}

/** Logs a caller's mistake by its code alone. */
function logError(error: unknown, request_id: string): void {
  const isOurs = !isDisclosureError(error) || problemOf(error, request_id).details.status >= 500;
  if (isOurs) logger.error("failed", { request_id, failure: describeError(error) });
  else logger.info("refused", { request_id, code: error.code });
}
