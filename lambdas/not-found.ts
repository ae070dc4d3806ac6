// Every request that no route takes: 405 where the path exists with another method, 404 elsewhere.
import { DisclosureError } from "../core/errors.ts";
import { apiHandler, problemAnswer } from "./middleware/api.ts";
import { problemOf } from "./problem.ts";
import { ROUTES } from "./routes.ts";

export const handler = apiHandler((event) => {
  const methods = ROUTES.filter(({ path }) => isPathOf(path, event.path)).map(({ method }) => method);
  // With a method that the path has, it is the path that no route took: it can't be decoded.
  if (methods.length === 0 || methods.some((method) => method === event.httpMethod))
    throw new DisclosureError("not_found", "there is nothing under this path");
  const error = new DisclosureError("method_not_allowed", "this path has no such method");
  const answer = problemAnswer(problemOf(error, event.requestContext.requestId));
  return { ...answer, headers: { ...answer.headers, allow: methods.join(", ") } };
});

/** Whether `path` is one of the template's: a segment in braces stands for any one segment. */
function isPathOf(template: string, path: string): boolean {
  const [expected, actual] = [template.split("/"), path.split("/")];
  if (expected.length !== actual.length) return false;
  return expected.every(
    (segment, i) => segment === actual[i] || (segment.startsWith("{") && actual[i] !== ""),
  );
}
