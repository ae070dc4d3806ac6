// The 405 of a path for all methods that it has not, by API Gateway itself. The answer is the fallback handler's
// (lambdas/not-found.ts), whose code runs where there is no API Gateway.
import {
  type IResource,
  type Method,
  MockIntegration,
  PassthroughBehavior,
} from "aws-cdk-lib/aws-apigateway";
import { buildProblem, PROBLEM_CONTENT_TYPE } from "../contract/problem-details.ts";
import { PROBLEMS } from "../contract/problem-kinds.ts";
import { NO_SUCH_METHOD, ROUTES } from "../contract/routes.ts";

const KIND = PROBLEMS.methodNotAllowed;
/** What API Gateway takes from a request to a method without an integration: the status to answer with. */
const REQUEST_TEMPLATE = JSON.stringify({ statusCode: KIND.status });
/** The types of bodies that clients send. API Gateway answers any other one with a 415, for it finds no template. */
const BODY_TYPES = [
  "application/json",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "text/plain",
];

/** For every method that `resource` does not name. */
export function addMethodNotAllowed(resource: IResource, path: string): Method {
  const { headers, template } = answerOf(path);
  const integration = new MockIntegration({
    passthroughBehavior: PassthroughBehavior.NEVER,
    requestTemplates: Object.fromEntries(BODY_TYPES.map((type) => [type, REQUEST_TEMPLATE])),
    integrationResponses: [
      {
        statusCode: String(KIND.status),
        // API Gateway takes a value in quotes as a constant.
        responseParameters: mapEach(headers, (value) => `'${value}'`),
        responseTemplates: { "application/json": template },
      },
    ],
  });
  const methodResponses = [
    { statusCode: String(KIND.status), responseParameters: mapEach(headers, () => true) },
  ];
  return resource.addMethod("ANY", integration, { methodResponses });
}

function answerOf(path: string) {
  const methods = ROUTES.filter((route) => route.path === path).map(({ method }) => method);
  const { details } = buildProblem(KIND, "$context.requestId", NO_SUCH_METHOD);
  return {
    headers: {
      "Content-Type": PROBLEM_CONTENT_TYPE,
      "Cache-Control": "no-store",
      Allow: methods.join(", "),
    },
    // A template may take what follows a number sign for a directive; JSON may write the sign by its code.
    template: JSON.stringify(details).replaceAll("#", String.raw`\u0023`),
  };
}

/** The parameters of a response, one for each header. */
const mapEach = <T>(headers: Readonly<Record<string, string>>, parameterOf: (value: string) => T) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [`method.response.header.${name}`, parameterOf(value)]),
  );
