// The deployed handler: the secret from AWS's extension, a rotation of it, and what the function's address sends.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LambdaFunctionURLEvent } from "aws-lambda";
import { beforeEach, expect, test, vi } from "vitest";
import { handler } from "../../../lambdas/bridge.ts";
import { newFolder } from "../../support/local-stack.ts";
import { agentSays, REMINDER, reportOf, type Said, SECRET, webhookOf } from "./platforms.ts";
import { SETTINGS } from "./world.ts";

const ARN = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:Bridge-1";
const API_KEY = `dr_live_${"a".repeat(20)}_${"0".repeat(64)}`;
const file = join(newFolder(), "bridge.json");
writeFileSync(file, JSON.stringify(SETTINGS));

let secret: string | null;
const calls: { url: string; headers: unknown }[] = [];

beforeEach(() => {
  secret = JSON.stringify({ apiKey: API_KEY, retell: [SECRET] });
  calls.length = 0;
  const environment = {
    BRIDGE_FILE: file,
    BRIDGE_SECRET: ARN,
    SERVICE_URL: "https://receipts.example",
    AWS_SESSION_TOKEN: "session",
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  vi.stubGlobal("fetch", async (url: string, { headers }: RequestInit) => {
    calls.push({ url, headers });
    if (!url.startsWith("http://localhost:2773/")) return new Response("no JSON", { status: 404 });
    return secret === null
      ? new Response("", { status: 400 })
      : Response.json({ ARN, Name: "Bridge", SecretString: secret });
  });
});

const QUIET = { event: "call_started", call: {} };

function send(message: unknown, { path = "/bridge/retell", with: by = SECRET, method = "POST" } = {}) {
  const { headers, body } = webhookOf("retell", message, by);
  const event: Partial<LambdaFunctionURLEvent> = {
    rawPath: path,
    headers,
    body: body.toString("base64"),
    isBase64Encoded: true,
    requestContext: { http: { method } } as LambdaFunctionURLEvent["requestContext"],
  };
  return handler(event as LambdaFunctionURLEvent);
}

test("a signed message is answered, with the secret that the extension gives to this function", async () => {
  expect(await send(QUIET)).toMatchObject({ statusCode: 200, body: '{"event_ids":[],"missed":0}' });
  expect(calls).toEqual([
    {
      url: `http://localhost:2773/secretsmanager/get?secretId=${encodeURIComponent(ARN)}`,
      headers: { "x-aws-parameters-secrets-token": "session" },
    },
  ]);
});

test("a secret that was rotated holds at once when the extension gives it", async () => {
  expect(await send(QUIET, { with: "next" })).toMatchObject({ statusCode: 401 });
  secret = JSON.stringify({ apiKey: API_KEY, retell: [SECRET, "next"] });
  expect(await send(QUIET, { with: "next" })).toMatchObject({ statusCode: 200 });
  secret = JSON.stringify({ apiKey: API_KEY, retell: ["next"] });
  expect(await send(QUIET)).toMatchObject({ statusCode: 401 });
});

test("a service that refuses is a 502, and nothing of the call is in the answer", async () => {
  const said = [agentSays(REMINDER)];
  const answer = await send(reportOf.retell({ id: "call-1", began: Date.now() - 60_000, said }));
  expect(answer).toMatchObject({ statusCode: 502, body: '{"title":"the service did not record it"}' });
  expect(calls.at(-1)?.url).toBe("https://receipts.example/v1/attestation");
});

test("a call that is over without a disclosure is counted once, and no id of it is in the count", async () => {
  const lines: string[] = [];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
  const began = Date.now() - 60_000;
  const call = (id: string, ...said: Said[]) => reportOf.retell({ id, began, said });
  const cut = agentSays(REMINDER, { cutAfter: 8 });
  const messages = [QUIET, call("call-silent", agentSays("Guten Tag.")), call("call-cut", cut)];
  const counts: unknown[] = [];
  for (const message of messages) {
    lines.length = 0;
    expect(await send(message)).toMatchObject({ statusCode: 200 });
    const counted = lines.filter((line) => line.includes("MissedDisclosures"));
    expect(counted.join("")).not.toMatch(/call-|sha256/);
    counts.push(counted.map((line) => JSON.parse(line).MissedDisclosures));
  }
  write.mockRestore();
  expect(counts).toEqual([[], [1], [1]]);
});

test("a secret that can't be read, or is none, fails the call, and is in no error", async () => {
  secret = null;
  await expect(send(QUIET)).rejects.toThrow("the secret can't be read");
  secret = '{"apiKey":"a-key-that-nobody-may-see","retell":"one"}';
  await expect(send(QUIET)).rejects.toThrow("the secret: retell: must be a list of texts");
});

test.each([
  ["another path", { path: "/retell" }],
  ["another method", { method: "GET" }],
  ["another platform", { path: "/bridge/bland" }],
])("%s is a 404", async (_, changes) => {
  expect(await send(QUIET, changes)).toMatchObject({ statusCode: 404 });
});
