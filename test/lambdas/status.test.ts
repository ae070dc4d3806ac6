// The status never depends on the bucket: without it the answer is there, and says what is unknown.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { INTERFACE_STATUS } from "../../contract/interface-status.ts";
import { serviceStatusSchema } from "../../lambdas/api/service-status.ts";
import { logger } from "../../service/logger.ts";

let asked = 0;
const outage = createServer((_request, response) => {
  asked++;
  response.writeHead(403).end("<Error><Code>AccessDenied</Code></Error>");
});

beforeAll(async () => {
  await new Promise<void>((resolve) => outage.listen(0, "127.0.0.1", resolve));
  const { port } = outage.address() as AddressInfo;
  vi.stubEnv("AWS_REGION", "local");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "local");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "local");
  vi.stubEnv("AWS_ENDPOINT_URL_S3", `http://127.0.0.1:${port}`);
  vi.stubEnv("ROOTS_BUCKET", "bucket");
});
afterAll(() => {
  vi.unstubAllEnvs();
  outage.close();
});

test("an outage of the bucket is no outage of the status: it answers, once a minute asks again, and the log has the cause", async () => {
  const logged = vi.spyOn(logger, "error").mockImplementation(() => {});
  const { handler } = await import("../../lambdas/status.ts");
  const requestContext = { requestId: "request", httpMethod: "GET", resourcePath: "/v1/status" };
  const event = { httpMethod: "GET", path: "/v1/status", requestContext } as unknown as APIGatewayProxyEvent;
  const answers = await Promise.all([1, 2, 3].map(() => handler(event, {} as Context)));
  for (const { statusCode, headers, body } of answers) {
    expect([statusCode, headers?.["cache-control"]]).toEqual([200, "public, max-age=60"]);
    const { log, jurisdictions: _own, ...status } = serviceStatusSchema.parse(JSON.parse(body));
    expect(status).toEqual(INTERFACE_STATUS);
    expect(log).toMatchObject({ status: "unknown", head: null, quorum: { status: "not_asked" } });
  }
  expect(asked).toBe(1);
  const failure = expect.objectContaining({
    code: "publication_unavailable",
    evidence: { error: "AccessDenied" },
  });
  expect(logged.mock.calls).toEqual([["the log could not be read", { failure }]]);
});
