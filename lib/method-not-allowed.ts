// The 405 of a path for all methods that it has not, by API Gateway itself. The answer is the fallback handler's
// (lambdas/not-found.ts), whose code runs where there is no API Gateway.
import type { IResource, Method } from "aws-cdk-lib/aws-apigateway";
import { buildProblem, PROBLEM_CONTENT_TYPE } from "../contract/problem-details.ts";
import { PROBLEMS } from "../contract/problem-kinds.ts";
import { methodsOf, NO_SUCH_METHOD } from "../contract/routes.ts";
import { addFixedAnswer } from "./fixed-answer.ts";

const KIND = PROBLEMS.methodNotAllowed;

/** For every method that `resource` does not name. */
export function addMethodNotAllowed(resource: IResource, path: string): Method {
  const { details } = buildProblem(KIND, "$context.requestId", NO_SUCH_METHOD);
  return addFixedAnswer(resource, "ANY", {
    status: KIND.status,
    headers: {
      "Content-Type": PROBLEM_CONTENT_TYPE,
      "Cache-Control": "no-store",
      Allow: methodsOf(path).join(", "),
    },
    // A template may take what follows a number sign for a directive; JSON may write the sign by its code.
    template: JSON.stringify(details).replaceAll("#", String.raw`\u0023`),
  });
}
