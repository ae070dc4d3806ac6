import type { APIGatewayProxyEvent } from "aws-lambda";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import {
  formatCaller,
  readAs,
  readBody,
  readCaller,
  readHeader,
  readIdempotencyKey,
} from "../../lambdas/middleware/request.ts";
import type { Caller } from "../../service/tenants/tenants.ts";

const JSON_HEADERS = { "Content-Type": "application/json" };
const MAX_BYTES = 32;

const eventOf = (event: object): APIGatewayProxyEvent => event as APIGatewayProxyEvent;
const codeOf = (code: string) => expect.objectContaining({ code });

describe("the caller", () => {
  const caller: Caller = {
    tenantId: "tenant",
    keyId: "key",
    plan: "pilot",
    scopes: ["attest", "report"],
    tenantAnchor: "a".repeat(32),
    chains: 4_096,
    keyExpiresAt: null,
    inlineStampsPerMinute: null,
    ownWordings: `sha256:${"b".repeat(64)}`,
    isPreview: true,
  };
  const from = (authorizer: unknown, scope: "attest" | "report" = "attest") =>
    readCaller(eventOf({ requestContext: { authorizer } }), scope);

  test("comes through API Gateway, which passes on texts only, as the authorizer knew it", () => {
    const context = formatCaller(caller);
    for (const value of Object.values(context)) expect(value).toBeTypeOf("string");
    // However many chains there are: API Gateway documents 8 KB for such a context where it documents any.
    expect(JSON.stringify(context).length).toBeLessThan(400);
    expect(from({ ...context, principalId: "caller", integrationLatency: 3 })).toEqual(caller);
  });

  test.each([null, 0, 30])("has its rate of stamps in the call: %s", (inlineStampsPerMinute) => {
    const context = formatCaller({ ...caller, inlineStampsPerMinute });
    expect(from(context).inlineStampsPerMinute).toBe(inlineStampsPerMinute);
  });

  test("without wordings of its own, and without a preview, has a shorter context", () => {
    const plain = { ...caller, ownWordings: null, isPreview: false };
    expect(Object.keys(formatCaller(plain))).not.toEqual(expect.arrayContaining(["isPreview"]));
    expect(from(formatCaller(plain))).toEqual(plain);
  });

  test("is refused where the key lacks the scope", () => {
    const context = formatCaller({ ...caller, scopes: ["report"] });
    expect(() => from(context)).toThrowError(codeOf("forbidden"));
    expect(from(context, "report").scopes).toEqual(["report"]);
    // A scope is a word of its own, not a part of one.
    expect(() => from({ ...context, scopes: "attestation" })).toThrowError(codeOf("forbidden"));
  });

  test.each([
    ["no authorizer at all", undefined],
    ["an empty context", {}],
    ["no tenant", { ...formatCaller(caller), tenantId: "" }],
    ["own wordings that are no digest", { ...formatCaller(caller), ownWordings: "b".repeat(64) }],
    ["a preview that is neither on nor off", { ...formatCaller(caller), isPreview: "false" }],
    ["a rate that is none", { ...formatCaller(caller), inlineStampsPerMinute: "-1" }],
    ["no chain", { ...formatCaller(caller), chains: "0" }],
    ["a number of chains that is none", { ...formatCaller(caller), chains: "many" }],
    ["no anchor", { ...formatCaller(caller), tenantAnchor: "" }],
  ])("is no one where there is %s", (_what, authorizer) => {
    expect(() => from(authorizer)).toThrow();
  });
});

describe("a header", () => {
  test("is found however its name is spelled", () => {
    expect(readHeader(eventOf({ headers: { "CONTENT-type": "x" } }), "content-type")).toBe("x");
    expect(readHeader(eventOf({ headers: {} }), "content-type")).toBeUndefined();
    expect(readHeader(eventOf({ headers: null }), "content-type")).toBeUndefined();
  });

  test("Idempotency-Key has 1 to 255 visible ASCII characters, or is not there", () => {
    const keyOf = (key: string) => readIdempotencyKey(eventOf({ headers: { "Idempotency-Key": key } }));
    expect(readIdempotencyKey(eventOf({ headers: {} }))).toBeNull();
    for (const key of ["!", "~".repeat(255)]) expect(keyOf(key)).toBe(key);
    for (const key of ["", " ", "a b", "ä", "a\n", "~".repeat(256)]) {
      expect(() => keyOf(key)).toThrowError(codeOf("malformed"));
    }
  });
});

describe("the body", () => {
  const bodyOf = (body: string | null, more: object = {}) =>
    readBody(eventOf({ headers: JSON_HEADERS, body, isBase64Encoded: false, ...more }), MAX_BYTES);

  test("is read from text and from base64 alike", () => {
    const text = '{"größe":1}';
    expect(bodyOf(text)).toEqual({ größe: 1 });
    expect(bodyOf(Buffer.from(text).toString("base64"), { isBase64Encoded: true })).toEqual({ größe: 1 });
  });

  test("may be as large as the limit in bytes, and no larger", () => {
    expect(bodyOf(`"${"x".repeat(MAX_BYTES - 2)}"`)).toHaveLength(MAX_BYTES - 2);
    for (const text of ["x".repeat(MAX_BYTES - 1), "ä".repeat(MAX_BYTES / 2)]) {
      expect(() => bodyOf(`"${text}"`)).toThrowError(codeOf("payload_too_large"));
    }
  });

  test("may have as many values as the limit, whatever they are, and no more", () => {
    const valuesOf = (body: string) => () =>
      readBody(eventOf({ headers: JSON_HEADERS, body, isBase64Encoded: false }), MAX_BYTES, 4);
    for (const body of ["[1,2,3]", '{"a":{},"b":0}', "[[[7]]]"])
      expect(valuesOf(body)()).toBeTypeOf("object");
    for (const body of ["[1,2,3,4]", '{"a":{},"b":0,"c":0}', "[[[[7]]]]", "[[],[],["])
      expect(valuesOf(body)).toThrowError(codeOf("payload_too_large"));
  });

  test("is judged by its type and its size before it is read", () => {
    const headers = { "content-type": "text/plain" };
    expect(() => bodyOf("{", { headers })).toThrowError(codeOf("unsupported_media_type"));
    expect(() => bodyOf("{".repeat(MAX_BYTES + 1))).toThrowError(codeOf("payload_too_large"));
  });

  test.each(["application/json", "application/json;charset=UTF-8", 'Application/JSON ; charset="utf-8"'])(
    "may be of the type %s",
    (type) => {
      expect(bodyOf("1", { headers: { "content-type": type } })).toBe(1);
    },
  );

  test.each([
    'application/json; charset="utf-16"',
    'application/json; charset="utf-8',
    "application/json, text/plain",
    "application/jsonp",
  ])("is not of the type %s", (type) => {
    const headers = { "content-type": type };
    expect(() => bodyOf("1", { headers })).toThrowError(codeOf("unsupported_media_type"));
  });

  test("is not compressed, and the refusal says so", () => {
    const headers = { ...JSON_HEADERS, "content-encoding": "gzip" };
    expect(() => bodyOf("\u001f\u008b", { headers })).toThrowError(/Content-Encoding/);
    expect(bodyOf("1", { headers: { ...JSON_HEADERS, "Content-Encoding": "identity" } })).toBe(1);
  });

  test("begins with no byte order mark, and the refusal says so", () => {
    expect(() => bodyOf('\ufeff{"a":1}')).toThrowError(/byte order mark/);
  });

  test.each([null, "", "{", '{"a":1,"a":2}', "[NaN]"])("is not JSON: %j", (body) => {
    expect(() => bodyOf(body)).toThrowError(codeOf("not_json"));
  });
});

describe("a value that is not as its schema says", () => {
  const schema = z.strictObject({
    name: z.string(),
    list: z.array(z.strictObject({ at: z.int() })).optional(),
  });

  function errorsOf(value: unknown): unknown {
    try {
      readAs(schema, value);
    } catch (error) {
      if (isDisclosureError(error, "invalid_request")) return error.evidence.errors;
      throw error;
    }
    return [];
  }

  test("is returned where it is right", () => {
    expect(readAs(schema, { name: "x" })).toEqual({ name: "x" });
  });

  test("has every wrong field named, missing ones as required", () => {
    expect(errorsOf({ list: [{ at: 1 }, { at: "x" }] })).toEqual([
      { pointer: "#/name", detail: "is required" },
      { pointer: "#/list/1/at", detail: expect.stringMatching(/number/) },
    ]);
  });

  test("has its unknown fields named one by one, as RFC 6901 pointers in a URI fragment", () => {
    const pointers = ["#/a~1b", "#/m~0n", "#/%C3%A4%20%22", "#/list/0/x"];
    const value = { name: "", "a/b": 1, "m~n": 1, 'ä "': 1, list: [{ at: 1, x: 1 }] };
    const errors = errorsOf(value) as { pointer: string; detail: string }[];
    expect(errors.map(({ pointer }) => pointer).sort()).toEqual(pointers.sort());
    for (const { detail } of errors) expect(detail).toBe("is not a field of this request");
  });

  test("is never repeated in the answer: long names are cut, and values are left out", () => {
    const errors = JSON.stringify(errorsOf({ name: { secret: 1 }, ["n".repeat(5_000)]: 1 }));
    expect(errors).not.toContain("secret");
    expect(errors.length).toBeLessThan(500);
  });

  test.each([[null], [undefined], [7], ["text"], [[]]])("is wrong as a whole: %j", (value) => {
    expect(errorsOf(value)).toEqual([{ pointer: "#", detail: expect.any(String) }]);
  });

  test("may have a name whose cut goes through a character", () => {
    expect(errorsOf({ name: "", [`${"n".repeat(99)}😀`]: 1 })).toEqual([
      { pointer: `#/${"n".repeat(99)}%EF%BF%BD`, detail: "is not a field of this request" },
    ]);
  });
});
