// The local gateway: what API Gateway and CloudFront are to the deployed stack. The handlers behind it are the same.
import type { IncomingMessage } from "node:http";
import type { APIGatewayProxyResult } from "aws-lambda";
import { buildProblem, type HttpProblem, PROBLEMS } from "../lambdas/problem.ts";
import { FALLBACK_HANDLER, ROUTES } from "../lambdas/routes.ts";
import { type Authorization, Gate, type Refusal } from "./authorization.ts";
import {
  buildContext,
  buildProxyEvent,
  type GatewayRequest,
  matchRoute,
  readRequest,
} from "./gateway-event.ts";
import type { Handlers } from "./handlers.ts";
import { type Handler, type Reply, readBody } from "./http-server.ts";

/** API Gateway's own limit; the handlers have lower ones. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** `files` are served beside the API, by path: what the deployed stack has as static objects. */
export function buildGateway(handlers: Handlers, files: ReadonlyMap<string, Reply>): Handler {
  const gate = new Gate(handlers.authorize);
  return async (incoming) => {
    const request = readRequest(incoming);
    const isRead = request.method === "GET" || request.method === "HEAD";
    const file = isRead ? files.get(request.path) : undefined;
    return file ?? (await serve(handlers, gate, request, incoming));
  };
}

async function serve(
  handlers: Handlers,
  gate: Gate,
  request: GatewayRequest,
  incoming: IncomingMessage,
): Promise<Reply> {
  const { requestId } = request;
  const match = matchRoute(ROUTES, request);
  const authorization: Authorization =
    match?.route.access === "key" ? await gate.check(request, match) : { kind: "allowed", context: null };
  if (authorization.kind !== "allowed") return problemReply(refusalOf(authorization, requestId));
  const body = await readBody(incoming, MAX_BODY_BYTES).catch(() => null);
  if (body === null) return problemReply(buildProblem(PROBLEMS.payloadTooLarge, requestId));
  const handler = handlers.api.get(match?.route.handler ?? FALLBACK_HANDLER);
  if (handler === undefined) return problemReply(buildProblem(PROBLEMS.internal, requestId));
  const event = buildProxyEvent(request, match, body, authorization.context);
  return replyOf(await handler(event, buildContext(requestId)));
}

const replyOf = ({ statusCode, headers = {}, body }: APIGatewayProxyResult): Reply => ({
  status: statusCode,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  body,
});

/** The gateway responses of the deployed stack. */
function refusalOf(refusal: Refusal, requestId: string): HttpProblem {
  if (refusal.kind === "unauthorized") return buildProblem(PROBLEMS.unauthorized, requestId);
  if (refusal.kind === "failed") return buildProblem(PROBLEMS.unavailable, requestId);
  return buildProblem(PROBLEMS.forbidden, requestId, refusal.reason);
}

const problemReply = ({ details, headers }: HttpProblem): Reply => ({
  status: details.status,
  headers: { ...headers, "cache-control": "no-store" },
  body: JSON.stringify(details),
});
