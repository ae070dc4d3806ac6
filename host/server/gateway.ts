// The HTTP front of the handlers: routes, authorizer and answers as API Gateway has them. The local stack, the web runtime
// and a container serve through it; the handlers behind it are the deployed ones.
import type { IncomingMessage } from "node:http";
import type { APIGatewayProxyResult } from "aws-lambda";
import { CROSS_ORIGIN_HEADERS, PREFLIGHT_STATUS, preflightHeadersOf } from "../../contract/cross-origin.ts";
import { buildProblem, type HttpProblem } from "../../contract/problem-details.ts";
import { PROBLEMS } from "../../contract/problem-kinds.ts";
import { BINARY_TYPE, FALLBACK_HANDLER, ROUTES, type Route } from "../../contract/routes.ts";
import { type Authorization, type AuthorizerRefusal, Gate } from "./authorization.ts";
import {
  buildContext,
  buildProxyEvent,
  type GatewayRequest,
  type Match,
  matchOpenPath,
  matchRoute,
  readRequest,
} from "./gateway-event.ts";
import type { ApiHandlers } from "./handlers.ts";
import { type HttpHandler, type Reply, readBody } from "./http-server.ts";
import { Turns } from "./turns.ts";

/** More than any handler reads, each of which has a limit of its own, and little enough for many requests at once. */
const MAX_BODY_BYTES = 1024 * 1024;

const BINARY = new RegExp(`^\\s*${BINARY_TYPE}\\s*(?:[,;]|$)`);

/** Serves the routes whose handlers there are; the fallback answers all other requests. */
export function buildGateway(handlers: ApiHandlers): HttpHandler {
  const gate = new Gate(handlers.authorize);
  const routes = ROUTES.filter(({ handler }) => handlers.api.has(handler));
  const parts = { handlers, gate, routes, turns: new Turns() };
  return (incoming) => serve(parts, readRequest(incoming), incoming);
}

interface GatewayParts {
  readonly handlers: ApiHandlers;
  readonly gate: Gate;
  readonly routes: readonly Route[];
  /** For the work that needs no key. */
  readonly turns: Turns;
}

async function serve(
  parts: GatewayParts,
  request: GatewayRequest,
  incoming: IncomingMessage,
): Promise<Reply> {
  const match = matchRoute(parts.routes, request);
  const openPath = match === null ? matchOpenPath(parts.routes, request) : null;
  if (request.method === "OPTIONS" && openPath !== null)
    return { status: PREFLIGHT_STATUS, headers: preflightHeadersOf(openPath) };
  const reply = await answer(parts, request, match, incoming);
  // A page of another origin could not read a refusal without them: the handlers add them to their own answers only.
  const isOpen = match === null ? openPath !== null : match.route.access === "public";
  return isOpen ? { ...reply, headers: { ...reply.headers, ...CROSS_ORIGIN_HEADERS } } : reply;
}

async function answer(
  { handlers, gate, turns }: GatewayParts,
  request: GatewayRequest,
  match: Match | null,
  incoming: IncomingMessage,
): Promise<Reply> {
  const { requestId } = request;
  const authorization: Authorization =
    match?.route.access === "key" ? await gate.check(request) : { kind: "allowed", context: null };
  if (authorization.kind !== "allowed") return problemReply(refusalOf(authorization, requestId));
  const body = await readBody(incoming, MAX_BODY_BYTES).catch(() => null);
  if (body === null) return problemReply(buildProblem(PROBLEMS.payloadTooLarge, requestId));
  const handler = handlers.api.get(match?.route.handler ?? FALLBACK_HANDLER);
  if (handler === undefined) return problemReply(buildProblem(PROBLEMS.internal, requestId));
  const event = buildProxyEvent(request, match, body, authorization.context);
  const work = () => handler(event, buildContext(requestId));
  const result = isKeylessWork(match) ? turns.take(work) : work();
  if (result === null) return problemReply(buildProblem(PROBLEMS.unavailable, requestId));
  return replyOf(await result, request);
}

const isKeylessWork = (match: Match | null): boolean =>
  match?.route.access === "public" && match.route.method === "POST";

const replyOf = (
  { statusCode, headers = {}, body, isBase64Encoded = false }: APIGatewayProxyResult,
  { headers: { accept = "" } }: GatewayRequest,
): Reply => ({
  status: statusCode,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  // As API Gateway does it: the first type that the caller accepts decides, and all others get the base64.
  body: isBase64Encoded && BINARY.test(accept) ? Buffer.from(body, "base64") : body,
});

/** The gateway responses of the deployed stack. */
function refusalOf(refusal: AuthorizerRefusal, requestId: string): HttpProblem {
  if (refusal.kind === "unauthorized") return buildProblem(PROBLEMS.unauthorized, requestId, refusal.reason);
  if (refusal.kind === "failed") return buildProblem(PROBLEMS.unavailable, requestId);
  return buildProblem(PROBLEMS.forbidden, requestId, refusal.reason);
}

/** Problem details, as an answer that no cache may store. */
export const problemReply = ({ details, headers }: HttpProblem): Reply => ({
  status: details.status,
  headers: { ...headers, "cache-control": "no-store" },
  body: JSON.stringify(details),
});
