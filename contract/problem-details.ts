// Problem details (RFC 9457): their shape, and how one is built of its kind. A gateway's own answers are built here too.
import * as z from "zod";
import { MAX_LISTED_ERRORS } from "./limits.ts";
import type { ProblemKind } from "./problem-kinds.ts";
import { PROBLEMS_PATH } from "./public-paths.ts";

export const PROBLEM_CONTENT_TYPE = "application/problem+json";
const RETRY_AFTER_SECONDS = 2;

/** The limits of a plan that the service holds itself. */
export const LIMITS = ["rate", "monthly_quota"] as const;

/** One wrong part of a request. */
const fieldErrorSchema = z.object({
  pointer: z.string().describe("JSON pointer (RFC 6901) into the body, as a URI fragment"),
  detail: z.string(),
});
export type FieldError = z.infer<typeof fieldErrorSchema>;

export const problemDetailsSchema = z
  .object({
    type: z
      .string()
      .describe(
        "Leads to what the problem means and what to do: a path with a fragment, on the host of the call",
      ),
    title: z.string().describe("The same for every problem of this type"),
    status: z.int().describe("The answer's HTTP status"),
    detail: z.string().describe("What is wrong with this very call, or what to do about it"),
    instance: z.string().describe("The request id"),
    errors: z
      .array(fieldErrorSchema)
      .describe(`The wrong parts of the request, the first ${MAX_LISTED_ERRORS} of them`)
      .optional(),
    limit: z.enum(LIMITS).describe("With 429: the limit of the plan that is reached").optional(),
    ends_at: z.iso.datetime().describe("With 429: when the limit ends").optional(),
  })
  .meta({ id: "ProblemDetails" });
export type ProblemDetails = z.infer<typeof problemDetailsSchema>;

export interface HttpProblem {
  readonly kind: ProblemKind;
  readonly details: ProblemDetails;
  readonly headers: Readonly<Record<string, string>>;
}

/** `detail` must be fit for the caller's eyes; without one it is the kind's next step, never its title again. Of `errors` the first MAX_LISTED_ERRORS are listed. */
export function buildProblem(
  kind: ProblemKind,
  instance: string,
  detail: string = kind.advice.replaceAll("`", ""),
  errors?: readonly FieldError[],
): HttpProblem {
  const { slug, status, title } = kind;
  const listed = errors && { errors: errors.slice(0, MAX_LISTED_ERRORS) };
  const details = { type: `${PROBLEMS_PATH}#${slug}`, title, status, detail, instance, ...listed };
  return { kind, details, headers: { "content-type": PROBLEM_CONTENT_TYPE, ...headersOf(status) } };
}

/** A limit of the caller's plan that is reached, and when it ends. */
export interface ReachedLimit {
  readonly limit: (typeof LIMITS)[number];
  /** RFC 3339. */
  readonly endsAt: string;
  readonly retryAfterSeconds: number;
}

/** The problem of a limit that is reached: it says which, and both body and headers say when it ends. */
export function buildLimitProblem(
  kind: ProblemKind,
  instance: string,
  detail: string,
  { limit, endsAt, retryAfterSeconds }: ReachedLimit,
): HttpProblem {
  const { details, headers } = buildProblem(kind, instance, detail);
  return {
    kind,
    details: { ...details, limit, ends_at: endsAt },
    headers: { ...headers, "retry-after": String(retryAfterSeconds) },
  };
}

/** The headers that HTTP asks for with a status (RFC 9110 sections 10.2.3 and 11.6.1). */
function headersOf(status: number): Record<string, string> {
  if (status === 401) return { "www-authenticate": "Bearer" };
  return status === 429 || status === 503 ? { "retry-after": String(RETRY_AFTER_SECONDS) } : {};
}
