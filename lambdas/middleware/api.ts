// What every handler of the API is wrapped in: an answer in JSON, problem details for every error, one log line.
import middy from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { isDisclosureError } from "../../core/errors.ts";
import { describeError, logger } from "../../service/logger.ts";
import { type HttpProblem, problemOf } from "../problem.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type ApiHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

const NO_STORE = { "cache-control": "no-store" };

/** 200 with a JSON body, not to be stored by anybody in between. */
export const json = (body: unknown): Answer => ({
  status: 200,
  headers: { "content-type": "application/json", ...NO_STORE },
  body: JSON.stringify(body),
});

/** 200 with a text that anyone may read from anywhere, and keep as long as `cacheControl` says. */
export const publicText = (contentType: string, cacheControl: string, body: string): Answer => ({
  status: 200,
  headers: { "content-type": contentType, "cache-control": cacheControl, "access-control-allow-origin": "*" },
  body,
});

export const problemAnswer = ({ details, headers }: HttpProblem): Answer => ({
  status: details.status,
  headers: { ...headers, ...NO_STORE },
  body: JSON.stringify(details),
});

/** Wraps `answer`: whatever it throws becomes a problem for the caller, and evidence for us. */
export function apiHandler(answer: (event: APIGatewayProxyEvent) => Promise<Answer> | Answer): ApiHandler {
  const handler = middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
    .use({
      after: ({ event, response }) => logAnswer(event, response),
      onError: (request) => {
        const { requestId } = request.event.requestContext;
        logError(request.error, requestId);
        request.response = toResult(problemAnswer(problemOf(request.error, requestId)));
        logAnswer(request.event, request.response);
      },
    })
    .handler(async (event) => toResult(await answer(event)));
  return (event, context) => handler(event, context);
}

const toResult = ({ status, headers, body }: Answer): APIGatewayProxyResult => ({
  statusCode: status,
  headers,
  body,
});

/** The route's pattern, never the path itself: that holds identifiers. */
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

/** A caller's mistake is no error of ours: its code is enough. */
function logError(error: unknown, request_id: string): void {
  const isOurs = !isDisclosureError(error) || problemOf(error, request_id).details.status >= 500;
  if (isOurs) logger.error("failed", { request_id, failure: describeError(error) });
  else logger.info("refused", { request_id, code: error.code });
}
