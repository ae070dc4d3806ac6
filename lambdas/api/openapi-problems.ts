// The problems of the calls, for the OpenAPI description: one answer for each status, with an example of each kind.
import type * as z from "zod";
import {
  buildLimitProblem,
  buildProblem,
  type FieldError,
  PROBLEM_CONTENT_TYPE,
  type ProblemDetails,
  problemDetailsSchema,
} from "../../contract/problem-details.ts";
import { PROBLEMS, type ProblemKind } from "../../contract/problem-kinds.ts";

export const PROBLEM_HEADERS = {
  "Retry-After": {
    description: "After how many seconds a retry can succeed (RFC 9110 section 10.2.3)",
    schema: { type: "integer", minimum: 0 },
    example: 2,
  },
  "WWW-Authenticate": {
    description: "How to authenticate (RFC 9110 section 11.6.1)",
    schema: { type: "string", const: "Bearer" },
    example: "Bearer",
  },
};

const INSTANCE = "0b2c7c34-6f5e-4d5a-9b52-2f6f6ae7a9f4";

/** Examples have this in `detail` and `errors`, where it is not the kind's own advice. */
const DETAILS: ReadonlyMap<ProblemKind, readonly [detail: string, errors?: readonly FieldError[]]> = new Map([
  [PROBLEMS.badRequest, ["this is not JSON", [{ pointer: "#", detail: "this is not JSON" }]]],
  [PROBLEMS.unauthorized, ["no Authorization header was sent"]],
  [PROBLEMS.forbidden, ["the API key has expired"]],
  [PROBLEMS.notFound, ["there is no such event"]],
  [
    PROBLEMS.invalidRequest,
    [
      "the request is not as it must be; see errors",
      [{ pointer: "#/modality", detail: 'must be one of "voice", "chat", "walkthrough"' }],
    ],
  ],
  [
    PROBLEMS.jurisdictionNotActive,
    [
      "jurisdiction has no active policy layer",
      [{ pointer: "#/jurisdiction", detail: "the layer's status is planned" }],
    ],
  ],
]);

/** By status. `headers` are those of every answer of the call. */
export function describeProblems(
  kinds: readonly ProblemKind[],
  headers: object,
  toSchema: (schema: z.ZodType) => object,
): object {
  const byStatus = Map.groupBy(kinds, ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [status, describeStatus(status, ofStatus, headers, toSchema)]),
  );
}

function describeStatus(
  status: number,
  kinds: readonly ProblemKind[],
  headers: object,
  toSchema: (schema: z.ZodType) => object,
) {
  const examples = kinds.flatMap((kind) => examplesOf(kind));
  return {
    description: kinds.map(({ title }) => title).join(", or: "),
    headers: { ...headers, ...headersOf(status) },
    content: {
      [PROBLEM_CONTENT_TYPE]: {
        schema: toSchema(problemDetailsSchema),
        examples: Object.fromEntries(examples.map(([name, value]) => [name, { value }])),
      },
    },
  };
}

function examplesOf(kind: ProblemKind): [name: string, details: ProblemDetails][] {
  const [detail, errors] = DETAILS.get(kind) ?? [];
  const plain: [string, ProblemDetails] = [kind.slug, buildProblem(kind, INSTANCE, detail, errors).details];
  if (kind !== PROBLEMS.tooManyRequests) return [plain];
  const reached = {
    limit: "monthly_quota",
    endsAt: "2026-12-01T00:00:00.000Z",
    retryAfterSeconds: 1,
  } as const;
  const quota = "the plan's quota of 10000 attestations a month is used up";
  return [plain, ["monthly-quota", buildLimitProblem(kind, INSTANCE, quota, reached).details]];
}

function headersOf(status: number): object {
  const names =
    status === 401 ? ["WWW-Authenticate"] : status === 429 || status === 503 ? ["Retry-After"] : [];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
