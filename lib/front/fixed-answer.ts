// An answer that API Gateway gives by itself, the same to everybody: no function runs for it.
import {
  type IResource,
  type Method,
  MockIntegration,
  PassthroughBehavior,
} from "aws-cdk-lib/aws-apigateway";

export interface FixedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A template of API Gateway's; without one the answer has no body. */
  readonly template?: string;
}

/** The types of bodies that clients send. API Gateway answers any other one with a 415, for it finds no template. */
const BODY_TYPES = [
  "application/json",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "text/plain",
];

export function addFixedAnswer(
  resource: IResource,
  method: string,
  { status, headers, template = "" }: FixedAnswer,
): Method {
  const statusCode = String(status);
  // Without an integration, API Gateway takes the status to answer with from what the template makes of the request.
  const request = JSON.stringify({ statusCode: status });
  const integration = new MockIntegration({
    passthroughBehavior: PassthroughBehavior.NEVER,
    requestTemplates: Object.fromEntries(BODY_TYPES.map((type) => [type, request])),
    integrationResponses: [
      {
        statusCode,
        // API Gateway takes a value in quotes as a constant.
        responseParameters: mapEach(headers, (value) => `'${value}'`),
        responseTemplates: { "application/json": template },
      },
    ],
  });
  const methodResponses = [{ statusCode, responseParameters: mapEach(headers, () => true) }];
  return resource.addMethod(method, integration, { methodResponses });
}

/** The parameters of a response, one for each header. */
const mapEach = <T>(headers: Readonly<Record<string, string>>, parameterOf: (value: string) => T) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [`method.response.header.${name}`, parameterOf(value)]),
  );
