// Where CloudFront sends calls of the API: to API Gateway, or to the two servers of the web runtime.
import { Duration } from "aws-cdk-lib";
import { type IOrigin, OriginProtocolPolicy, OriginSslPolicy } from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin, RestApiOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import { ORIGIN_SECRET_HEADER } from "../../contract/web-runtime.ts";
import type { Front } from "./front.ts";
import type { WebRuntime } from "./web-runtime.ts";
import type { WebServer } from "./web-server.ts";

/** Shorter than the servers keep an idle connection. */
const KEEP_ALIVE = Duration.seconds(60);
const READ_TIMEOUT = Duration.seconds(30);

export interface ApiOrigins {
  /** For POST /v1/attestation and whatever else is sent to this path; null where it goes where the rest goes. */
  readonly attestation: IOrigin | null;
  /** For all other calls. */
  readonly all: IOrigin;
}

export function apiOrigins(front: Front): ApiOrigins {
  if (front.runtime === "functions") return { attestation: null, all: new RestApiOrigin(front.api.rest) };
  const { web } = front;
  return { attestation: serverOrigin(web, web.attest), all: serverOrigin(web, web.read) };
}

/** CloudFront overwrites a header of this name that a caller sends. */
const serverOrigin = ({ secret }: WebRuntime, { domainName }: WebServer): IOrigin =>
  new HttpOrigin(domainName, {
    protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
    originSslProtocols: [OriginSslPolicy.TLS_V1_2],
    customHeaders: { [ORIGIN_SECRET_HEADER]: secret.value },
    keepaliveTimeout: KEEP_ALIVE,
    readTimeout: READ_TIMEOUT,
  });
