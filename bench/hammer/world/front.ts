// The public host before the service's processes: the secret that tells it from strangers, and the log's files.
import type { IncomingMessage } from "node:http";
import { S3Client } from "@aws-sdk/client-s3";
import { ATTESTATION_PATH } from "../../../contract/public-paths.ts";
import { ORIGIN_SECRET_HEADER } from "../../../contract/web-runtime.ts";
import { staticFiles, withPublicFiles } from "../../../host/local/public-files.ts";
import { BUCKET } from "../../../host/local/stand-ins.ts";
import { type Listening, listen, type Reply, readBody } from "../../../host/server/http-server.ts";
import { PublishedRoots } from "../../../service/seals/published-roots.ts";
import { forward } from "../proxy/forward.ts";

const MAX_BODY_BYTES = 1024 * 1024;
const BAD_GATEWAY: Reply = { status: 502 };

export interface FrontOptions {
  readonly secret: string;
  readonly trustAnchorsFile: string;
  /** The bucket's own address: readers of its files meet none of the service's faults. */
  readonly objects: string;
  readonly accessKey: string;
  /** The addresses of a process of each kind, as of now. */
  readonly attestUrl: () => string;
  readonly readUrl: () => string;
}

export function startFront(options: FrontOptions): Promise<Listening> {
  const client = new S3Client({
    region: "local",
    credentials: { accessKeyId: options.accessKey, secretAccessKey: "local" },
    endpoint: options.objects,
    forcePathStyle: true,
  });
  const roots = new PublishedRoots(client, BUCKET, null);
  const files = staticFiles(options.trustAnchorsFile);
  return listen(
    withPublicFiles(
      (incoming) => passOn(incoming, options),
      files,
      (path) => roots.logFile(path),
    ),
  );
}

async function passOn(incoming: IncomingMessage, options: FrontOptions): Promise<Reply> {
  const { method = "GET", url: path = "/" } = incoming;
  const body = await readBody(incoming, MAX_BODY_BYTES);
  const isAttestation = method === "POST" && path === ATTESTATION_PATH;
  const url = (isAttestation ? options.attestUrl() : options.readUrl()) + path;
  const headers = { ...incoming.headers, [ORIGIN_SECRET_HEADER]: options.secret };
  return forward({ method, url, headers, body }).catch(() => BAD_GATEWAY);
}
