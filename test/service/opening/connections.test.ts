// Connections to AWS: a function refuses to start with settings that do not fit, and waits for no dead connection.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { afterEach, expect, test, vi } from "vitest";
import { openTokens, TIMEOUTS } from "../../../service/opening/connections.ts";

const VECTORS = join(import.meta.dirname, "..", "..", "vectors", "timestamps");
const URLS = ["http://a.test", "http://b.test"];

afterEach(() => void vi.unstubAllEnvs());

function open(wanted: string, urls: readonly string[]) {
  vi.stubEnv("TSA_URLS", urls.join(","));
  vi.stubEnv("TSA_CA_FILE", join(VECTORS, "openssl-p256-ca.pem"));
  vi.stubEnv("SEAL_TIMESTAMPS", wanted);
  return openTokens({ clock: () => new Date() }, () => {});
}

test("a sealer that wants more tokens than there are authorities or anchors does not start, and says why", () => {
  const refusal = {
    code: "misconfigured",
    message: expect.stringMatching(/^SEAL_TIMESTAMPS: 2 need as many/),
  };
  expect(() => open("2", URLS)).toThrowError(expect.objectContaining(refusal));
  expect(() => open("2", URLS.slice(1))).toThrowError(expect.objectContaining(refusal));
  expect(() => open("0", URLS)).toThrowError(/SEAL_TIMESTAMPS/);
  expect(open("1", URLS)).toBeTypeOf("function");
});

test("an answer that stops within its body fails, as one that never begins", async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/x-amz-json-1.0", "content-length": "100" });
    response.write("{");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const client = new DynamoDBClient({
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: "eu-central-1",
      credentials: { accessKeyId: "local", secretAccessKey: "local" },
      requestHandler: TIMEOUTS,
      maxAttempts: 1,
    });
    const asked = client.send(
      new GetItemCommand({ TableName: "ledger", Key: { pk: { S: "a" }, sk: { S: "b" } } }),
    );
    await expect(asked).rejects.toMatchObject({ name: "TimeoutError" });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
