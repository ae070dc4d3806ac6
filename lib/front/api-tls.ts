// The API's host name, and its minimum of TLS 1.2.
import {
  CfnRestApi,
  EndpointAccessMode,
  EndpointType,
  type RestApi,
  type RestApiProps,
  SecurityPolicy,
} from "aws-cdk-lib/aws-apigateway";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import type { Construct } from "constructs";
import type { Config } from "../settings/config.ts";

/** TLS 1.2 and 1.3, ciphers with forward secrecy only. */
const TLS = SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09;
/** API Gateway checks that the name in the handshake is the name in the request. */
const ACCESS = EndpointAccessMode.STRICT;

/** The operator's own domain, where the API itself is the public host and not behind CloudFront. */
export function hostOptions(scope: Construct, { domain, cloudFront }: Config): Partial<RestApiProps> {
  if (domain === undefined || cloudFront) return {};
  return {
    disableExecuteApiEndpoint: true,
    domainName: {
      domainName: domain.name,
      certificate: Certificate.fromCertificateArn(scope, "Certificate", domain.certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: TLS,
      endpointAccessMode: ACCESS,
    },
  };
}

/** CDK's RestApi has no property for it yet. */
export function requireTls(api: RestApi): void {
  const resource = api.node.defaultChild;
  if (!(resource instanceof CfnRestApi)) throw new Error("a REST API is a CfnRestApi");
  resource.securityPolicy = TLS;
  resource.endpointAccessMode = ACCESS;
}
