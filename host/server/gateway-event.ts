// The events of API Gateway, built from plain HTTP requests.
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { APIGatewayProxyEvent, APIGatewayTokenAuthorizerEvent, Context } from "aws-lambda";
import type { Route } from "../../contract/routes.ts";

/** A REST API's own limit on how long a handler may take. */
const TIMEOUT_MS = 29_000;
const STAGE = "local";

/** A target in absolute form has this before its path (RFC 9112 section 3.2.2). The host is not looked at. */
const ORIGIN = /^https?:\/\/[^/?]*/i;

/** A request, as its events need it. */
export interface GatewayRequest {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly query: Record<string, string> | null;
  readonly headers: Record<string, string>;
}

export function readRequest(request: IncomingMessage): GatewayRequest {
  // `new URL` throws on targets that a client may send, such as "//".
  const target = (request.url ?? "/").replace(ORIGIN, "");
  const [path = ""] = target.split("?", 1);
  const query = Object.fromEntries(new URLSearchParams(target.slice(path.length)));
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
  return {
    requestId: randomUUID(),
    method: request.method ?? "GET",
    path: path === "" ? "/" : path,
    query: Object.keys(query).length === 0 ? null : query,
    headers: Object.fromEntries(headers),
  };
}

/** The route of a request, with its path parameters as they were sent: API Gateway does not decode them. */
export interface Match {
  readonly route: Route;
  readonly pathParameters: Record<string, string> | null;
}

export function matchRoute(routes: readonly Route[], { method, path }: GatewayRequest): Match | null {
  for (const route of routes) {
    const pathParameters = answersTo(route, method) ? matchPath(route.path, path) : null;
    if (pathParameters !== null) return { route, pathParameters };
  }
  return null;
}

const answersTo = (route: Route, method: string): boolean =>
  route.method === method || (method === "HEAD" && isReadable(route));

/** True if anyone may GET the route, and so ask for the headers of the answer by HEAD. */
const isReadable = ({ method, access }: Route): boolean => method === "GET" && access === "public";

/** The path of the route table that pages of other origins may ask for under the request's path; null where none is. */
export function matchOpenPath(routes: readonly Route[], { path }: GatewayRequest): string | null {
  const open = routes.filter(({ access }) => access === "public");
  return open.find((route) => matchPath(route.path, path) !== null)?.path ?? null;
}

const GREEDY = "+}";

function matchPath(template: string, path: string): Record<string, string> | null {
  const names = template.split("/");
  const values = template.endsWith(GREEDY) ? splitGreedily(path, names.length) : path.split("/");
  if (names.length !== values.length) return null;
  const parameters: Record<string, string> = {};
  for (const [i, name] of names.entries()) {
    const value = values[i] ?? "";
    if (name.startsWith("{") && value !== "" && isEncoded(value))
      parameters[name.replaceAll(/^\{|\+?\}$/g, "")] = value;
    else if (name !== value) return null;
  }
  return parameters;
}

/** The last segment takes the whole rest of the path. */
function splitGreedily(path: string, segments: number): string[] {
  const parts = path.split("/");
  return [
    ...parts.slice(0, segments - 1),
    ...(parts.length < segments ? [] : [parts.slice(segments - 1).join("/")]),
  ];
}

/** A stray percent sign matches no resource. */
function isEncoded(segment: string): boolean {
  try {
    decodeURIComponent(segment);
    return true;
  } catch {
    return false;
  }
}

export function buildProxyEvent(
  request: GatewayRequest,
  match: Match | null,
  body: Uint8Array,
  authorizer: Record<string, unknown> | null,
): APIGatewayProxyEvent {
  const resource = match?.route.path ?? "/{proxy+}";
  return {
    resource,
    path: request.path,
    httpMethod: request.method,
    headers: request.headers,
    multiValueHeaders: {},
    queryStringParameters: request.query,
    multiValueQueryStringParameters: null,
    pathParameters: match?.pathParameters ?? null,
    stageVariables: null,
    body: body.length === 0 ? null : Buffer.from(body).toString("base64"),
    isBase64Encoded: body.length > 0,
    requestContext: {
      ...requestContext(request, resource),
      authorizer: authorizer as APIGatewayProxyEvent["requestContext"]["authorizer"],
    },
  };
}

export const buildAuthorizerEvent = (
  { method, path }: GatewayRequest,
  authorizationToken: string,
): APIGatewayTokenAuthorizerEvent => ({
  type: "TOKEN",
  methodArn: `arn:aws:execute-api:local:000000000000:local/${STAGE}/${method}${path}`,
  authorizationToken,
});

function requestContext({ requestId, method, path }: GatewayRequest, resourcePath: string) {
  return {
    accountId: "000000000000",
    apiId: "local",
    httpMethod: method,
    identity: { sourceIp: "127.0.0.1" } as APIGatewayProxyEvent["requestContext"]["identity"],
    path,
    protocol: "HTTP/1.1",
    requestId,
    requestTimeEpoch: Date.now(),
    resourceId: "local",
    resourcePath,
    stage: STAGE,
  };
}

/** The part of the Lambda context that handlers read. */
export function buildContext(requestId: string): Context {
  const deadline = Date.now() + TIMEOUT_MS;
  const context: Partial<Context> = {
    awsRequestId: requestId,
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => deadline - Date.now(),
  };
  return context as Context;
}
