import { expect, test } from "vitest";
import { ERASURE_GROUNDS, erasureSchema } from "../../../../evidence/core/formats/erasure.ts";
import { unneededMembers } from "../../../support/unneeded-members.ts";

const erasure = { erased_at: "2026-11-22T10:00:00.000Z", erased_by: "officer", ground: "request" };

test("a tombstone says when, by which role and why, and nothing less", () => {
  expect(erasureSchema.parse(erasure)).toEqual(erasure);
  expect(unneededMembers(erasureSchema, erasure)).toEqual([]);
});

test.each(["request", "order", "mistake"])("a ground is %s", (ground) => {
  expect(ERASURE_GROUNDS).toContain(ground);
  expect(erasureSchema.safeParse({ ...erasure, ground }).success).toBe(true);
});

test.each(["a", "7", "Data protection officer", "officer_2.eu-west", "a".repeat(64)])(
  "a role may be %j",
  (erased_by) => {
    expect(erasureSchema.safeParse({ ...erasure, erased_by }).success).toBe(true);
  },
);

test.each([
  { erased_by: "" },
  { erased_by: "a".repeat(65) },
  { erased_by: " officer" },
  { erased_by: "-officer" },
  { erased_by: "officer\n" },
  { erased_by: "officer@acme.example" },
  { erased_by: "Büro" },
  { ground: "retention" },
  { ground: "" },
  { erased_at: "2026-11-22" },
  { erased_at: null },
])("a tombstone with %j is refused", (wrong) => {
  expect(erasureSchema.safeParse({ ...erasure, ...wrong }).success).toBe(false);
});
