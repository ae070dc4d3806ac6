// The local gateway: what API Gateway and CloudFront are to the deployed stack. The handlers behind it are the same.
import type { IncomingMessage } from "node:http";
import { buildProblem, type HttpProblem, PROBLEMS } from "../lambdas/problem.ts";
import { FALLBACK_HANDLER, ROUTES } from "../lambdas/routes.ts";
import { type Authorization, Gate } from "./authorization.ts";
import {
  buildContext,
  buildProxyEvent,
  type GatewayRequest,
  type Match,
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
  const match = matchRoute(ROUTES, request);
  const authorization = match?.route.access === "key" ? await gate.check(request, match) : null;
  const refusal = authorization === null ? null : refuse(authorization, request.requestId);
  if (refusal !== null) return problemReply(refusal);
  const body = await readBody(incoming, MAX_BODY_BYTES).catch(() => null);
  if (body === null) return problemReply(buildProblem(PROBLEMS.payloadTooLarge, request.requestId));
  return invoke(
    handlers,
    request,
    match,
    body,
    authorization?.kind === "allowed" ? authorization.context : null,
  );
}

async function invoke(
  handlers: Handlers,
  request: GatewayRequest,
  match: Match | null,
  body: Uint8Array,
  authorizer: Record<string, unknown> | null,
): Promise<Reply> {
  const handler = handlers.api.get(match?.route.handler ?? FALLBACK_HANDLER);
  if (handler === undefined) return problemReply(buildProblem(PROBLEMS.internal, request.requestId));
  const event = buildProxyEvent(request, match, body, authorizer);
  const result = await handler(event, buildContext(request.requestId));
  return { status: result.statusCode, headers: textHeaders(result.headers ?? {}), body: result.body };
}

const textHeaders = (headers: Record<string, boolean | number | string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** The gateway responses of the deployed stack. */
function refuse(authorization: Authorization, requestId: string): HttpProblem | null {
  if (authorization.kind === "allowed") return null;
  if (authorization.kind === "unauthorized") return buildProblem(PROBLEMS.unauthorized, requestId);
  if (authorization.kind === "failed") return buildProblem(PROBLEMS.unavailable, requestId);
  return buildProblem(PROBLEMS.forbidden, requestId, authorization.reason);
}

const problemReply = ({ details, headers }: HttpProblem): Reply => ({
  status: details.status,
  headers: { ...headers, "cache-control": "no-store" },
  body: JSON.stringify(details),
});
