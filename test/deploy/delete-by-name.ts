// AWS takes a stack's name or its ARN; the emulator's DeleteStack knows names only, and does nothing for the ARN that the
// CDK's command line gives. So for `cdk destroy` this stands between the two.
import type { IncomingMessage } from "node:http";
import { type Listening, listen, type Reply, readBody } from "../../host/server/http-server.ts";

const MAX_BODY_BYTES = 10 * 1024 * 1024;
const STACK_ARN = /arn%3Aaws%3Acloudformation%3A[^&]*?%3Astack%2F([^%&]+)%2F[^&]*/;
/** Those that belong to one connection, not to the call. */
const HOP_BY_HOP = ["connection", "content-length", "expect", "transfer-encoding"];

/** Passes every call on to `endpoint` as it is, but for the name of a stack to delete. */
export const startDeleteByName = (endpoint: string): Promise<Listening> =>
  listen((request) => passOn(endpoint, request));

async function passOn(endpoint: string, request: IncomingMessage): Promise<Reply> {
  const { method = "GET", url = "/", headers } = request;
  const body = Buffer.from(await readBody(request, MAX_BODY_BYTES));
  const hasBody = method !== "GET" && method !== "HEAD";
  const response = await fetch(endpoint + url, {
    method,
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      HOP_BY_HOP.includes(name) || typeof value !== "string" ? [] : [[name, value]],
    ),
    ...(hasBody && { body: new Uint8Array(named(body)) }),
  });
  const type = response.headers.get("content-type") ?? "text/xml";
  return { status: response.status, headers: { "content-type": type }, body: await response.text() };
}

function named(body: Buffer): Buffer {
  const text = body.toString();
  return text.includes("Action=DeleteStack") ? Buffer.from(text.replace(STACK_ARN, "$1")) : body;
}
