import { expect, test } from "vitest";
import { readSettings } from "../../../host/server/settings.ts";

const ORIGIN_SECRET = "c".repeat(32);
const PREVIOUS_ORIGIN_SECRET = "p".repeat(32);

test("outside of Lambda a server listens on every address, on port 8080, for the current secret", () => {
  expect(readSettings({ ORIGIN_SECRET })).toMatchObject({
    host: "0.0.0.0",
    port: 8080,
    originSecrets: [ORIGIN_SECRET],
    maxRequests: 64,
  });
});

test("HOST, PORT, MAX_REQUESTS and the previous secret are taken as they are", () => {
  const environment = { ORIGIN_SECRET, PREVIOUS_ORIGIN_SECRET, HOST: "::1", PORT: "0", MAX_REQUESTS: "7" };
  expect(readSettings(environment)).toMatchObject({
    host: "::1",
    port: 0,
    originSecrets: [ORIGIN_SECRET, PREVIOUS_ORIGIN_SECRET],
    maxRequests: 7,
  });
});

test.each([
  ["0.0.0.0:3000", "0.0.0.0", 3000],
  ["[::]:8080", "::", 8080],
])("in Lambda it listens where Lambda says, %s, and stops within Lambda's second", (endpoint, host, port) => {
  const settings = readSettings({ ORIGIN_SECRET, PORT: "1", AWS_LAMBDA_HTTP_ENDPOINT: endpoint });
  expect(settings).toMatchObject({ host, port });
  expect(settings.stopMs).toBeLessThan(1_000);
});

test.each([
  ["no secret", {}, /ORIGIN_SECRET: is missing/],
  ["a short secret", { ORIGIN_SECRET: "c".repeat(31) }, /ORIGIN_SECRET: must have at least 32/],
  ["a short previous secret", { ORIGIN_SECRET, PREVIOUS_ORIGIN_SECRET: "p" }, /PREVIOUS_ORIGIN_SECRET/],
  ["no port", { ORIGIN_SECRET, PORT: "web" }, /PORT: must be a port/],
  ["a port that is none", { ORIGIN_SECRET, PORT: "70000" }, /PORT: must be a port/],
  ["no requests", { ORIGIN_SECRET, MAX_REQUESTS: "0" }, /MAX_REQUESTS/],
  ["an endpoint without a port", { ORIGIN_SECRET, AWS_LAMBDA_HTTP_ENDPOINT: "localhost" }, /host:port/],
])("%s stops the start and is named", (_, environment, message) => {
  expect(() => readSettings(environment)).toThrow(message);
});
