// The local gateway, in place of API Gateway and CloudFront. The handlers behind it are the deployed ones.
import { existsSync, readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import type { APIGatewayProxyResult } from "aws-lambda";
import { HEAD_ROUTE, SIGNED_ROOTS_FOLDER, TILES_FOLDER } from "../contract/metachain-paths.ts";
import { buildProblem, type HttpProblem } from "../contract/problem-details.ts";
import { PROBLEMS } from "../contract/problem-kinds.ts";
import { PAGE_PATH, TRUST_ANCHORS_PATH } from "../contract/public-paths.ts";
import { BINARY_TYPE, FALLBACK_HANDLER, ROUTES } from "../contract/routes.ts";
import { IMMUTABLE_CACHE } from "../service/seals/public-files.ts";
import { TILE_TYPE } from "../service/seals/published-roots.ts";
import { type Authorization, type AuthorizerRefusal, Gate } from "./authorization.ts";
import {
  buildContext,
  buildProxyEvent,
  type GatewayRequest,
  matchRoute,
  readRequest,
} from "./gateway-event.ts";
import type { Handlers } from "./handlers.ts";
import { type HttpHandler, type Reply, readBody } from "./http-server.ts";

/** API Gateway's own limit; the handlers have lower ones. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

const BINARY = new RegExp(`^\\s*${BINARY_TYPE}\\s*(?:[,;]|$)`);

/** The verifier page as `npm run web` built it; npm runs that before `npm start`. */
const WEB = new URL("../dist/web/", import.meta.url);

/** The static files, by path: the PEM file of the trust anchors and, once it was built, the verifier page. */
export function staticFiles(trustAnchorsFile: string): Map<string, Reply> {
  const files = new Map([[TRUST_ANCHORS_PATH, pemReply(trustAnchorsFile)]]);
  const [page, headers] = [new URL("index.html", WEB), new URL("headers.json", WEB)];
  if (existsSync(page) && existsSync(headers)) {
    const body = readFileSync(page, "utf8");
    files.set(PAGE_PATH, { status: 200, headers: JSON.parse(readFileSync(headers, "utf8")), body });
  }
  return files;
}

const pemReply = (file: string): Reply => ({
  status: 200,
  headers: { "content-type": "application/x-pem-file", "access-control-allow-origin": "*" },
  body: readFileSync(file, "utf8"),
});

/** Reads a file of the log by its path below the log's prefix; null where there is none. */
export type ReadLogFile = (path: string) => Promise<Uint8Array | null>;

/** `files` are served by path, in place of the deployed stack's bucket of the page; the log's, of that of the roots. */
export function buildGateway(
  handlers: Handlers,
  files: ReadonlyMap<string, Reply>,
  readLogFile: ReadLogFile,
): HttpHandler {
  const gate = new Gate(handlers.authorize);
  return async (incoming) => {
    const request = readRequest(incoming);
    const isRead = request.method === "GET" || request.method === "HEAD";
    const file = isRead ? (files.get(request.path) ?? (await logFileReply(request.path, readLogFile))) : null;
    return file ?? (await serve(handlers, gate, request, incoming));
  };
}

/** The folders of the log's files that hold bytes; those of text have handlers. */
const LOG_FOLDERS: readonly string[] = [`/${TILES_FOLDER}/`, `/${SIGNED_ROOTS_FOLDER}/`];

/** Tiles, entries and signed roots have no handler: in the cloud, too, they are files and nothing else. */
async function logFileReply(path: string, readLogFile: ReadLogFile): Promise<Reply | null> {
  if (!LOG_FOLDERS.some((folder) => path.startsWith(folder))) return null;
  const body = await readLogFile(path.slice(HEAD_ROUTE.length + 1));
  if (body === null) return null;
  const headers = {
    "content-type": TILE_TYPE,
    "cache-control": IMMUTABLE_CACHE,
    "access-control-allow-origin": "*",
  };
  return { status: 200, headers, body };
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
    match?.route.access === "key" ? await gate.check(request) : { kind: "allowed", context: null };
  if (authorization.kind !== "allowed") return problemReply(refusalOf(authorization, requestId));
  const body = await readBody(incoming, MAX_BODY_BYTES).catch(() => null);
  if (body === null) return problemReply(buildProblem(PROBLEMS.payloadTooLarge, requestId));
  const handler = handlers.api.get(match?.route.handler ?? FALLBACK_HANDLER);
  if (handler === undefined) return problemReply(buildProblem(PROBLEMS.internal, requestId));
  const event = buildProxyEvent(request, match, body, authorization.context);
  return replyOf(await handler(event, buildContext(requestId)), request);
}

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
  if (refusal.kind === "unauthorized") return buildProblem(PROBLEMS.unauthorized, requestId);
  if (refusal.kind === "failed") return buildProblem(PROBLEMS.unavailable, requestId);
  return buildProblem(PROBLEMS.forbidden, requestId, refusal.reason);
}

const problemReply = ({ details, headers }: HttpProblem): Reply => ({
  status: details.status,
  headers: { ...headers, "cache-control": "no-store" },
  body: JSON.stringify(details),
});
