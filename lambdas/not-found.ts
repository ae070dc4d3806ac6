// Requests that match no route, where no API Gateway answers them itself: 405 if the path exists with another method,
// else 404.
import { methodsOf, NO_SUCH_METHOD, NO_SUCH_PATH, ROUTES } from "../contract/routes.ts";
import { DisclosureError } from "../evidence/core/errors.ts";
import { problemOf } from "./api/problem.ts";
import { apiHandler, problemAnswer } from "./middleware/api.ts";

export const handler = apiHandler((event) => {
  const route = ROUTES.find(({ path }) => isPathOf(path, event.path));
  const methods = route === undefined ? [] : methodsOf(route.path);
  // If the path has the method, no route matched because the path can't be decoded.
  if (methods.length === 0 || methods.includes(event.httpMethod))
    throw new DisclosureError("not_found", NO_SUCH_PATH);
  const error = new DisclosureError("method_not_allowed", NO_SUCH_METHOD);
  const answer = problemAnswer(problemOf(error, event.requestContext.requestId));
  return { ...answer, headers: { ...answer.headers, allow: methods.join(", ") } };
});

/** True if `path` matches the template: a segment in braces matches any one, and with a plus all that follow too. */
function isPathOf(template: string, path: string): boolean {
  const [expected, actual] = [template.split("/"), path.split("/")];
  const isGreedy = template.endsWith("+}");
  if (expected.length !== actual.length && !(isGreedy && expected.length < actual.length)) return false;
  return expected.every(
    (segment, i) => segment === actual[i] || (segment.startsWith("{") && actual[i] !== ""),
  );
}
