// Requests that no route takes: which of them are told of other methods, and which that there is nothing.
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import { describe, expect, test } from "vitest";
import { handler } from "../../lambdas/not-found.ts";

async function answerTo(httpMethod: string, path: string) {
  const requestContext = { requestId: "request", httpMethod };
  const event = { httpMethod, path, requestContext } as unknown as APIGatewayProxyEvent;
  const { statusCode, headers } = await handler(event, {} as Context);
  return [statusCode, headers?.allow];
}

describe("a request that no route takes", () => {
  test("is told the methods of a path that has other ones", async () => {
    expect(await answerTo("DELETE", "/v1/attestation")).toEqual([405, "POST"]);
    expect(await answerTo("POST", "/v1/interactions/call")).toEqual([405, "GET"]);
    expect(await answerTo("HEAD", "/v1/interactions/call")).toEqual([405, "GET"]);
    expect(await answerTo("POST", "/v1/metachain/roots/0")).toEqual([405, "GET, HEAD, OPTIONS"]);
  });

  test.each(["/v1/attestation/%", "/v1/interactions/%zz", "/v1/metachain/roots/%ff"])(
    "is a 404 where its method is right and GET %s can't be decoded",
    async (path) => {
      expect(await answerTo("GET", path)).toEqual([404, undefined]);
    },
  );

  test.each(["/", "/v1/attestation/a/b", "/v1/attestation/"])("is a 404 for GET %s", async (path) => {
    expect(await answerTo("GET", path)).toEqual([404, undefined]);
  });
});
