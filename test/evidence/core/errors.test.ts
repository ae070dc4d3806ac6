// The one class of our errors, and how they are told from others.
import { expect, test } from "vitest";
import { DisclosureError, isDisclosureError } from "../../../evidence/core/errors.ts";

test("an error says its code, its message, the evidence, and that it is one of ours", () => {
  const error = new DisclosureError("proof_invalid", "the path is too short", { length: 3 });
  expect(error).toMatchObject({ code: "proof_invalid", evidence: { length: 3 } });
  expect(String(error)).toBe("DisclosureError: the path is too short");
});

test("an error keeps its cause, and one without a cause does not claim any", () => {
  const cause = new SyntaxError("Unexpected end of JSON input");
  expect(new DisclosureError("not_json", "this is not JSON", {}, cause).cause).toBe(cause);
  expect(new DisclosureError("not_json", "this is not JSON")).not.toHaveProperty("cause");
});

test("an error of ours is known by its class, and by its code where one is asked for", () => {
  const error = new DisclosureError("malformed", "expected padded base64");
  expect(isDisclosureError(error)).toBe(true);
  expect(isDisclosureError(error, "malformed")).toBe(true);
  expect(isDisclosureError(error, "not_json")).toBe(false);
});

test.each([
  ["another error", new TypeError("fetch failed")],
  ["another error with one of our codes", Object.assign(new Error("no"), { code: "malformed" })],
  ["nothing", undefined],
])("%s is none of ours", (_, error) => {
  expect(isDisclosureError(error)).toBe(false);
  expect(isDisclosureError(error, "malformed")).toBe(false);
});
