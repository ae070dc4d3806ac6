// Parameters in a path, as API Gateway hands them on.
import type { APIGatewayProxyEvent } from "aws-lambda";
import { describe, expect, test } from "vitest";
import { readPathIndex, readPathText } from "../../lambdas/middleware/path-parameters.ts";

const eventOf = (value?: string) =>
  ({ pathParameters: value === undefined ? null : { name: value } }) as unknown as APIGatewayProxyEvent;

describe("a text in a path", () => {
  test.each([
    ["call-1", "call-1"],
    ["call%3A2026%40desk%2B1%3Da", "call:2026@desk+1=a"],
    ["call:2026@desk+1=a", "call:2026@desk+1=a"],
    ["a%2Fb", "a/b"],
    ["%C3%BC", "ü"],
  ])("%s is read as %s", (sent, text) => {
    expect(readPathText(eventOf(sent), "name")).toBe(text);
  });

  test.each(["%", "%zz", "%ff"])("%s can't be decoded, and so is not found", (sent) => {
    expect(() => readPathText(eventOf(sent), "name")).toThrowError(
      expect.objectContaining({ code: "not_found" }),
    );
  });
});

describe("an index in a path", () => {
  test.each([
    ["0", 0],
    ["42", 42],
    ["%34%32", 42],
    [String(Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER],
    ["12345678901234567", null],
    ["007", null],
    ["-1", null],
    ["1e3", null],
    ["", null],
    [undefined, null],
  ])("%s is read as %s", (sent, index) => {
    expect(readPathIndex(eventOf(sent), "name")).toBe(index);
  });
});
