// The development timestamp authority: RFC 3161 over HTTP (section 3.4), under a CA of its own in the data folder.
import type { IncomingMessage } from "node:http";
import { listen, type Reply, readBody } from "../server/http-server.ts";
import { forThisMachine } from "./own-clients.ts";
import { loadTimestampIdentity, type TimestampIdentity } from "./timestamp-identity.ts";
import { answerTimeStampReq } from "./timestamp-response.ts";

export type TimestampAuthorityOptions = {
  /** The folder of its key and certificates. */
  readonly directory: string;
  /** Any free one if not given. */
  readonly port?: number;
  readonly clock?: () => Date;
};

export type TimestampAuthority = {
  readonly url: string;
  /** The trust anchor for its tokens. */
  readonly certificatePem: string;
  readonly close: () => Promise<void>;
};

/** A TimeStampReq has some 60 bytes. */
const MAX_REQUEST_BYTES = 8 * 1024;
const QUERY_TYPE = "application/timestamp-query";
const REPLY_TYPE = "application/timestamp-reply";

/** Serves on 127.0.0.1, at any path. Throws `misconfigured` if the port is taken. */
export async function startTimestampAuthority(
  options: TimestampAuthorityOptions,
): Promise<TimestampAuthority> {
  const { directory, port, clock = () => new Date() } = options;
  const identity = loadTimestampIdentity(directory, clock());
  const { url, close } = await listen(
    forThisMachine((request) => answer(request, identity, clock)),
    port,
  );
  return { url, certificatePem: identity.caCertificatePem, close };
}

async function answer(
  request: IncomingMessage,
  identity: TimestampIdentity,
  clock: () => Date,
): Promise<Reply> {
  if (request.method !== "POST") return { status: 405, headers: { allow: "POST" } };
  if (request.headers["content-type"] !== QUERY_TYPE) return { status: 415 };
  const body = await readBody(request, MAX_REQUEST_BYTES);
  const headers = { "content-type": REPLY_TYPE };
  return { status: 200, headers, body: answerTimeStampReq(body, identity, clock()) };
}
