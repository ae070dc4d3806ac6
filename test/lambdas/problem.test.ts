import { describe, expect, test } from "vitest";
import * as z from "zod";
import { MAX_PROOF_BODY_BYTES } from "../../contract/limits.ts";
import { buildProblem, problemDetailsSchema } from "../../contract/problem-details.ts";
import { PROBLEMS } from "../../contract/problem-kinds.ts";
import { DisclosureError, type ErrorCode } from "../../evidence/core/errors.ts";
import { evidenceSchema } from "../../evidence/core/formats/evidence.ts";
import { problemOf } from "../../lambdas/api/problem.ts";
import { readAs } from "../../lambdas/middleware/request.ts";
import { LimitReached } from "../../service/limits/limit-reached.ts";

/** The error that `call` throws. */
function errorOf(call: () => unknown): unknown {
  try {
    return expect.fail(`no error, but ${call()}`);
  } catch (error) {
    return error;
  }
}

const INSTANCE = "b5e1";
const EVIDENCE = { expected: "inside", actual: "inside" };
const of = (code: ErrorCode, evidence: Record<string, unknown> = {}) =>
  problemOf(new DisclosureError(code, "what is wrong", evidence), INSTANCE);

describe("a problem", () => {
  test("has the five members of RFC 9457, and its type leads to the page of problems", () => {
    expect(of("not_found").details).toEqual({
      type: "/v1/problems#not-found",
      title: "There is nothing here",
      status: 404,
      detail: "what is wrong",
      instance: INSTANCE,
    });
    expect(of("not_found").headers).toEqual({ "content-type": "application/problem+json" });
  });

  // A code that is added without a line here is a type error.
  const SHOWN_AS: Record<ErrorCode, readonly [status: number, name: string]> = {
    malformed: [400, "bad-request"],
    not_json: [400, "bad-request"],
    unauthorized: [401, "unauthorized"],
    forbidden: [403, "forbidden"],
    not_found: [404, "not-found"],
    receipt_removed: [410, "receipt-removed"],
    method_not_allowed: [405, "method-not-allowed"],
    idempotency_conflict: [409, "idempotency-conflict"],
    payload_too_large: [413, "payload-too-large"],
    unsupported_media_type: [415, "unsupported-media-type"],
    invalid_request: [422, "invalid-request"],
    jurisdiction_not_active: [422, "jurisdiction-not-active"],
    rate_exceeded: [429, "too-many-requests"],
    quota_exceeded: [429, "too-many-requests"],
    ledger_contended: [503, "unavailable"],
    clock_off: [503, "unavailable"],
    ledger_unavailable: [503, "unavailable"],
    mac_unavailable: [503, "unavailable"],
    authority_failed: [503, "unavailable"],
    signing_unavailable: [503, "unavailable"],
    witness_failed: [503, "unavailable"],
    gateway_unavailable: [503, "unavailable"],
    publication_unavailable: [503, "unavailable"],
    ledger_corrupt: [500, "internal"],
    publication_conflict: [500, "internal"],
    proof_invalid: [500, "internal"],
    token_invalid: [500, "internal"],
    token_open: [500, "internal"],
    misconfigured: [500, "internal"],
  };

  test.each(Object.entries(SHOWN_AS))("of %s is a %j", (code, [status, name]) => {
    const { details } = problemOf(new DisclosureError(code as ErrorCode, "what is wrong"), INSTANCE);
    expect([details.status, details.type]).toEqual([status, `/v1/problems#${name}`]);
  });

  test.each([
    ["an error of ours", new DisclosureError("ledger_corrupt", "inside", EVIDENCE, new Error("inside"))],
    ["an outage", new DisclosureError("ledger_unavailable", "inside", EVIDENCE)],
    ["a foreign error", new TypeError("inside")],
    ["something thrown that is no error", "inside"],
  ])("says nothing of the inside for %s", (_what, error) => {
    const { details } = problemOf(error, INSTANCE);
    expect(details.status).toBeGreaterThanOrEqual(500);
    expect(JSON.stringify(details)).not.toContain("inside");
    expect(Object.keys(details)).toEqual(["type", "title", "status", "detail", "instance"]);
  });

  test("never shows evidence, which is for our logs", () => {
    for (const code of ["malformed", "forbidden", "idempotency_conflict", "invalid_request"] as const) {
      expect(JSON.stringify(of(code, EVIDENCE).details)).not.toContain("inside");
    }
  });

  test("names the wrong fields of a 422, and the whole body where none is named", () => {
    const errors = [{ pointer: "#/modality", detail: "is required" }];
    expect(of("invalid_request", { errors }).details.errors).toEqual(errors);
    expect(of("not_json").details.errors).toEqual([{ pointer: "#", detail: "what is wrong" }]);
    expect(of("forbidden").details.errors).toBeUndefined();
  });

  test("lists the first 20 wrong fields and says how many there are: a body can hold 1,000", () => {
    const body = JSON.stringify({ renewal: { between: new Array(1_000).fill(0) } });
    expect(body.length).toBeLessThan(MAX_PROOF_BODY_BYTES);
    const { details } = problemOf(
      errorOf(() => readAs(evidenceSchema, JSON.parse(body))),
      INSTANCE,
    );
    expect(details.errors).toHaveLength(20);
    expect(details.detail).toMatch(/; errors lists the first 20 of 1\d{3}$/);
    expect(problemDetailsSchema.parse(details)).toEqual(details);
    expect(JSON.stringify(details).length).toBeLessThan(4 * 1024);
  });

  test("lists as few unknown members, whatever their names", () => {
    const members = Array.from({ length: 1_000 }, (_, i) => [`${i}${"\u{1f600}".repeat(10)}`, i]);
    const error = errorOf(() => readAs(z.strictObject({}), Object.fromEntries(members)));
    expect(problemOf(error, INSTANCE).details.errors).toHaveLength(20);
  });

  test("tells the status of a jurisdiction's layer", () => {
    const { details } = of("jurisdiction_not_active", { jurisdiction: "NL", status: "in_development" });
    expect(details.errors).toEqual([
      { pointer: "#/jurisdiction", detail: "the layer's status is in_development" },
    ]);
  });

  test("names the limit that is reached, and when it ends in the body and in the header", () => {
    const [now, endsAt] = [new Date("2026-11-30T23:59:00.500Z"), new Date("2026-12-01T00:00:00Z")];
    const error = new LimitReached("quota_exceeded", "used up", "monthly_quota", now, endsAt);
    const { details, headers } = problemOf(error, INSTANCE);
    const ends_at = "2026-12-01T00:00:00.000Z";
    expect(details).toMatchObject({ status: 429, detail: "used up", limit: "monthly_quota", ends_at });
    expect(problemDetailsSchema.parse(details)).toEqual(details);
    expect(headers["retry-after"]).toBe("60");
  });

  test("says when to come back, and by what scheme to authenticate", () => {
    for (const kind of [PROBLEMS.unavailable, PROBLEMS.tooManyRequests]) {
      expect(buildProblem(kind, INSTANCE).headers["retry-after"]).toMatch(/^[1-9]\d*$/);
    }
    expect(of("unauthorized").headers["www-authenticate"]).toBe("Bearer");
  });
});
