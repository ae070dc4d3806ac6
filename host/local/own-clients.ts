// Who is answered by the stand-ins: programs of this machine, and of these only the clients that have the access key.
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type HttpHandler, type Reply, strangerStatus } from "../server/http-server.ts";

const ACCESS_KEY_BYTES = 16;
/** The id is all that is looked at: it is random, and no signature is checked. */
const CREDENTIAL = /^AWS4-HMAC-SHA256 Credential=([^/,\s]+)\//;

const UNKNOWN_CLIENT: Reply = {
  status: 403,
  headers: { "content-type": "application/x-amz-json-1.1" },
  body: JSON.stringify({
    __type: "UnrecognizedClientException",
    message: "this stand-in answers the clients of its own stack alone",
  }),
};

export const newAccessKey = (): string => randomBytes(ACCESS_KEY_BYTES).toString("hex");

/** Answers no page of a stranger. */
export const forThisMachine =
  (handler: HttpHandler): HttpHandler =>
  (request) => {
    const status = strangerStatus(request);
    return status === null ? handler(request) : { status };
  };

/** Answers whoever has the access key. A stack always gives one; without it, any client of this machine will do. */
export const forOwnClients = (handler: HttpHandler, accessKey: string | undefined): HttpHandler =>
  forThisMachine((request) =>
    accessKey === undefined || hasKey(request, accessKey) ? handler(request) : UNKNOWN_CLIENT,
  );

function hasKey({ headers: { authorization = "" } }: IncomingMessage, accessKey: string): boolean {
  const [, given = ""] = CREDENTIAL.exec(authorization) ?? [];
  return timingSafeEqual(digestOf(given), digestOf(accessKey));
}

/** Digests have one length, as the constant-time comparison needs it. */
const digestOf = (text: string): Uint8Array => hash("sha256", text, "buffer");
